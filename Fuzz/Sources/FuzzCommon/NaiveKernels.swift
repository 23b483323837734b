import CByteScan

/// The answers of the kernels of CByteScan, one byte after the other.
///
/// Blocks of 64 bytes begin at `offset`, the last of them at or before `last`.
struct NaiveKernels {
    let text: [UInt8]
    let offset: Int

    /// Where the first block starts that is not looked at.
    private func limit(_ last: Int) -> Int { offset > last ? offset : offset + ((last - offset) / 64 + 1) * 64 }

    private func block(of place: Int) -> Int { place - (place - offset) % 64 }

    private func bits(at start: Int, _ byte: UInt8) -> UInt64 {
        (0..<64).reduce(0) { text[start + $1] == byte ? $0 | 1 << UInt64($1) : $0 }
    }

    private func contains(_ pair: BytePair, at place: Int) -> Bool {
        text[place] == pair.first && text[place + Int(pair.distance)] == pair.second
    }

    private func isOdd(_ byte: UInt8, in range: Range<Int>) -> Bool {
        text[range].count { $0 == byte } % 2 == 1
    }

    func findByte(_ byte: UInt8, last: Int) -> [UInt64] {
        let limit = limit(last)
        guard let place = (offset..<limit).first(where: { text[$0] == byte }) else { return [UInt64(limit), 0] }
        return [UInt64(block(of: place)), bits(at: block(of: place), byte)]
    }

    func measureLine(lookingFor pair: BytePair, last: Int) -> [UInt64] {
        let limit = limit(last)
        let end = (offset..<limit).first { text[$0] == 0x0A }
        let stop = end.map { block(of: $0) } ?? limit
        let seen = offset..<(end == nil ? limit : stop + 64)
        return [
            UInt64(stop), end == nil ? 0 : bits(at: stop, 0x0A), isOdd(0x22, in: offset..<(end ?? limit)) ? 1 : 0,
            seen.contains { contains(pair, at: $0) } ? 1 : 0,
        ]
    }

    /// Where the first character begins that has four bytes, or is none, or is not whole.
    func passUTF8(last: Int) -> Int {
        var parser = Unicode.UTF8.ForwardParser()
        var bytes = text[offset..<limit(last)].makeIterator()
        var place = offset
        while case .valid(let character) = parser.parseScalar(from: &bytes), character.count <= 3 {
            place += character.count
        }
        return place
    }

    /// All items of the list in `range`: where the first `=` outside quotes is, or the end if there is none, and the end.
    func items(in range: Range<Int>) -> [[Int]] {
        guard !range.isEmpty else { return [] }
        var items: [[Int]] = []
        var equals: Int?
        var isInside = false
        for place in range {
            if text[place] == 0x22 { isInside.toggle() }
            if isInside { continue }
            if text[place] == 0x3D, equals == nil { equals = place }
            if text[place] == 0x2C {
                items.append([equals ?? place, place])
                equals = nil
            }
        }
        return items + [[equals ?? range.upperBound, range.upperBound]]
    }

    /// Whether `range`, which is items with their commas, is plain: each has one `=`, and no white space outside quotes.
    func isPlain(_ range: Range<Int>) -> Bool {
        var isInside = false
        var outside: [UInt8] = []
        for byte in text[range] {
            if byte == 0x22 { isInside.toggle() }
            if !isInside { outside.append(byte) }
        }
        let items = outside.split(separator: 0x2C, omittingEmptySubsequences: false)
        return !isInside && outside.allSatisfy { $0 > 0x20 } && items.allSatisfy { $0.count { $0 == 0x3D } == 1 }
    }

    /// The masks of all whole blocks, the carry after them, and how many lines end in them. Nothing comes before the first.
    func maskLines() -> [UInt64] {
        func isEnd(_ place: Int) -> Bool { place >= offset && (text[place] == 0x0A || text[place] == 0x0D) }
        func has(_ byte: UInt8, _ place: Int) -> Bool { place >= offset && text[place] == byte }
        func bits(_ start: Int, _ isSet: (Int) -> Bool) -> UInt64 {
            (0..<64).reduce(0) { isSet(start + $1) ? $0 | 1 << UInt64($1) : $0 }
        }
        func isTerminator(_ place: Int) -> Bool { has(0x0D, place) || (has(0x0A, place) && !has(0x0D, place - 1)) }
        var answer: [UInt64] = []
        var lines = 0
        for block in 0..<((text.count - offset) / 64) {
            let start = offset + 64 * block
            answer += [
                bits(start, isEnd), bits(start, isTerminator),
                bits(start) { isTerminator($0) && isEnd($0 - 1) },
                bits(start) { has(0x3E, $0) && has(0x2D, $0 - 1) && has(0x2D, $0 - 2) },
            ]
            lines += (start..<(start + 64)).count(where: isTerminator)
        }
        return answer + [UInt64(lines)]
    }
}
