internal import ByteScan
internal import M3U8
internal import Sideload

extension MediaDuration {
    /// Parses the value of `option`: seconds above 0, such as `634.567`, rounded up to milliseconds.
    init(option: String, _ text: String) throws(Failure) {
        self.init(covering: try DecimalSeconds(option: option, text))
    }
}

extension DecimalSeconds {
    /// Parses the value of `option`: seconds above 0, such as `634.567`, kept exactly.
    init(option: String, _ text: String) throws(Failure) {
        let bytes = Array(text.utf8)
        // A comma ends an EXTINF's duration, but not an option's.
        let seconds = unsafe bytes.withUnsafeBytes { unsafe DecimalSeconds(ByteView($0)) }
        guard let seconds, seconds > .zero, !bytes.contains(ASCII.comma) else {
            throw .usage("\(option) is \(text), which is no number of seconds above 0, like 634.567")
        }
        self = seconds
    }
}
