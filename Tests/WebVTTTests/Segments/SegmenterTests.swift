import Support
import Testing

@testable import WebVTT

/// One rule each. Times in the files are in seconds: cue `a` from 1 s to 2 s is `a 1-2`, and segments are of 10 s.
@Suite struct SegmenterTests {
    static let step: UInt64 = 10_000_000_000

    /// A file of the cues that are named and timed in `cues`.
    static func file(_ cues: String, head: String = "WEBVTT\n\n") -> [UInt8] {
        var blocks: [String] = []
        for cue in cues.split(separator: ",") {
            let parts = cue.split { $0 == " " || $0 == "-" }
            let times = parts[1...].map { part in
                let time = part.split(separator: ".")
                let fraction = time.count > 1 ? String(time[1]) : "000"
                return "00:00:\(time[0].count < 2 ? "0" : "")\(time[0]).\(fraction)"
            }
            blocks.append("\(times[0]) --> \(times[1])\n\(parts[0])\n")
        }
        return Array((head + blocks.joined(separator: "\n")).utf8)
    }

    /// The cues of each segment by name, as a parser finds them.
    static func names(_ made: Segmenting) -> [String] {
        made.files.map { file in (NaiveCues.cues(in: file) ?? []).map(\.text).joined() }
    }

    /// Cues, and the cues of each segment of 10 s.
    @Test(
        arguments: [
            ("a 1-2", ["a"]),
            ("a 1-2,b 11-12", ["a", "b"]),
            // One that ends where a segment begins is not in it; one that goes on a millisecond longer is.
            ("a 1-10,b 12-13", ["a", "b"]),
            ("a 1-10.001,b 12-13", ["a", "ab"]),
            ("a 10-12", ["", "a"]),
            ("a 9.999-12", ["a", "a"]),
            // Spanning cues are in every segment, before those that start there, and go on after the last one.
            ("a 1-33", ["a", "a", "a", "a"]),
            ("a 1-33,b 12-13,c 25-41", ["a", "ab", "ac", "ac", "c"]),
            ("a 1-35,b 2-15,c 3-25,d 31-32", ["abc", "abc", "ac", "ad"]),
            // Segments without a cue, and none after the last cue.
            ("a 1-2,b 35-40", ["a", "", "", "b"]),
            // A cue that never shows is once there, where it starts.
            ("a 20-20,b 21-22", ["", "", "ab"]),
            ("a 1-25,b 12-12,c 13-3,d 14-15", ["a", "abcd", "a"]),
            ("a 1-2,b 5-5,c 21-22", ["ab", "", "c"]),
            ("a 5-5,b 15-15,c 16-3,d 25-26", ["a", "bc", "d"]),
            // It never makes the content longer: it goes to the last segment if it starts behind that.
            ("a 25-1", []),
            ("a 20-20", []),
            ("a 0-0", []),
            ("a 0-20,b 59.456-21.670", ["a", "ab"]),
            ("a 1-2,b 35-34", ["ab"]),
            ("a 1-2,b 35-34,c 36-36", ["abc"]),
            ("a 1-12,b 35-34,c 45-45", ["a", "abc"]),
            ("a 1-12,b 35-34,c 45-45,d 46-47", ["a", "a", "", "b", "cd"]),
            ("a 1-19,b 15-19,c 19-19,d 19.500-19.500,e 20-20", ["a", "abcde"]),
            // One that need not wait does, if another waits: they are written in their order.
            ("a 1-12,b 15-15,c 11-11", ["a", "abc"]),
            // Out of order inside a segment is in order enough.
            ("a 15-16,b 11-12,c 12-21", ["", "abc", "c"]),
        ] as [(String, [String])])
    func cuesOfEachSegment(cues: String, expected: [String]) throws {
        let boundaries = try #require(SegmentBoundaries(every: Self.step))
        let made = Segmenting.stream(Self.file(cues), by: boundaries)
        #expect(made.error == nil && made.isComplete)
        #expect(Self.names(made) == expected)
        #expect(Segmenting.whole(Self.file(cues), by: boundaries) == made)
    }

