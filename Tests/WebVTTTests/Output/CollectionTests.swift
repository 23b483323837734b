import ByteScan
import Foundation
import Support
import Testing
import WebVTT

/// Whatever holds the bytes, an array, a slice, Foundation's Data, or what does not lie in one piece, the answer is
/// that of a buffer.
@Suite struct CollectionTests {
    static let webVTT = Array(
        "WEBVTT\n\nSTYLE\n::cue {}\n\n1\n00:01.000 --> 00:08.000 line:0\nHej då\n\n00:07.000 --> 00:09.500\nB\n".utf8)
    static let subRip = Array("1\n00:00:01,000 --> 00:00:04,500\n<i>Hej</i> då\n\n2\n0:0:5,0 --> 0:0:6,0\nB\n".utf8)

    /// Calls `check` with `bytes` in each of the collections.
    static func forEachForm(of bytes: [UInt8], _ check: (any Collection<UInt8> & Sendable) throws -> Void) rethrows {
        let padded = [0x41, 0x42, 0x43] + bytes + [0x44]
        try check(bytes)
        try check(padded[3..<(3 + bytes.count)])
        try check(Data(bytes))
        try check(Data(padded)[3..<(3 + bytes.count)])
        try check(Data(padded).dropFirst(3).dropLast())
        try check(Array(bytes.reversed()).reversed())
        try check([Array(bytes.prefix(9)), [], Array(bytes.dropFirst(9))].joined())
    }

    private func segments(_ cut: (inout Segmenter, (SegmentEvent) -> Void) throws -> Void) rethrows -> [String] {
        guard let boundaries = SegmentBoundaries(every: 4_000_000_000) else { return [] }
        var segmenter = Segmenter(boundaries)
        var events: [String] = []
        var bytes: [UInt8] = []
        try cut(&segmenter) { event in
            switch event {
            case .began(let index): events.append("began \(index)")
            case .bytes(let slice): bytes.append(contentsOf: slice.view)
            case .ended(let segment):
                events.append("\(segment) \(String(decoding: bytes, as: UTF8.self))")
                bytes = []
            }
        }
        return events
    }

    @Test func wholeFilesOfCues() async throws {
        let outlines = unsafe Self.webVTT.withUnsafeBytes { unsafe cueOutlines(in: $0) }
        #expect(outlines.count == 2 && cueOutlines(in: Self.webVTT.span.bytes) == outlines)
        let cut = try segments { segmenter, body in
            try unsafe Self.webVTT.withUnsafeBytes { try unsafe segmenter.segment($0, body) }
        }
        #expect(cut.count == 6)
        let spanned = try segments { segmenter, body in try segmenter.segment(Self.webVTT.span.bytes, body) }
        #expect(spanned == cut)
        try Self.forEachForm(of: Self.webVTT) { file in
            #expect(cueOutlines(in: file) == outlines)
            #expect(finalCueEnd(in: file)?.milliseconds == 9500 && latestCueEnd(in: file)?.milliseconds == 9500)
            #expect(WebVTTSignature(head: file, isWholeFile: true) == .valid(byteCount: 6))
            let found = try segments { segmenter, body in try segmenter.segment(file, body) }
            #expect(found == cut)
            var search = FinalCueSearch()
            #expect(search.prepend(file, startsFile: true) == .found(Timestamp(milliseconds: 9500)))
            var latest = LatestEndSearch()
            #expect(latest.prepend(file, startsFile: true) == search.answer)
        }
        for workers in [1, 3] {
            #expect(await cueOutlines(in: Self.webVTT, workers: workers) == outlines)
            #expect(await cueOutlines(in: Data(Self.webVTT)[0...], workers: workers) == outlines)
            let reversed = Array(Self.webVTT.reversed()).reversed()
            #expect(await cueOutlines(in: reversed, workers: workers) == outlines)
        }
    }

