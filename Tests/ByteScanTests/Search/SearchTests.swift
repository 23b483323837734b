import ByteScan
import CByteScan
import Support
import Testing

/// Searches against loops, at every length up to three blocks and a bit, against both guard pages.
@Suite struct SearchTests {
    static let lengths = 0...200

    static func firstOffset(of byte: UInt8, in text: [UInt8], from start: Int) -> Int? {
        text.indices.first { $0 >= start && text[$0] == byte }
    }

    static func lastOffset(of byte: UInt8, in text: [UInt8], before end: Int) -> Int? {
        text.indices.last { $0 < end && text[$0] == byte }
    }

    static func firstOffset(of needle: [UInt8], in text: [UInt8], from start: Int) -> Int? {
        guard text.count - needle.count >= start else { return nil }
        return (start...(text.count - needle.count)).first { text[$0...].starts(with: needle) }
    }

    @Test func oneByteInEveryPlace() {
        for count in Self.lengths {
            var text = [UInt8](repeating: 0x61, count: count)
            for place in 0..<count {
                text[place] = 0x0A
                text.withUnsafeBytes { buffer in
                    let view = ByteView(buffer)
                    let found = [view.firstOffset(of: 0x0A), view.lastOffset(of: 0x0A, before: count)]
                    if found != [place, place] { Issue.record("\(found) for \(place) of \(count)") }
                }
                text[place] = 0x61
            }
        }
    }

    @Test func manyBytesFromEveryPlace() {
        var generator = SeededGenerator(seed: 7)
        for count in Array(Self.lengths).filter({ $0 < 10 || $0 % 9 < 3 }) {
            // Zero is what a partial block is filled up with, so it must not be found there.
            let choices: [UInt8] = [0x00, 0x0A, 0x61, 0x61, 0x61]
            let text = (0..<count).map { _ in choices[Int.random(in: 0..<choices.count, using: &generator)] }
            let guarded = GuardedBytes(text)
            for buffer in [guarded.buffer, guarded.leadingBuffer] {
                let view = ByteView(buffer)
                for byte: UInt8 in [0x00, 0x0A, 0xFF] {
                    for place in 0...count {
                        let first = view.firstOffset(of: byte, from: place)
                        let last = view.lastOffset(of: byte, before: place)
                        if first != Self.firstOffset(of: byte, in: text, from: place) {
                            Issue.record("first \(byte) from \(place) of \(count)")
                        }
                        if last != Self.lastOffset(of: byte, in: text, before: place) {
                            Issue.record("last \(byte) before \(place) of \(count)")
                        }
                    }
                }
            }
        }
    }

    @Test func everySearchedByte() {
        let text = (0..<256).map { UInt8($0) }
        let guarded = GuardedBytes(text)
        let view = ByteView(guarded.buffer)
        for byte in UInt8.min...UInt8.max {
            #expect(view.firstOffset(of: byte) == Int(byte))
            #expect(view.lastOffset(of: byte, before: 256) == Int(byte))
            #expect(view.firstOffset(of: byte, from: Int(byte) + 1) == nil)
            #expect(view.lastOffset(of: byte, before: Int(byte)) == nil)
        }
    }

    @Test(arguments: ["S", "\0", "\0\0", "SUBTITLES", "aab", "-->", "AAAA", "\n#EXT-X-STREAM-INF:"])
    func aNeedleInEveryPlace(needle string: String) throws {
        let bytes = Array(string.utf8)
        let needle = try #require(Needle(bytes))
        #expect(needle.count == bytes.count)
        #expect(Array(needle.bytes) == bytes)
        for count in [bytes.count, bytes.count + 1, 64, 65, 128, 200] where count >= bytes.count {
            for place in 0...(count - bytes.count) {
                var text = [UInt8](repeating: bytes[0], count: place) + bytes
                text += [UInt8](repeating: bytes[bytes.count - 1], count: count - text.count)
                let guarded = GuardedBytes(text)
                for buffer in [guarded.buffer, guarded.leadingBuffer] {
                    let view = ByteView(buffer)
                    for start in Set([0, place, place + 1, count]) {
                        let expected = Self.firstOffset(of: bytes, in: text, from: start)
                        if view.firstOffset(of: needle, from: start) != expected {
                            Issue.record("at \(place) of \(count), from \(start)")
                        }
                    }
                }
            }
        }
    }

