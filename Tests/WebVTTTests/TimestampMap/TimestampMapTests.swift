import ByteScan
import Support
import Testing

@testable import WebVTT

@Suite struct TimestampMapTests {
    static func map(_ line: String) -> TimestampMap? {
        let guarded = GuardedBytes(Array(line.utf8))
        defer { withExtendedLifetime(guarded) {} }
        return TimestampMap(headerLine: ByteView(guarded.buffer))
    }

    static let legal: [(String, UInt64, Int64)] = [
        ("X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000", 900_000, 0),
        ("X-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:00.000", 900_000, 0),
        ("X-TIMESTAMP-MAP=LOCAL:1:11:16.443,MPEGTS:384879885", 384_879_885, 4_276_443),
        ("X-TIMESTAMP-MAP=LOCAL:00:01.500,MPEGTS:0", 0, 1500),
        ("X-TIMESTAMP-MAP=LOCAL:1234567890:00:00.000,MPEGTS:1", 1, 4_444_444_404_000_000),
        ("X-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:8589934591", 8_589_934_591, 0),
        ("X-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:8589934592", 0, 0),
        ("X-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:85899345930", 10, 0),
        ("X-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:340282366920938463463374607431768211457", 1, 0),
        ("X-TIMESTAMP-MAP= LOCAL: 00:00.000 ,\tMPEGTS:7 ", 7, 0),
        ("X-TIMESTAMP-MAP=MPEGTS:1,OTHER:x,LOCAL:00:00.000,MPEGTS:2", 1, 0),
        ("X-TIMESTAMP-MAP=LOCAL:00:03.000,LOCAL:00:04.000,MPEGTS:5,LOCAL:00:05.000", 5, 3000),
    ]

    @Test(arguments: legal)
    func parses(line: String, ticks: UInt64, local: Int64) {
        #expect(Self.map(line) == TimestampMap(mpegTS: ticks, local: Timestamp(milliseconds: local)))
    }

