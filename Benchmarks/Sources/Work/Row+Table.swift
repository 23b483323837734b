import CReference
import Inputs

extension Row {
    /// A row's key, and the row, made only when it is asked for.
    public typealias Entry = (key: String, make: @Sendable () -> Row)

    /// Every row.
    public static let table = whole + chunked + field + edited + wholeFiles + made + probes

    /// Those whose input comes in one piece.
    private static let whole: [Entry] =
        [
            ("master-big-copied", { sideload("master-big-copied", .largeMaster, isCopied: true, limit: 0.75) }),
            ("master-small-copied", { sideload("master-small-copied", .smallMaster, isCopied: true, limit: 0.75) }),
            ("master-big-sliced", { sideload("master-big-sliced", .largeMaster, isCopied: false, limit: 0.45) }),
            ("master-small-sliced", { sideload("master-small-sliced", .smallMaster, isCopied: false, limit: 0.45) }),
            ("master-big-pieces", { collect("master-big-pieces", .largeMaster, limit: 1.4) }),
            ("master-small-pieces", { collect("master-small-pieces", .smallMaster, limit: 1.4) }),
            ("master-big-buffer", { buffer("master-big-buffer", .largeMaster, limit: 1.3) }),
            ("master-small-buffer", { buffer("master-small-buffer", .smallMaster, limit: 1.3) }),
            ("media-big-sliced", { passThrough("media-big-sliced", .media, limit: 0.35) }),
            ("media-ll-sliced", { passThrough("media-ll-sliced", .lowLatencyMedia, limit: nil) }),
            ("media-big-scheme", { map("media-big-scheme", .media, .scheme) }),
            ("media-ll-scheme", { map("media-ll-scheme", .lowLatencyMedia, .scheme) }),
            ("master-big-scheme", { map("master-big-scheme", .largeMaster, .scheme) }),
            ("media-big-base-host", { map("media-big-base-host", .media, .baseAndHost) }),
            ("media-ll-base-host", { map("media-ll-base-host", .lowLatencyMedia, .baseAndHost) }),
            ("master-big-base-host", { map("master-big-base-host", .largeMaster, .baseAndHost) }),
            ("media-big-query", { map("media-big-query", .media, .query) }),
            ("media-ll-query", { map("media-ll-query", .lowLatencyMedia, .query) }),
            ("master-big-query", { map("master-big-query", .largeMaster, .query) }),
            ("media-big-router", { route("media-big-router", .media, limit: nil) }),
            ("media-ll-router", { route("media-ll-router", .lowLatencyMedia, limit: nil) }),
            ("master-big-attributes", { attributes("master-big-attributes", .largeMaster, limit: 5.0) }),
            ("http-decisions", { decisions("http-decisions", .exchanges, limit: nil) }),
            ("final-cue", { finalCue("final-cue", .largeCues, against: .smallCues, limit: 1.5) }),
            ("cues-events", { cues("cues-events", .largeCues, limit: 2.5) }),
            ("cues-plain-events", { cues("cues-plain-events", .plainCues, limit: 2.5) }),
            ("cues-timings", { timings("cues-timings", .largeCues, limit: 1.0) }),
            ("cues-plain-timings", { timings("cues-plain-timings", .plainCues, limit: 1.0) }),
            ("cues-two-threads", { twoThreads("cues-two-threads", .largeCues, limit: 0.625) }),
            ("cues-map", { map("cues-map", .largeCues, limit: 2.0) }),
            ("segments", { segments("segments", .largeCues, limit: 2.0) }),
            ("subrip-plain", { subRip("subrip-plain", Input.subRip[0], limit: nil) }),
            ("subrip-returns", { subRip("subrip-returns", Input.subRip[1], limit: nil) }),
            ("subrip-markup", { subRip("subrip-markup", Input.subRip[2], limit: nil) }),
            ("subrip-chinese", { subRip("subrip-chinese", Input.subRip[3], limit: nil) }),
            ("live-small", { live("live-small", Input.liveMedia[0], limit: 10) }),
            ("live-big", { live("live-big", Input.liveMedia[1], limit: 10) }),
            ("live-again", { liveAgain("live-again", Input.liveMedia[1], limit: nil) }),
            ("live-segment", { liveSegment("live-segment", .plainCues, against: .smallCues, limit: nil) }),
        ]