    /// Cues out of order: what the stream says, and the segments of the whole file.
    @Test(
        arguments: [
            ("a 11-12,b 1-2", 0, ["b", "a"]),
            ("a 11-12,b 1-15", 0, ["b", "ab"]),
            ("a 45-46,b 31-32,c 1-50", 3, ["c", "c", "c", "bc", "ac"]),
            ("a 35-36,b 5-15,c 1-2,d 20-31", 0, ["bc", "b", "d", "ad"]),
            ("a 11-12,b 5-5", 0, ["b", "a"]),
            // One that waits for the content to reach its segment counts as if it had.
            ("a 1-2,b 35-34,c 12-13", 1, ["a", "bc"]),
            ("a 1-2,b 35-34,c 25-25", 2, ["abc"]),
        ] as [(String, Int, [String])])
    func cuesOutOfOrder(cues: String, segment: Int, expected: [String]) throws {
        let boundaries = try #require(SegmentBoundaries(every: Self.step))
        let file = Self.file(cues)
        let made = Segmenting.stream(file, by: boundaries)
        let position = try #require(NaiveSegmenter(file)?.cues[cues.hasPrefix("a 1-2") ? 2 : 1].position)
        #expect(made.error == SegmenterError(reason: .outOfOrder(segment: segment), position: position))
        #expect(!made.isComplete)
        let whole = Segmenting.whole(file, by: boundaries)
        #expect(whole.error == nil && whole.isComplete)
        #expect(Self.names(whole) == expected)
    }

    /// Each cue once, where it starts; segments without a cue are there, and the last one ends where it did.
    @Test(
        arguments: [
            ("a 1-33", ["a", "", "", ""]),
            ("a 1-33,b 12-13,c 25-41", ["a", "b", "c", "", ""]),
            ("a 1-25,b 12-12,c 40-4", ["a", "b", "c"]),
            ("a 1-35,b 2-15,c 3-25,d 31-32", ["abc", "", "", "d"]),
        ] as [(String, [String])])
    func cuesOnce(cues: String, expected: [String]) throws {
        let boundaries = try #require(SegmentBoundaries(every: Self.step))
        let file = Self.file(cues)
        let made = Segmenting.stream(file, by: boundaries, cuesOnce: true)
        #expect(made.error == nil && made.isComplete)
        #expect(Self.names(made) == expected)
        #expect(made.segments.map(\.cueCount) == expected.map(\.count))
        #expect(made.segments.map(\.duration) == Segmenting.stream(file, by: boundaries).segments.map(\.duration))
        #expect(Segmenting.whole(file, by: boundaries, cuesOnce: true) == made)
        // Where segments end at a known time too.
        let listed = try #require(SegmentBoundaries(durations: expected.map { _ in Self.step }))
        #expect(Self.names(Segmenting.stream(file, by: listed, cuesOnce: true)) == expected)
    }

    /// The two times of the film that made 601 segments of four.
    @Test func anHourTooMuch() throws {
        let text = "WEBVTT\n\n00:00.000 --> 00:20.000\na\n\n01:00:00.456 --> 00:00:21.670\nb\n"
        let boundaries = try #require(SegmentBoundaries(every: 6_000_000_000))
        let made = Segmenting.stream(Array(text.utf8), by: boundaries)
        #expect(made.segments.map(\.duration) == [6, 6, 6, 2].map { $0 * 1_000_000_000 })
        #expect(Self.names(made) == ["a", "a", "a", "ab"])
        #expect(Segmenting.whole(Array(text.utf8), by: boundaries) == made)
    }