    @Test(arguments: [
        "", "X-TIMESTAMP-MAP", "X-TIMESTAMP-MAP=", "X-TIMESTAMP-MAP=LOCAL:00:00.000", "X-TIMESTAMP-MAP=MPEGTS:1",
        "X-TIMESTAMP-MAP=LOCAL:0:00.000,MPEGTS:1", "X-TIMESTAMP-MAP=LOCAL:00:00.0000,MPEGTS:1",
        "X-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:", "X-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:-1",
        "X-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:1x", "X-TIMESTAMP-MAP=LOCAL:00:00.000;MPEGTS:1",
        " X-TIMESTAMP-MAP=LOCAL:00:00.000,MPEGTS:1", "x-timestamp-map=LOCAL:00:00.000,MPEGTS:1",
    ])
    func refuses(line: String) { #expect(Self.map(line) == nil) }

    @Test func isWrittenAsItIsRead() throws {
        var generator = SeededGenerator(seed: 2)
        for _ in 0..<500 {
            let local = Int64.random(in: 0...(.max >> Int64.random(in: 0..<60, using: &generator)), using: &generator)
            let map = TimestampMap(
                mpegTS: .random(in: 0...(.max), using: &generator), local: Timestamp(milliseconds: local))
            #expect(Self.map(String(decoding: map.headerLine, as: UTF8.self)) == map)
        }
        let map = TimestampMap(mpegTS: 900_000, local: Timestamp(milliseconds: 3_723_004))
        #expect(String(decoding: map.headerLine, as: UTF8.self) == "X-TIMESTAMP-MAP=LOCAL:01:02:03.004,MPEGTS:900000")
        #expect(Timestamp(milliseconds: -1).description == "00:00:00.000")
        #expect(Timestamp.maximum.description == "2562047788015:12:55.807")
    }

    // MARK: In a file

    static let line = "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000"

    /// A file, and what it becomes; `@` is the map.
    static let files: [(String, String)] = [
        ("", ""),
        ("WEBVTX\n\nx", "WEBVTX\n\nx"),
        ("WEBVT", "WEBVT"),
        ("WEBVTT", "WEBVTT\n@\n"),
        // What is left out between a CR and a line feed must not make one line ending of them.
        ("WEBVTT\rX-TIMESTAMP-MAP=y\n\nX-TIMESTAMP-MAP=z", "WEBVTT\r@\r\n\nX-TIMESTAMP-MAP=z"),
        ("WEBVTT\nA\rX-TIMESTAMP-MAP=y\r\n\nx", "WEBVTT\n@\nA\r\n\nx"),
        ("WEBVTT\nA\rX-TIMESTAMP-MAP=y\rX-TIMESTAMP-MAP=z\n\nx", "WEBVTT\n@\nA\r\n\nx"),
        // Nor may two line feeds be kept, which would end the header.
        ("WEBVTT\nA\rX-TIMESTAMP-MAP=y\nX-TIMESTAMP-MAP=z\nB\n\nx", "WEBVTT\n@\nA\r\nB\n\nx"),
        ("WEBVTT x", "WEBVTT x\n@\n"),
        ("WEBVTT\n", "WEBVTT\n@\n"),
        ("WEBVTT\r", "WEBVTT\r@\r"),
        ("WEBVTT\r\n", "WEBVTT\r\n@\r\n"),
        ("\u{FEFF}WEBVTT\n\n00:01.000 --> 00:02.000\n", "\u{FEFF}WEBVTT\n@\n\n00:01.000 --> 00:02.000\n"),
        ("WEBVTT\n00:01.000 --> 00:02.000\nx", "WEBVTT\n@\n00:01.000 --> 00:02.000\nx"),
        ("WEBVTT\nX-TIMESTAMP-MAP=x\n\ny", "WEBVTT\n@\n\ny"),
        ("WEBVTT\r\nX-TIMESTAMP-MAP=x\r\n\r\ny", "WEBVTT\r\n@\r\n\r\ny"),
        ("WEBVTT\rX-TIMESTAMP-MAP=x\r\ry", "WEBVTT\r@\r\ry"),
        ("WEBVTT\nKind: x\nX-TIMESTAMP-MAP=\nY\nX-TIMESTAMP-MAP=2", "WEBVTT\n@\nKind: x\nY\n"),
        ("WEBVTT\nX-TIMESTAMP-MAP\nX-TIME\nX", "WEBVTT\n@\nX-TIMESTAMP-MAP\nX-TIME\nX"),
        // After the header such a line is text.
        ("WEBVTT\n\nX-TIMESTAMP-MAP=x\n", "WEBVTT\n@\n\nX-TIMESTAMP-MAP=x\n"),
        ("WEBVTT\nX --> y\nX-TIMESTAMP-MAP=x\n", "WEBVTT\n@\nX --> y\nX-TIMESTAMP-MAP=x\n"),
        ("WEBVTT\nX-TIMESTAMP-MAP=-->\nX-TIMESTAMP-MAP=x\n", "WEBVTT\n@\nX-TIMESTAMP-MAP=-->\nX-TIMESTAMP-MAP=x\n"),
        ("WEBVTT\nX-->\nX-TIMESTAMP-MAP=x\n", "WEBVTT\n@\nX-->\nX-TIMESTAMP-MAP=x\n"),
    ]

    static func rewrite(_ file: UnsafeRawBufferPointer, in chunks: [Range<Int>]) -> [UInt8] {
        var output: [UInt8] = []
        var rewriter = TimestampMapRewriter(TimestampMap(mpegTS: 900_000))
        for chunk in chunks {
            let chunk = UnsafeRawBufferPointer(rebasing: file[chunk])
            rewriter.write(chunk) { slice in
                if case .chunk(let range) = slice.source { #expect(Array(chunk[range]) == Array(slice.bytes)) }
                #expect(slice.count > 0)
                output += slice.bytes
            }
        }
        rewriter.finish { output += $0.bytes }
        return output
    }

    @Test(arguments: files)
    func inAFile(text: String, expected: String) {
        let guarded = GuardedBytes(Array(text.utf8))
        defer { withExtendedLifetime(guarded) {} }
        let expected = Array(expected.replacing("@", with: Self.line).utf8)
        #expect(Self.naive(Array(text.utf8)) == expected)
        for chunks in Splits.all(of: text.utf8.count) {
            #expect(Self.rewrite(guarded.buffer, in: chunks) == expected)
            #expect(Self.rewrite(guarded.leadingBuffer, in: chunks) == expected)
        }
    }

    @Test func aLineOfAnyLengthPassesThrough() {
        let long = "X-TIMESTAMP-MAP=" + String(repeating: "x", count: 70_000)
        let text = "WEBVTT\n\(long)\nX-TIMESTAMP-MAP=y\n\n"
        let expected = Array("WEBVTT\n\(Self.line)\n\(long)\n\n".utf8)
        Array(text.utf8).withUnsafeBytes { file in
            for size in [1000, 4096, 65_536, 100_000] {
                #expect(Self.rewrite(file, in: Splits.even(of: file.count, size: size)) == expected)
            }
        }
    }

    /// A map may have 64 KiB, and its terminator besides; one that is longer is none.
    @Test(arguments: ["\n", "\r", "\r\n", ""], [65_535, 65_536, 65_537])
    func theLongestMap(terminator: String, count: Int) {
        let map = "X-TIMESTAMP-MAP=" + String(repeating: "x", count: count - 16) + terminator
        let text = "WEBVTT\n\(map)" + (terminator.isEmpty ? "" : "A\n\nb")
        let kept = "WEBVTT\n\(Self.line)\n" + text.dropFirst(7)
        let expected = Array((count > 65_536 ? kept : kept.replacing(map, with: "")).utf8)
        Array(text.utf8).withUnsafeBytes { file in
            for size in [1000, 65_536, 65_543, 65_544, 65_545, 65_546, 100_000] {
                #expect(Self.rewrite(file, in: Splits.even(of: file.count, size: size)) == expected, "\(size)")
            }
        }
    }

    /// How much may come of a chunk, and when nothing more changes.
    @Test func theBoundOfTheOutput() {
        var rewriter = TimestampMapRewriter(TimestampMap(mpegTS: 900_000))
        func write(_ text: String) { Array(text.utf8).withUnsafeBytes { rewriter.write($0) { _ in } } }
        // The map has 48 bytes, and two terminators at most.
        let steps: [(text: String, held: Int, bound: Int, isSettled: Bool)] = [
            ("", 0, 10 + 52, false), ("WEBVTT x", 0, 10 + 52, false), ("\r", 1, 11 + 52, false), ("A", 1, 11, false),
            ("B", 2, 12, false), ("CD", 2, 12, false), ("\nX-TIME", 6, 16, false), ("\n\n", 0, 10, true),
        ]
        for _ in 0..<2 {
            for step in steps {
                write(step.text)
                #expect(rewriter.heldBytes == step.held && rewriter.isSettled == step.isSettled, "\(step)")
                #expect(rewriter.outputBound(forChunkOf: 10) == step.bound, "\(step)")
            }
            rewriter.reset()
        }
    }

    @Test func randomFiles() {
        var generator = SeededGenerator(seed: 12)
        for _ in 0..<(isLong ? 50_000 : 500) {
            var file = WebVTTTokens.file(upTo: 12, using: &generator)
            if Bool.random(using: &generator) {
                let place = Int.random(in: 0...min(file.count, 20), using: &generator)
                file.insert(contentsOf: Array("X-TIMESTAMP-MAP=LOCAL:00:00.000\n".utf8), at: place)
            }
            let expected = Self.naive(file)
            file.withUnsafeBytes { buffer in
                for size in [1, Int.random(in: 2...20, using: &generator), 10_000] {
                    let output = Self.rewrite(buffer, in: Splits.even(of: file.count, size: size))
                    if output != expected { Issue.record("chunks of \(size): \(CueScannerTests.describe(file))") }
                }
            }
        }
    }

    @Test func aResetRewriterIsAsNew() {
        var rewriter = TimestampMapRewriter(TimestampMap(mpegTS: 900_000))
        for (text, expected) in Self.files {
            for isWhole in [false, true] {
                var output: [UInt8] = []
                Array(text.utf8).withUnsafeBytes { rewriter.write($0) { output += $0.bytes } }
                if isWhole {
                    rewriter.finish { output += $0.bytes }
                    #expect(output == Array(expected.replacing("@", with: Self.line).utf8))
                }
                rewriter.reset()
            }
        }
    }

    /// What a file becomes, with the whole of it at hand.
    static func naive(_ file: [UInt8]) -> [UInt8] { NaiveTimestampMap.rewrite(file, line: Array(line.utf8)) }
}