    @Test func needlesInRandomText() throws {
        var generator = SeededGenerator(seed: 8)
        func random(_ count: Int) -> [UInt8] {
            (0..<count).map { _ in UInt8.random(in: 0x41...0x42, using: &generator) }
        }
        for round in 0..<400 {
            let bytes = random(1 + round % 9)
            let needle = try #require(Needle(bytes))
            let text = random(round % 201)
            let guarded = GuardedBytes(text)
            #expect(
                ByteView(guarded.buffer).firstOffset(of: needle) == Self.firstOffset(of: bytes, in: text, from: 0),
                "\(bytes) in \(text)")
        }
    }

    /// Of neighbouring bytes the first that playlists hold least often are looked for, and one byte alone with itself.
    @Test(
        arguments: [
            ("S", "SS", 0), ("AB", "AB", 1), ("QZQZ", "QZ", 1), ("ABQ", "BQ", 1), ("SUBTITLES", "UB", 1),
            ("\n#EXT-X", "EX", 1),
            // A, D, E, I and T count 5, so that two of them are between 20 and 30.
            ("TE1N", "TE", 1), ("TE1C", "1C", 1), ("DADDIIAAT1C", "1C", 1),
            // N, O, R and U count 3, C, L, P and S 2, other capitals 1.
            ("NN-G", "NN", 1), ("NNAB", "AB", 1), ("ORUTOR1", "OR", 1), ("CCAB", "CC", 1), ("CCNB", "NB", 1),
            ("NLPS1", "LP", 1), ("CCABB", "BB", 1),
            // Small letters count 2, and what is no letter 10.
            ("aaAB", "aa", 1), ("azNB", "NB", 1), ("1B1AC", "1B", 1), ("AC1B", "AC", 1),
        ])
    func theRarestPair(_ text: String, _ pair: String, _ distance: UInt16) throws {
        let needle = try #require(Needle(Array(text.utf8)))
        #expect([needle.pair.first, needle.pair.second] == Array(pair.utf8))
        #expect(needle.pair.distance == distance)
    }

    /// Cut anywhere, a needle is found over the cut if it is there; neither side alone counts.
    @Test func aNeedleOverACut() throws {
        let needle = try #require(Needle(Array("abcab".utf8)))
        func isCut(_ left: String, _ right: String) -> Bool {
            left.withView { left in right.withView { left.ends(with: needle, continuedIn: $0) } }
        }
        for (left, right) in [("a", "bcab"), ("ab", "cab"), ("abc", "ab"), ("abca", "b"), ("abab", "cab")] {
            #expect(isCut(left, right) && isCut("x" + left, right + "y"), "\(left)|\(right)")
            #expect(!isCut(left, String(right.dropLast())))
            #expect(!isCut(left + "x", right) && !isCut(left, "x" + right))
        }
        for (left, right) in [("abcab", ""), ("", "abcab"), ("abcab", "x"), ("x", "abcab"), ("", "")] {
            #expect(!isCut(left, right), "\(left)|\(right)")
        }
        let single = try #require(Needle([0x61]))
        #expect(!ByteView("a").ends(with: single, continuedIn: ByteView("a")))
    }

    @Test func bytesAreCounted() {
        var generator = SeededGenerator(seed: 10)
        for count in Self.lengths {
            let text = (0..<count).map { _ in [0, 0x0A, 0x61].randomElement(using: &generator) ?? 0 as UInt8 }
            let guarded = GuardedBytes(text)
            // Zeros fill up the last block, and do not count.
            for byte: UInt8 in [0x0A, 0x61, 0xFF] {
                let found = ByteView(guarded.buffer).count(of: byte)
                #expect(found == text.count { $0 == byte }, "\(byte) of \(count)")
            }
        }
    }

    @Test func aPairOfNoLine() {
        #expect([BytePair.none.first, BytePair.none.second] == [0x0A, 0x0A] && BytePair.none.distance == 0)
    }

    @Test func aPairInABlock() {
        for distance in UInt16(0)...12 {
            let pair = BytePair(first: 0x61, second: 0x62, distance: distance)
            for count in [1, 13, 63, 64, 65, 80] {
                var text = [UInt8](repeating: 0x78, count: count)
                for place in 0..<count {
                    text[place] = 0x61
                    let second = place + Int(distance)
                    let other = second < count ? text[second] : 0
                    if second < count, distance > 0 { text[second] = 0x62 }
                    let isThere = distance > 0 && second < count && place < 64
                    let guarded = GuardedBytes(text)
                    let bits = pair.matches(in: ByteView(guarded.buffer), at: 0).bits
                    #expect(bits == (isThere ? 1 << UInt64(place) : 0), "\(distance), \(place) of \(count)")
                    if second < count { text[second] = other }
                    text[place] = 0x78
                }
            }
        }
    }

    @Test func anEmptyNeedleIsNone() {
        #expect(Needle([]) == nil)
    }
}
