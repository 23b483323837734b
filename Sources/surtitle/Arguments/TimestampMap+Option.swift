internal import ByteScan
internal import Delivery
internal import WebVTT

extension TimestampMap {
    /// Parses the value of `option`: `MPEGTS`, or `MPEGTS:LOCAL` with a cue time as WebVTT writes it.
    init(option: String, _ text: String) throws(Failure) {
        let bytes = Array(text.utf8)
        do throws(TimestampMapFault) {
            self = try unsafe bytes.span.bytes.withUnsafeBytes { (bytes) throws(TimestampMapFault) in
                try unsafe TimestampMap(spelling: ByteView(bytes))
            }
        } catch {
            throw switch error {
            case .ticks:
                .usage("\(option) is \(text), which begins with no number of 90 kHz ticks below 2 to the 33rd")
            case .local: .usage("\(option) is \(text), in which no time like 00:00:10.000 follows the first colon")
            }
        }
    }
}