    /// The same in chunks of a socket's and a packet's size.
    private static let chunked: [Entry] =
        [512, 1_460, 4_096].map { size in
            let key = "master-big-\(size)"
            return (key, { sideload(key, .largeMaster, isCopied: false, inChunksOf: size, limit: nil) })
        }
        + Mapping.Kind.allCases.flatMap { kind -> [Entry] in
            let inputs: [(name: String, make: @Sendable () -> Input)] = [
                ("media-big", { .media }), ("media-ll", { .lowLatencyMedia }), ("master-big", { .largeMaster }),
            ]
            return inputs.map { name, make in
                let key = "\(name)-\(kind.rawValue)-1460"
                return (key, { map(key, make(), kind, inChunksOf: 1_460) })
            }
        }

    /// Two tracks put beside a master playlist, against the blind edit of the same bytes.
    static func sideload(
        _ key: String, _ input: Input, isCopied: Bool, inChunksOf chunk: Int? = nil, limit: Double?
    ) -> Row {
        let bytes = input.bytes
        let output = OutputBuffer(capacity: 2 * bytes.count)
        let room = output.room
        let slices = SliceList()
        func sideload(inChunksOf size: Int, times: Int) -> UInt64 {
            let count =
                isCopied
                ? try? Sideloading.copied(bytes, inChunksOf: size, into: output, times: times)
                : try? Sideloading.sliced(bytes, inChunksOf: size, to: slices, times: times)
            return count ?? 0
        }
        return Row(
            key: key, work: (isCopied ? "Sideload, copied" : "Sideload, slices") + Self.words(chunk), input: input,
            reference: "blind edit", limit: limit,
            run: { sideload(inChunksOf: chunk ?? bytes.count, times: $0) },
            runInChunks: { sideload(inChunksOf: UnsafeRawBufferPointer.countedChunk, times: $0) },
            runReference: repeating {
                UInt64(Reference.blindEdit(bytes.baseAddress, bytes.count, into: room.baseAddress, room.count))
            },
            fault: {
                let expected = Expected.sideloaded(bytes)
                if let fault = Sideloading.fault(in: bytes, expected: expected, verdict: .multivariant) { return fault }
                guard sideload(inChunksOf: chunk ?? bytes.count, times: 1) == expected.count else {
                    return "what is timed is cut short"
                }
                let isRight = !isCopied || room.prefix(expected.count).elementsEqual(expected)
                return isRight ? nil : "the copy is not the expected one"
            }
        )
    }

    /// The same rewriter on a media playlist, of which it must change nothing, against finding its lines.
    private static func passThrough(_ key: String, _ input: Input, limit: Double?) -> Row {
        let bytes = input.bytes
        let slices = SliceList()
        func passThrough(inChunksOf size: Int, times: Int) -> UInt64 {
            (try? Sideloading.sliced(bytes, inChunksOf: size, to: slices, times: times)) ?? 0
        }
        return Row(
            key: key, work: "Pass through, slices", input: input, reference: "memchr, line by line", limit: limit,
            run: { passThrough(inChunksOf: bytes.count, times: $0) },
            runInChunks: { passThrough(inChunksOf: UnsafeRawBufferPointer.countedChunk, times: $0) },
            runReference: repeating { Reference.lines(bytes.baseAddress, bytes.count) },
            fault: {
                if let fault = Sideloading.fault(in: bytes, expected: Array(bytes), verdict: .media) { return fault }
                let isRight = passThrough(inChunksOf: bytes.count, times: 1) == bytes.count
                return isRight ? nil : "what is timed is cut short"
            }
        )
    }

    /// For the table, how large the chunks are.
    private static func words(_ chunk: Int?) -> String { chunk.map { ", \($0) B" } ?? "" }

