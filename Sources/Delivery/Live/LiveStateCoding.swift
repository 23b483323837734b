internal import ByteScan

// Numbers of a saved state: seven bits a byte, the lowest first, so that small ones are short. Those below 0 take turns
// with the others: 0, -1, 1, -2 …

/// Appends a state's numbers.
struct LiveStateWriter {
    var bytes: [UInt8]

    mutating func append(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func append(signed number: Int64) { append(UInt64(bitPattern: number << 1 ^ number >> 63)) }

    mutating func append(_ count: Int) { append(UInt64(count)) }

    mutating func append(ifThere number: Int64?) {
        append(number == nil ? 0 : 1)
        if let number { append(signed: number) }
    }

    mutating func append(_ text: ByteView) {
        append(text.count)
        bytes += text
    }
}

/// Reads a state's numbers. Whatever the bytes are, a number is within the bounds that are asked for, or an error.
struct LiveStateReader {
    let bytes: ByteView
    private(set) var offset = 0

    init(_ bytes: ByteView) { self.bytes = bytes }

    var isAtEnd: Bool { offset == bytes.count }

    func fail() -> LiveError { LiveError(reason: .notState, position: offset) }

    /// A number, below `limit` if there is one.
    mutating func number(below limit: UInt64? = nil) throws(LiveError) -> UInt64 {
        var (number, shift): (UInt64, UInt64) = (0, 0)
        while true {
            guard offset < bytes.count, shift < 64 else { throw fail() }
            let byte = bytes[offset]
            guard shift < 63 || byte < 2 else { throw fail() }
            number |= UInt64(byte & 0x7F) << shift
            offset += 1
            shift += 7
            if byte < 0x80 { break }
        }
        if let limit, number >= limit { throw fail() }
        return number
    }

    mutating func byte() throws(LiveError) -> UInt8 {
        guard offset < bytes.count else { throw fail() }
        offset += 1
        return bytes[offset - 1]
    }

    /// A number, not farther from 0 than `bound` if there is one.
    mutating func signed(within bound: Int64? = nil) throws(LiveError) -> Int64 {
        let number = try number()
        let value = Int64(bitPattern: number >> 1) ^ -Int64(bitPattern: number & 1)
        if let bound, value.magnitude > bound.magnitude { throw fail() }
        return value
    }

    /// How long something lasts, `bound` at most.
    mutating func length(within bound: Int64) throws(LiveError) -> Int64 {
        let length = try signed(within: bound)
        guard length >= 0 else { throw fail() }
        return length
    }

    mutating func count(atMost limit: Int) throws(LiveError) -> Int {
        guard let count = Int(exactly: try number()), count <= limit else { throw fail() }
        return count
    }

    mutating func flag() throws(LiveError) -> Bool { try number(below: 2) == 1 }

    mutating func ifThere(within bound: Int64? = nil) throws(LiveError) -> Int64? {
        try flag() ? try signed(within: bound) : nil
    }

    mutating func text(atMost limit: Int) throws(LiveError) -> ByteView {
        let count = try count(atMost: limit)
        guard count <= bytes.count - offset else { throw fail() }
        defer { offset += count }
        return bytes[offset..<(offset + count)]
    }

    /// The four bytes of a hash.
    mutating func identity() throws(LiveError) -> UInt32 {
        var identity: UInt32 = 0
        for shift in stride(from: UInt32(0), to: 32, by: 8) { identity |= UInt32(try byte()) << shift }
        return identity
    }
}
