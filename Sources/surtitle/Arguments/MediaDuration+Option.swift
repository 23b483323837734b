internal import ByteScan
internal import Delivery
internal import M3U8
internal import Sideload

extension MediaDuration {
    /// Parses the value of `option`: a time above 0, such as `634.567` or `10:34.567`, rounded up to milliseconds.
    init(option: String, _ text: String) throws(Failure) {
        self.init(covering: try DecimalSeconds(option: option, text))
    }
}

extension DecimalSeconds {
    /// Parses the value of `option`: a time above 0, kept exactly.
    init(option: String, _ text: String) throws(Failure) {
        let time = unsafe Array(text.utf8).withUnsafeBytes { unsafe DecimalSeconds(clock: ByteView($0)) }
        guard let time, time > .zero else {
            throw .usage(
                "\(option) is \(text), which is no number of seconds above 0, like 634.567, and no time, like 10:34.567 "
                    + "or 1:02:03.5")
        }
        self = time
    }
}
