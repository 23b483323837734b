import ByteScan
import CReference
import Delivery
import Inputs
import WebVTT

extension Row {
    /// The next version of a live playlist taken, and a rendition written, against finding the lines.
    static func live(_ key: String, _ input: Input, limit: Double?) -> Row {
        let bytes = input.bytes
        let following = Following(bytes)
        return Row(
            key: key, work: "Live: a version, a rendition", input: input, reference: "memchr, line by line",
            limit: limit, run: following.follow(times:), runInChunks: following.follow(times:),
            runReference: repeating { Reference.lines(bytes.baseAddress, bytes.count) }, fault: following.fault)
    }

    /// The same version of a live playlist taken again, against copying it.
    static func liveAgain(_ key: String, _ input: Input, limit: Double?) -> Row {
        let bytes = input.bytes
        let output = OutputBuffer(capacity: bytes.count)
        let room = output.room
        let following = Following(bytes)
        return Row(
            key: key, work: "Live: the same version again", input: input, reference: "memcpy", limit: limit,
            run: following.takeAgain(times:), runInChunks: following.takeAgain(times:),
            runReference: repeating { Reference.copy(bytes.baseAddress, bytes.count, into: room.baseAddress) },
            fault: { following.takeAgain(times: 3) == 3 ? nil : "it is not known again" })
    }

    /// Segments of six seconds out of a whole file, one after the other, against the same of a small file.
    static func liveSegment(_ key: String, _ input: Input, against small: Input, limit: Double?) -> Row {
        guard let index = try? CueIndex(Array(input.bytes)), let other = try? CueIndex(Array(small.bytes)) else {
            return Row(
                key: key, work: "Live: a segment", input: input, reference: "the same of 10 KB", limit: limit,
                run: { _ in 0 }, runInChunks: { _ in 0 }, runReference: { _ in 0 }, fault: { "no index" })
        }
        return Row(
            key: key, work: "Live: a segment", input: input, reference: "the same of 10 KB", limit: limit,
            isLocal: true, run: { Segmenting.spans(of: index, times: $0) },
            runInChunks: { Segmenting.spans(of: index, times: $0) },
            runReference: { Segmenting.spans(of: other, times: $0) },
            fault: { Segmenting.fault(of: index, expected: Expected.segments(of: input.bytes, every: Segmenting.step)) }
        )
    }
}
