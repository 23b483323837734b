import Support
import Testing
import WebVTT

/// Files that try to cost more than they are long: a byte of a long one takes at most three times as long as of a short one.
@Suite(.serialized, .enabled(if: ThreadTime.isMeasured, "skipped: SURTITLE_TIMES is not set, or no release build"))
struct AdversarialTests {
    @Test(arguments: cues + timings + finalCues + subRip + maps + segments)
    func timePerByte(input: CostlyInput) {
        let growth = input.growth(limit: 3)
        #expect(growth <= 3, "\(input): \(growth) times")
    }

    // MARK: Cues

    private static let timing = "00:01.000 --> 00:02.000\n"

    private static let cues: [CostlyInput] = [
        "-->", "-->\n", timing, "a\n\n", "a\n", "1\n\(timing)", "\n", "\r", "00:01.000 -->\n\n",
        "NOTE a\n\n", "STYLE\na\n\n",
        "REGION\nid:a\n\n", "a", "a -->\n\(timing)",
    ].flatMap { piece in
        [nil, 4096, 16].flatMap { chunk in
            let name = "of \(piece.debugDescription)"
            return [
                CostlyInput("cues \(name)", inChunksOf: chunk) {
                    CostlyText.repeated(piece, $0, after: "WEBVTT\n\n")
                } _: { chunks in
                    var scanner = CueScanner(limits: CueLimits(largestBlock: 8 << 20))
                    for chunk in chunks { try? scanner.scan(chunk) { _ in } }
                    try? scanner.finish { _ in }
                }
            ]
        }
    }

    private static let timings: [CostlyInput] = ["-->", "00:00.000 --> ", " -->", timing, "00:00.000 --> \n"].flatMap {
        piece in
        [nil, 4096, 16].map { chunk in
            CostlyInput("timings of \(piece.debugDescription)", inChunksOf: chunk) {
                CostlyText.repeated(piece, $0, after: "WEBVTT\n\n")
            } _: { chunks in
                var scanner = CueTimingScanner()
                for chunk in chunks { scanner.scan(chunk) { _ in } }
                scanner.finish { _ in }
            }
        }
    }

    private static let finalCues: [CostlyInput] = ["-->", "-->  11111", "x 0:00 -->", "0123456789", "a\n-->\n"].flatMap
    { piece in
        [nil, 4096, 16].map { chunk in
            CostlyInput("the final cue of \(piece.debugDescription)", inChunksOf: chunk) {
                CostlyText.repeated(piece, $0, after: "WEBVTT\n\n\(timing)")
            } _: { chunks in
                var search = FinalCueSearch()
                for (number, chunk) in chunks.enumerated().reversed() {
                    if search.prepend(chunk, startsFile: number == 0) != .needsEarlierBytes { break }
                }
            }
        }
    }

    // MARK: SubRip, maps

    private static let subRip: [CostlyInput] = [
        "<", "<a", "{\\", "&", "{\\an8}", "<font ", "1\n", "-->", "a --> b\n", "a\n\n", "<i>", "\n", "</i>", "{",
    ].flatMap { piece in
        [nil, 4096, 16].map { chunk in
            CostlyInput("SubRip of \(piece.debugDescription)", inChunksOf: chunk) {
                CostlyText.repeated(piece, $0, after: "1\n00:00:01,000 --> 00:00:02,000\n")
            } _: { chunks in
                var transcoder = SubRipTranscoder(limits: SubRipLimits(longestLine: 8 << 20))
                for chunk in chunks { try? transcoder.write(chunk) { _ in } }
                try? transcoder.finish { _ in }
            }
        }
    }

    private static let maps: [CostlyInput] = [
        "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:1\n", ",", "X-TIMESTAMP-MAP=\n", "LOCAL:", "a\n",
    ].flatMap { piece in
        [nil, 4096, 16].map { chunk in
            CostlyInput("a map of \(piece.debugDescription)", inChunksOf: chunk) {
                CostlyText.repeated(piece, $0, after: "WEBVTT\n" + (piece.hasSuffix("\n") ? "" : "X-TIMESTAMP-MAP="))
            } _: { chunks in
                var rewriter = TimestampMapRewriter(TimestampMap(mpegTS: 1))
                for chunk in chunks { rewriter.write(chunk) { _ in } }
                rewriter.finish { _ in }
            }
        }
    }

    // MARK: Segments

    private static func time(_ seconds: Int) -> String {
        "\(100 + seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60)).000"
    }

    private static func two(_ number: Int) -> String { (number < 10 ? "0" : "") + "\(number)" }

    private static func cue(_ start: Int, lasting seconds: Int) -> String {
        "\(time(start)) --> \(time(start + seconds))\na\n\n"
    }

    private static let segments: [CostlyInput] =
        segmented("many short cues") { count in
            CostlyText.numbered(count, after: "WEBVTT\n\n") { cue($0, lasting: 1) }
        }
        + segmented("cues open for an hour") { count in
            CostlyText.numbered(count, after: "WEBVTT\n\n") { cue($0, lasting: 3600) }
        }
        + segmented("cues in reversed order") { count in
            CostlyText.numbered(count, after: "WEBVTT\n\n") { cue(100_000 - $0, lasting: 1) }
        }
        + segmented("styles") { count in
            CostlyText.repeated("STYLE\na\n\n", count / 2, after: "WEBVTT\n\n")
                + CostlyText.numbered(count / 2) { cue($0, lasting: 1) }
        }
        + segmented("one long cue for 10,000 segments") { count in
            CostlyText.numbered(
                count, after: "WEBVTT\n\n\(time(0)) --> \(time(60_000))\n\(String(repeating: "x", count: 10_000))\n\n"
            ) { cue($0, lasting: 1) }
        }

    private static func segmented(_ name: String, _ text: @escaping @Sendable (Int) -> [UInt8]) -> [CostlyInput] {
        let work = { @Sendable (chunks: [UnsafeRawBufferPointer], isWhole: Bool) in
            guard let boundaries = SegmentBoundaries(every: 6_000_000_000) else { return }
            var segmenter = Segmenter(boundaries, limits: Segmenter.Limits(head: 8 << 20, segments: 1_000_000))
            if isWhole, let file = chunks.first {
                try? segmenter.segment(file) { _ in }
                return
            }
            for chunk in chunks { try? segmenter.write(chunk) { _ in } }
            try? segmenter.finish { _ in }
        }
        return [nil, 4096, 16].map { chunk in
            CostlyInput("segments of \(name)", inChunksOf: chunk, text) { work($0, false) }
        } + [CostlyInput("segments of \(name), whole", text) { work($0, true) }]
    }
}