    @Test func theWholeOutput() throws {
        let file = """
            \u{FEFF}WEBVTT - generated
            Kind: captions
            X-TIMESTAMP-MAP=MPEGTS:900000, LOCAL:00:00:00.000

            NOTE nothing

            STYLE
            ::cue { color: lime }


            REGION
            id:low

            a
            00:01.000 --> 00:11.500 line:0% region:low
            One

            NOTE more of it

            not a cue
            at all

            STYLE
            ::cue { color: red }

            00:08.000 --> 00:09.000
            Two\u{0} & <i>
            more
            00:12.000 --> 00:13.250
            Three
            """
        let head = """
            WEBVTT
            X-TIMESTAMP-MAP=MPEGTS:900000, LOCAL:00:00:00.000

            STYLE
            ::cue { color: lime }

            REGION
            id:low


            """
        let first = "a\n00:01.000 --> 00:11.500 line:0% region:low\nOne\n"
        let boundaries = try #require(SegmentBoundaries(every: Self.step))
        let made = Segmenting.stream(Array(file.utf8), by: boundaries)
        #expect(
            made.texts == [
                head + first + "\n00:08.000 --> 00:09.000\nTwo\u{0} & <i>\nmore\n\n",
                head + first + "\n00:12.000 --> 00:13.250\nThree\n\n",
            ])
        #expect(
            made.segments == [
                Segment(index: 0, start: 0, duration: Self.step, cueCount: 2),
                Segment(index: 1, start: Self.step, duration: 3_250_000_000, cueCount: 2),
            ])
        let mapped = Segmenting.stream(Array(file.utf8), by: boundaries, map: TimestampMap(mpegTS: 126_000))
        #expect(
            mapped.texts
                == made.texts.map {
                    $0.replacing("MPEGTS:900000, LOCAL:00:00:00.000", with: "LOCAL:00:00:00.000,MPEGTS:126000")
                })
    }

    /// A segmenter that was used for another file, to its end or not, is as new.
    @Test func aResetSegmenterIsAsNew() throws {
        let boundaries = try #require(SegmentBoundaries(every: Self.step))
        var maps = SegmentMaps(first: TimestampMap(mpegTS: 1))
        maps.append(TimestampMap(mpegTS: 2), fromSegment: 2)
        // Either of the first two repeats more than half of it.
        let limits = Segmenter.Limits(repeatedBytes: 400)
        let head = "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:7,LOCAL:00:00.000\n\nSTYLE\n::cue {}\n\n"
        let spanning = Self.file("a 1-35,b 25-31", head: head)
        let files = [
            spanning, Array(String(decoding: spanning, as: UTF8.self).replacing("\n", with: "\r").utf8),
            Self.file("a 1-2,b 35-34,c 36-36"), Self.file("a 11-12,b 1-2"), Self.file("a 1-2", head: "WEBVTT\r\n\r\n"),
            [],
        ]
        var segmenter = Segmenter(boundaries, maps: maps, limits: limits)
        for first in files {
            for second in files {
                for end in [first.count, first.count / 2] {
                    first.withUnsafeBytes { bytes in
                        segmenter.reset()
                        try? segmenter.write(UnsafeRawBufferPointer(rebasing: bytes[..<end])) { _ in }
                        if end == first.count { try? segmenter.finish { _ in } }
                        segmenter.reset()
                    }
                    var other = Segmenter(boundaries, maps: maps, limits: limits)
                    second.withUnsafeBytes { bytes in
                        #expect(
                            Segmenting(&segmenter, bytes, in: [0..<second.count])
                                == Segmenting(&other, bytes, in: [0..<second.count]))
                    }
                }
            }
        }
    }

    /// What lies together in the file leaves together, with the blank line after it: `#` and a count is a range of the file, and all else
    /// is the library's.
    @Test(arguments: [
        ("WEBVTT\n\n@\n@\n", ["#54"]), ("WEBVTT\n\n@\n@", ["#53", "\n"]), ("WEBVTT\n\n@@", ["#26", "\n", "#26", "\n"]),
        ("WEBVTT\n\n@\n\n@\n\n", ["#26", "\n", "#27"]), ("WEBVTT\n\n@\nNOTE\n\n@\n", ["#26", "\n", "#27"]),
        ("WEBVTT\n\n@\r@\n", ["#26", "\n", "#27"]), ("WEBVTT\r\n\r\n@\r\n@\r\n", ["#56"]),
        ("WEBVTT\r\n\r\n@\n@\r\n", ["#26", "\r\n", "#28"]), ("WEBVTT\r\r@\r@\r", ["#54"]),
        ("WEBVTT\n\n@\n00:03.000 --> 00:04.000\nx", ["#52", "\n", "\n"]),
    ])
    func slices(text: String, expected: [String]) throws {
        let cue = "00:01.000 --> 00:02.000\na\n"
        let file = Array(text.replacing("@", with: text.contains("\r\r") ? cue.replacing("\n", with: "\r") : cue).utf8)
        var segmenter = Segmenter(try #require(SegmentBoundaries(every: Self.step)))
        var found: [String] = []
        func note(_ event: SegmentEvent) {
            guard case .bytes(let slice) = event else { return }
            if case .chunk(let range) = slice.source { return found.append("#\(range.count)") }
            found.append(String(decoding: slice.bytes, as: UTF8.self))
        }
        try file.withUnsafeBytes { try segmenter.segment($0, note) }
        #expect(found.dropFirst().elementsEqual(expected))
    }

    /// What is collected: a cue that a chunk begins with is a range of it if it has 1024 bytes, and what is longer than 32 KiB is cut.
    @Test(arguments: [1023, 1024])
    func pieces(count: Int) throws {
        var segmenter = Segmenter(try #require(SegmentBoundaries(every: Self.step)))
        var output = SegmentPieces()
        func write(_ text: String) throws -> [Int?] {
            try Array(text.utf8).withUnsafeBytes { try segmenter.write($0, into: &output) }
            return output.compactMap { piece -> Int?? in
                guard case .bytes(let piece) = piece else { return .none }
                if case .own(let bytes) = piece { return bytes.count }
                return .some(nil)
            }
        }
        let style = "STYLE\n" + String(repeating: "x", count: 40_000) + "\n\n"
        let time = "00:01.000 --> 00:02.000\n"
        func cue(_ count: Int) -> String { time + String(repeating: "x", count: count - 25) + "\n" }
        #expect(try write("WEBVTT\n\n\(style)") == [] && output.isEmpty && output.byteCount == 0)
        // The head, and the cue with it if it is copied.
        let first = try write(cue(count) + "\n")
        #expect(first == (count == 1023 ? [32_768, 8 + 40_008 - 32_768 + 1023] : [32_768, 8 + 40_008 - 32_768, nil]))
        // Bytes of a segment that has begun are no nothing.
        #expect(try write(cue(30) + "\n").count == 1 && !output.isEmpty)
        output.removeAll()
        #expect(output.isEmpty && output.byteCount == 0)
    }

    /// Line terminators: a file's own, also where they are mixed so that a blank line could be swallowed.
    @Test(arguments: [
        ("WEBVTT\r\n\r\n00:01.000 --> 00:11.000\r\na\r\n\r\n00:02.000 --> 00:03.000\r\nb", "\r\n"),
        ("WEBVTT\r\r00:01.000 --> 00:11.000\ra\r\r00:02.000 --> 00:03.000\rb", "\r"),
        ("WEBVTT\n\nSTYLE\rx\r\r\n00:01.000 --> 00:11.000\ra\r\r\r00:02.000 --> 00:13.000\nb\r\nc", "\n"),
        ("WEBVTT\r\rSTYLE\nx\n\n00:01.000 --> 00:11.000\n\n\n00:02.000 --> 00:13.000\nb\n", "\r"),
        ("WEBVTT\r\n\nSTYLE\nx\r\r00:01.000 --> 00:11.000\na\r\n00:02.000 --> 00:13.000\nb\r", "\r\n"),
    ])
    func lineTerminators(file: String, terminator: String) throws {
        let boundaries = try #require(SegmentBoundaries(every: Self.step))
        let made = Segmenting.stream(Array(file.utf8), by: boundaries, map: TimestampMap(mpegTS: 1))
        let expected = NaiveSegmenter(Array(file.utf8))?
            .segments(every: Self.step) { _ in .given("X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1") }
        #expect(made.files == expected?.map(\.bytes))
        #expect(Segmenting.whole(Array(file.utf8), by: boundaries, map: TimestampMap(mpegTS: 1)) == made)
        let head = "WEBVTT\(terminator)X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1\(terminator)\(terminator)"
        for text in made.texts { #expect(text.utf8.starts(with: head.utf8)) }
        // A parser finds the cues and the style in each again.
        let cues = try #require(NaiveCues.cues(in: Array(file.utf8)))
        #expect(made.files.map { NaiveCues.cues(in: $0) } == [cues, cues.filter { $0.end > 10_000 }])
        let styles = [Array(file.utf8)] + made.files
        let counts = styles.map { NaiveWebVTT.blocks(of: $0)?.count { $0.kind == "style" } }
        #expect(Set(counts).count == 1)
    }

    @Test(arguments: [
        ("WEBVTT", "WEBVTT\n\n"), ("WEBVTT\r", "WEBVTT\r\r"), ("WEBVTT\r\n", "WEBVTT\r\n\r\n"),
        ("WEBVTT x\n\nNOTE y\n\nSTYLE\nz", "WEBVTT\n\nSTYLE\nz\n\n"),
        ("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:1,MPEGTS:2\n", "WEBVTT\n\n"),
    ])
    func filesWithoutCues(file: String, segment: String) throws {
        let file = Array(file.utf8)
        // Nobody knows how long it would last.
        let unbounded = Segmenting.stream(file, by: try #require(SegmentBoundaries(every: Self.step)))
        #expect(unbounded.error == nil && unbounded.files.isEmpty)
        #expect(Segmenting.whole(file, by: try #require(SegmentBoundaries(every: Self.step))) == unbounded)
        let bounded = try #require(SegmentBoundaries(every: Self.step, until: 25_000_000_001))
        let made = Segmenting.stream(file, by: bounded)
        #expect(made.texts == [segment, segment, segment])
        #expect(made.segments.map(\.duration) == [Self.step, Self.step, 5_000_000_001])
        #expect(Segmenting.whole(file, by: bounded) == made)
    }

    @Test(arguments: ["", "WEBVT", "WEBVTTX\n\n00:01.000 --> 00:02.000\n", "1\n00:00:01,000 --> 00:00:02,000\n"])
    func whatIsNoWebVTT(file: String) throws {
        let boundaries = try #require(SegmentBoundaries(durations: [1]))
        let error = SegmenterError(reason: .notWebVTT, position: 0)
        let made = Segmenting.stream(Array(file.utf8), by: boundaries)
        #expect(made.error == error && made.files.isEmpty)
        let whole = Segmenting.whole(Array(file.utf8), by: boundaries)
        #expect(whole.error == error && whole.files.isEmpty)
    }
}
