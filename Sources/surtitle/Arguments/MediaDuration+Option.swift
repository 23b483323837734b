internal import ByteScan
internal import M3U8
internal import Sideload

extension MediaDuration {
    /// The seconds that the value of an option spells, `634.567` for instance; above zero.
    init(option: String, _ text: String) throws(Failure) {
        self.init(covering: try DecimalSeconds(option: option, text))
    }
}

extension DecimalSeconds {
    /// The seconds that the value of an option spells, exactly; above zero.
    init(option: String, _ text: String) throws(Failure) {
        guard let seconds = DecimalSeconds(option: text), seconds > .zero else {
            throw .usage("\(option) is \(text), which is no number of seconds above 0, like 634.567")
        }
        self = seconds
    }

    private init?(option text: String) {
        guard !text.utf8.contains(ASCII.comma) else { return nil }
        let value = unsafe Array(text.utf8).withUnsafeBytes { unsafe DecimalSeconds(ByteView($0)) }
        guard let value else { return nil }
        self = value
    }
}