    /// Every URI mapped, against finding the lines.
    private static func map(_ key: String, _ input: Input, _ kind: Mapping.Kind, inChunksOf chunk: Int? = nil) -> Row {
        let bytes = input.bytes
        let slices = SliceList()
        func map(inChunksOf size: Int, times: Int) -> UInt64 {
            (try? Mapping.sliced(bytes, kind, inChunksOf: size, to: slices, times: times)) ?? 0
        }
        return Row(
            key: key, work: "URIs mapped: \(kind.rawValue)\(words(chunk))", input: input,
            reference: "memchr, line by line",
            limit: nil,
            run: { map(inChunksOf: chunk ?? bytes.count, times: $0) },
            runInChunks: { map(inChunksOf: UnsafeRawBufferPointer.countedChunk, times: $0) },
            runReference: repeating { Reference.lines(bytes.baseAddress, bytes.count) },
            fault: {
                let expected = Expected.mapped(bytes, kind)
                if let fault = Mapping.fault(in: bytes, kind, expected: expected) { return fault }
                let isRight = map(inChunksOf: chunk ?? bytes.count, times: 1) == expected.count
                return isRight ? nil : "what is timed is cut short"
            }
        )
    }

    /// Every attribute of every tag as ranges, against finding the lines.
    private static func attributes(_ key: String, _ input: Input, limit: Double?) -> Row {
        let bytes = input.bytes
        func digest(inChunksOf size: Int, times: Int) -> UInt64 {
            (try? AttributeRanges.digest(of: bytes, inChunksOf: size, times: times)) ?? 0
        }
        return Row(
            key: key, work: "Attributes as ranges", input: input, reference: "memchr, line by line", limit: limit,
            run: { digest(inChunksOf: bytes.count, times: $0) },
            runInChunks: { digest(inChunksOf: UnsafeRawBufferPointer.countedChunk, times: $0) },
            runReference: repeating { Reference.lines(bytes.baseAddress, bytes.count) },
            fault: {
                let expected = Expected.attributes(of: bytes)
                if let fault = AttributeRanges.fault(in: bytes, expected: expected) { return fault }
                let isRight = digest(inChunksOf: bytes.count, times: 1) == expected.reduce(0) { $0 &+ $1.digest }
                return isRight ? nil : "what is timed comes to other ranges"
            }
        )
    }

    /// The final cue's end in a large file, against the same in a small one.
    private static func finalCue(_ key: String, _ input: Input, against small: Input, limit: Double?) -> Row {
        guard let large = GuardedTail(input.bytes), let small = GuardedTail(small.bytes) else {
            return Row(
                key: key, work: "Final cue's end", input: input, reference: "the same in 10 KB", limit: limit,
                run: { _ in 0 }, runInChunks: { _ in 0 }, runReference: { _ in 0 },
                fault: { "no memory could be mapped to measure in" })
        }
        return Row(
            key: key, work: "Final cue's end", input: input, reference: "the same in 10 KB", limit: limit,
            isLocal: true,
            run: { FinalCue.end(of: large.bytes, times: $0) },
            runInChunks: { FinalCue.end(of: large.bytes, inBlocksOf: 61, times: $0) },
            runReference: { FinalCue.end(of: small.bytes, times: $0) },
            fault: {
                FinalCue.fault(in: large.bytes, expected: Expected.finalCueEnd(of: input.bytes))
                    ?? FinalCue.fault(in: small.bytes, expected: Expected.finalCueEnd(of: Input.smallCues.bytes))
            },
            reach: Reach(
                limit: GuardedTail.readableCount,
                measure: { FinalCue.reach(in: large.bytes, limit: GuardedTail.readableCount) })
        )
    }

    /// A file cut into segments of six seconds, against the same file scanned for its cues.
    private static func segments(_ key: String, _ input: Input, limit: Double?) -> Row {
        let bytes = input.bytes
        let slices = SliceList()
        func segment(inChunksOf size: Int, times: Int) -> UInt64 {
            (try? Segmenting.sliced(bytes, inChunksOf: size, to: slices, times: times)) ?? 0
        }
        return Row(
            key: key, work: "Segments, slices", input: input, reference: "forward scan", limit: limit,
            run: { segment(inChunksOf: bytes.count, times: $0) },
            runInChunks: { segment(inChunksOf: UnsafeRawBufferPointer.countedChunk, times: $0) },
            runReference: { (try? Segmenting.scanned(bytes, times: $0)) ?? 0 },
            fault: {
                let expected = Expected.segments(of: bytes, every: Segmenting.step)
                if let fault = Segmenting.fault(in: bytes, expected: expected) { return fault }
                let isRight = segment(inChunksOf: bytes.count, times: 1) == expected.reduce(0) { $0 + $1.count }
                return isRight ? nil : "what is timed is cut short"
            }
        )
    }
}
