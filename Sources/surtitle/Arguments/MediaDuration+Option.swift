internal import ByteScan
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
    ///
    ///     634.567     634.567s
    ///     10:34.567   1:02:03.5   minutes and seconds have two digits after a colon, and are below 60
    init(option: String, _ text: String) throws(Failure) {
        guard let time = Self.time(text), time > .zero else {
            throw .usage(
                "\(option) is \(text), which is no number of seconds above 0, like 634.567, and no time, like 10:34.567 "
                    + "or 1:02:03.5")
        }
        self = time
    }

    private static func time(_ text: String) -> DecimalSeconds? {
        var fields = text.pieces(at: ":")
        let last = fields.removeLast()
        guard !fields.isEmpty else {
            return seconds(last.utf8.last == UInt8(ascii: "s") ? String(last.dropLast()) : last)
        }
        guard fields.count <= 2, isBelow60(last.cut(at: ".")?.before ?? last),
            fields.dropFirst().allSatisfy(isBelow60)
        else { return nil }
        var minutes: UInt64 = 0
        for field in fields {
            guard let number = UInt64(field), field.utf8.first != UInt8(ascii: "+") else { return nil }
            let product = minutes.multipliedReportingOverflow(by: 60)
            let sum = product.partialValue.addingReportingOverflow(number)
            if product.overflow || sum.overflow { return .max }
            minutes = sum.partialValue
        }
        let product = minutes.multipliedReportingOverflow(by: 60_000_000_000)
        return seconds(last).map { $0 + DecimalSeconds(nanoseconds: product.overflow ? .max : product.partialValue) }
    }

    private static func seconds(_ text: String) -> DecimalSeconds? {
        let bytes = Array(text.utf8)
        // A comma ends an EXTINF's duration, but not an option's.
        guard !bytes.contains(ASCII.comma) else { return nil }
        return unsafe bytes.withUnsafeBytes { unsafe DecimalSeconds(ByteView($0)) }
    }

    private static func isBelow60(_ field: String) -> Bool {
        field.utf8.count == 2 && field.utf8.allSatisfy { ASCII.digit($0) != nil } && field < "60"
    }
}