    @Test func chunksOfCues() throws {
        let cut = try segments { segmenter, body in
            try unsafe Self.webVTT.withUnsafeBytes { try unsafe segmenter.write($0, body) }
            try segmenter.finish(body)
        }
        try Self.forEachForm(of: Self.webVTT) { chunk in
            var timings: [Int] = []
            var scanner = CueTimingScanner()
            scanner.scan(chunk) { timings.append($0.position) }
            scanner.finish { timings.append($0.position) }
            #expect(timings == [26, 66])
            var cues = CueScanner()
            var starts: [Int64] = []
            let take = { (event: CueEvent) in if case .cue(let cue) = event { starts.append(cue.start.milliseconds) } }
            try cues.scan(chunk, take)
            try cues.finish(take)
            #expect(starts == [1000, 7000])
            let found = try segments { segmenter, body in
                try segmenter.write(chunk, body)
                try segmenter.finish(body)
            }
            #expect(found == cut)
        }
        var spanned: [Int] = []
        var scanner = CueTimingScanner()
        scanner.scan(Self.webVTT.span.bytes) { spanned.append($0.position) }
        #expect(spanned == [26, 66])
    }

    /// Ranges of a chunk count from its first byte, also if its indices do not begin at 0.
    @Test func piecesOfAnyChunk() throws {
        guard let boundaries = SegmentBoundaries(every: 4_000_000_000) else { return }
        func collected(_ output: SegmentPieces, _ bytes: (OutputPiece) -> [UInt8]) -> [UInt8] {
            output.reduce(into: []) { if case .bytes(let piece) = $1 { $0 += bytes(piece) } }
        }
        var segmenter = Segmenter(boundaries)
        var output = SegmentPieces(mergingThreshold: 0)
        try segmenter.segment(Self.webVTT, into: &output)
        let whole = collected(output) { $0.bytes(in: Self.webVTT) }
        #expect(String(decoding: whole, as: UTF8.self).components(separatedBy: "WEBVTT").count == 4)
        #expect(whole == collected(output) { $0.withBytes(in: Self.webVTT.span.bytes) { [UInt8](copying: $0) } })
        let ranges = output.count { if case .bytes(.chunk) = $0 { true } else { false } }
        #expect(ranges > 0)
        try Self.forEachForm(of: Self.webVTT) { chunk in
            try segmenter.segment(chunk, into: &output)
            #expect(collected(output) { $0.bytes(in: chunk) } == whole)
            // A chunk that is not the one that was written cannot be read behind its end.
            #expect(collected(output) { $0.bytes(in: [0]) }.count < whole.count)
            segmenter.reset()
            try segmenter.write(chunk, into: &output)
            var parts = collected(output) { $0.bytes(in: chunk) }
            try segmenter.finish(into: &output)
            parts += collected(output) { $0.bytes(in: [UInt8]()) }
            #expect(parts == whole)
            segmenter.reset()
        }
        try segmenter.segment(Self.webVTT.span.bytes, into: &output)
        #expect(collected(output) { $0.bytes(in: Self.webVTT) } == whole)
    }

    @Test func filesThatBecomeOthers() throws {
        let expected = unsafe try Self.subRip.withUnsafeBytes { try unsafe SubRipTranscoder.transcode($0) }
        #expect(expected.starts(with: "WEBVTT\n\n1\n".utf8))
        #expect(try SubRipTranscoder.transcode(Self.subRip.span.bytes) == expected)
        try Self.forEachForm(of: Self.subRip) { file in
            let whole = try SubRipTranscoder.transcode(file)
            #expect(whole == expected)
            var transcoder = SubRipTranscoder()
            var output: [UInt8] = []
            try transcoder.write(file) { unsafe output.append(contentsOf: $0) }
            try transcoder.finish { unsafe output.append(contentsOf: $0) }
            #expect(output == expected)
        }
        #expect(throws: TranscodingError.self) { try SubRipTranscoder.transcode(Data([0x31, 0xFF, 0x0A])) }
        guard var shifter = CueShifter(by: .seconds(1)) else { return }
        let length = try shifter.outputLength(of: Self.webVTT.span.bytes)
        #expect(length == Self.webVTT.count)
        try Self.forEachForm(of: Self.webVTT) { chunk in
            let found = try shifter.outputLength(of: chunk)
            #expect(found == length)
            var output: [UInt8] = []
            try shifter.write(chunk) { output.append(contentsOf: $0.view) }
            shifter.finish { output.append(contentsOf: $0.view) }
            shifter.reset()
            #expect(String(decoding: output, as: UTF8.self).contains("\n00:02.000 --> 00:09.000 line:0\n"))
        }
    }
}

extension [UInt8] {
    fileprivate init(copying bytes: RawSpan) {
        self = unsafe bytes.withUnsafeBytes { unsafe Array($0) }
    }
}
