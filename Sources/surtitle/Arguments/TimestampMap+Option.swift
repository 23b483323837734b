internal import ByteScan
internal import Delivery
internal import WebVTT

extension TimestampMap {
    /// Parses the value of `option`: `MPEGTS`, or `MPEGTS:LOCAL` with a cue time as WebVTT writes it.
    init(option: String, _ text: String) throws(Failure) {
        let bytes = Array(text.utf8)
        do throws(TimestampMapFault) {
            self = try unsafe bytes.withUnsafeBufferPointer { (elements) throws(TimestampMapFault) in
                try unsafe TimestampMap(spelling: ByteView(UnsafeRawBufferPointer(elements)))
            }
        } catch {
            throw switch error {
            case .ticks:
                .usage(
                    "\(option) is \(text), which begins with no number of 90 kHz ticks below 2 to the 33rd; write "
                        + "auto, none or MPEGTS[:LOCAL], like 126000 or 900000:00:00:10.000")
            case .local: .usage("\(option) is \(text), in which no time like 00:00:10.000 follows the first colon")
            }
        }
    }
}
