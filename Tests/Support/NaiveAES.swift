/// AES with a key of 128 bits, as FIPS 197 writes it down, in blocks that are chained (CBC, SP 800-38A 6.2): for tests, slow, and open
/// to whoever measures its time.
///
/// The state is a block of 16 bytes, column after column: the byte in row r and column c is at r + 4c (3.4).
public struct NaiveAES: Sendable {
    /// The round keys: 11 of 16 bytes (5.2).
    private let roundKeys: [[UInt8]]

    /// The cipher with a key of 16 bytes.
    public init(key: [UInt8]) {
        precondition(key.count == 16)
        var words = (0..<4).map { Array(key[($0 * 4)..<($0 * 4 + 4)]) }
        var constant: UInt8 = 1
        for index in 4..<44 {
            var word = words[index - 1]
            if index % 4 == 0 {
                word = (word[1...] + word[..<1]).map { Self.box[Int($0)] }
                word[0] ^= constant
                constant = Self.product(constant, 2)
            }
            words.append(zip(words[index - 4], word).map(^))
        }
        roundKeys = (0..<11).map { round in Array(words[(round * 4)..<(round * 4 + 4)].joined()) }
    }

    /// CIPHER (5.1).
    public func encrypted(block: [UInt8]) -> [UInt8] {
        var state = Self.sum(block, roundKeys[0])
        for round in 1...10 {
            state = state.map { Self.box[Int($0)] }
            state = (0..<16).map { place in state[(place + 4 * (place % 4)) % 16] }
            if round < 10 { state = Self.mixed(state, [2, 3, 1, 1]) }
            state = Self.sum(state, roundKeys[round])
        }
        return state
    }

    /// INVCIPHER (5.3).
    public func decrypted(block: [UInt8]) -> [UInt8] {
        var state = Self.sum(block, roundKeys[10])
        for round in (0...9).reversed() {
            state = (0..<16).map { place in state[(place + 16 - 4 * (place % 4)) % 16] }
            state = state.map { Self.inverseBox[Int($0)] }
            state = Self.sum(state, roundKeys[round])
            if round > 0 { state = Self.mixed(state, [14, 11, 13, 9]) }
        }
        return state
    }

    /// The blocks of `bytes`, a multiple of 16, encrypted one after the other.
    public func encrypted(_ bytes: [UInt8], vector: [UInt8]) -> [UInt8] {
        var (chain, output) = (vector, [UInt8]())
        for start in stride(from: 0, to: bytes.count, by: 16) {
            chain = encrypted(block: Self.sum(Array(bytes[start..<(start + 16)]), chain))
            output += chain
        }
        return output
    }

    /// The blocks of `bytes`, a multiple of 16, decrypted one after the other.
    public func decrypted(_ bytes: [UInt8], vector: [UInt8]) -> [UInt8] {
        var (chain, output) = (vector, [UInt8]())
        for start in stride(from: 0, to: bytes.count, by: 16) {
            let block = Array(bytes[start..<(start + 16)])
            output += Self.sum(decrypted(block: block), chain)
            chain = block
        }
        return output
    }

    /// A segment as METHOD=AES-128 has it: filled up to whole blocks with as many bytes as that (RFC 5652 6.3), and encrypted.
    public func sealed(_ segment: [UInt8], vector: [UInt8]) -> [UInt8] {
        let padding = 16 - segment.count % 16
        return encrypted(segment + [UInt8](repeating: UInt8(padding), count: padding), vector: vector)
    }

    // MARK: The field of 256 elements (4)

    private static func product(_ one: UInt8, _ other: UInt8) -> UInt8 {
        var (one, other, sum) = (one, other, UInt8(0))
        while other > 0 {
            if other & 1 == 1 { sum ^= one }
            one = one << 1 ^ (one >> 7) * 0x1B
            other >>= 1
        }
        return sum
    }

    private static func sum(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] { zip(one, other).map(^) }

    /// MIXCOLUMNS: each column times a matrix whose rows are `row`, turned further (5.1.3).
    private static func mixed(_ state: [UInt8], _ row: [UInt8]) -> [UInt8] {
        (0..<16).map { place in
            let column = place / 4 * 4
            return (0..<4).reduce(0) { $0 ^ products[Int(row[($1 - place % 4 + 4) % 4])][Int(state[column + $1])] }
        }
    }

    /// The products with the numbers that matrices have.
    private static let products = (0..<15).map { factor in
        (0..<256).map { product(UInt8($0), UInt8(factor)) }
    }

    /// SBOX (5.1.1): the inverse, and five of its turns added up.
    private static let box: [UInt8] = (0..<256).map { number in
        let inverse = (0..<256).first { product(UInt8(number), UInt8($0)) == 1 }.map { UInt8($0) } ?? 0
        return (1...4).reduce(inverse ^ 0x63) { $0 ^ (inverse << UInt8($1) | inverse >> UInt8(8 - $1)) }
    }

    private static let inverseBox: [UInt8] = {
        var inverse = [UInt8](repeating: 0, count: 256)
        for (number, value) in box.enumerated() { inverse[Int(value)] = UInt8(number) }
        return inverse
    }()
}
