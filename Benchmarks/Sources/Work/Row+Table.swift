import CReference
import Inputs

extension Row {
    /// Every row, made only when it is asked for.
    public static let table: [(key: String, make: @Sendable () -> Row)] = [
        ("master-big-copied", { sideload("master-big-copied", .largeMaster, isCopied: true, limit: 0.75) }),
        ("master-small-copied", { sideload("master-small-copied", .smallMaster, isCopied: true, limit: 0.75) }),
        ("master-big-sliced", { sideload("master-big-sliced", .largeMaster, isCopied: false, limit: 0.45) }),
        ("master-small-sliced", { sideload("master-small-sliced", .smallMaster, isCopied: false, limit: 0.45) }),
        ("media-big-sliced", { passThrough("media-big-sliced", .media, limit: 0.35) }),
        ("media-ll-sliced", { passThrough("media-ll-sliced", .lowLatencyMedia, limit: nil) }),
        ("master-big-attributes", { attributes("master-big-attributes", .largeMaster, limit: 5.0) }),
        ("final-cue", { finalCue("final-cue", .largeCues, against: .smallCues, limit: 1.5) }),
    ]

    /// Two tracks put beside a master playlist, against the blind edit of the same bytes.
    private static func sideload(_ key: String, _ input: Input, isCopied: Bool, limit: Double?) -> Row {
        let bytes = input.bytes
        let output = OutputBuffer(capacity: 2 * bytes.count)
        let room = output.room
        let slices = SliceList()
        return Row(
            key: key, work: isCopied ? "Sideload, copied" : "Sideload, slices", input: input, reference: "blind edit",
            limit: limit,
            run: {
                isCopied
                    ? Sideloading.copied(bytes, into: output, times: $0)
                    : Sideloading.sliced(bytes, to: slices, times: $0)
            },
            runReference: repeating {
                UInt64(Reference.blindEdit(bytes.baseAddress, bytes.count, into: room.baseAddress, room.count))
            },
            fault: { Sideloading.fault(in: bytes, expected: Expected.sideloaded(bytes)) }
        )
    }

    /// The same rewriter on a media playlist, of which it must change nothing, against finding its lines.
    private static func passThrough(_ key: String, _ input: Input, limit: Double?) -> Row {
        let bytes = input.bytes
        let slices = SliceList()
        return Row(
            key: key, work: "Pass through, slices", input: input, reference: "memchr, line by line", limit: limit,
            run: { Sideloading.sliced(bytes, to: slices, times: $0) },
            runReference: repeating { Reference.lines(bytes.baseAddress, bytes.count) },
            fault: { Sideloading.fault(in: bytes, expected: Array(bytes)) }
        )
    }

    /// Every attribute of every tag as ranges, against finding the lines.
    private static func attributes(_ key: String, _ input: Input, limit: Double?) -> Row {
        let bytes = input.bytes
        return Row(
            key: key, work: "Attributes as ranges", input: input, reference: "memchr, line by line", limit: limit,
            run: { AttributeRanges.digest(of: bytes, times: $0) },
            runReference: repeating { Reference.lines(bytes.baseAddress, bytes.count) },
            fault: { AttributeRanges.fault(in: bytes, expected: Expected.attributes(of: bytes)) }
        )
    }

    /// The final cue's end in a large file, against the same in a small one.
    private static func finalCue(_ key: String, _ input: Input, against small: Input, limit: Double?) -> Row {
        guard let large = GuardedTail(input.bytes), let small = GuardedTail(small.bytes) else {
            return Row(
                key: key, work: "Final cue's end", input: input, reference: "the same in 10 KB", limit: limit,
                run: { _ in 0 },
                runReference: { _ in 0 }, fault: { "no memory could be mapped to measure in" })
        }
        return Row(
            key: key, work: "Final cue's end", input: input, reference: "the same in 10 KB", limit: limit,
            isLocal: true,
            run: { FinalCue.end(of: large.bytes, times: $0) },
            runReference: { FinalCue.end(of: small.bytes, times: $0) },
            fault: {
                FinalCue.fault(in: large.bytes, expected: Expected.finalCueEnd(of: input.bytes))
                    ?? FinalCue.fault(in: small.bytes, expected: Expected.finalCueEnd(of: Input.smallCues.bytes))
            }
        )
    }
}
