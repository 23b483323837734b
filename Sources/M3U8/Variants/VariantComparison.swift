internal import ByteScan
internal import CByteScan

/// One comparison of a ``VariantExpression``.
struct VariantComparison: Sendable {
    enum Relation: Sendable {
        case less, lessOrEqual, greater, greaterOrEqual, equal, unequal

        /// Whether it needs values that can be ordered.
        var isOrder: Bool { self != .equal && self != .unequal }

        /// Whether it holds for a value that comes `order` the one it is compared with.
        func holds(_ order: DecimalNumber.Order) -> Bool {
            switch self {
            case .less: order == .before
            case .lessOrEqual: order != .after
            case .greater: order == .after
            case .greaterOrEqual: order != .before
            case .equal: order == .same
            case .unequal: order != .same
            }
        }
    }

    /// What is compared with.
    enum Value {
        case number(StableBytes)
        case resolution(StableBytes)
        case text(StableBytes)
    }

    let name: StableBytes
    let relation: Relation
    let value: Value
    /// Whether only EXT-X-STREAM-INF has the attribute (RFC 8216 4.3.4.3).
    let isOfStreamsOnly: Bool

    /// What of a comparison is enough for most variants. It costs no reference to be read.
    struct Search: BitwiseCopyable, Sendable {
        let name: AttributeName
        let relation: Relation
        /// The value as a whole number, if it is one of few digits.
        let bound: Int?
        let isOfStreamsOnly: Bool
    }

    init(name: some Collection<UInt8>, relation: Relation, value: Value) {
        self.name = StableBytes(name)
        self.relation = relation
        self.value = value
        switch self.name.view {
        case "FRAME-RATE", "AUDIO", "SUBTITLES", "CLOSED-CAPTIONS": isOfStreamsOnly = true
        default: isOfStreamsOnly = false
        }
    }

    /// Whether the comparison holds for a variant that lacks the attribute.
    var holdsWithout: Bool { relation == .unequal }

    /// Whether it holds for a variant whose attribute is `content`, without quotes.
    func holds(for content: ByteView) -> Bool {
        guard let order = order(of: content) else { return holdsWithout }
        return relation.holds(order)
    }

    /// How `content` stands to the value; nil if the two are of different kinds.
    private func order(of content: ByteView) -> DecimalNumber.Order? {
        switch value {
        case .number(let number):
            guard let right = DecimalNumber(number.view) else { return nil }
            return (DecimalNumber(content) ?? Resolution(content)?.height)?.order(to: right)
        case .resolution(let resolution):
            guard let left = Resolution(content), let right = Resolution(resolution.view) else { return nil }
            let order = left.height.order(to: right.height)
            return order == .same ? left.width.order(to: right.width) : order
        case .text(let text):
            // Which of the two comes first is never asked.
            return content == text.view ? .same : .after
        }
    }
}

extension VariantComparison {
    /// The comparison for a search; nil if the name is too long for one.
    var search: Search? {
        let bound: Int? = if case .number(let number) = value { Search.wholeNumber(in: number.view) } else { nil }
        return AttributeName(name.view).map {
            Search(name: $0, relation: relation, bound: bound, isOfStreamsOnly: isOfStreamsOnly)
        }
    }
}

extension VariantComparison.Search {
    /// Whether the comparison holds for a variant whose attribute is `content`, without quotes; nil if both have to
    /// be looked at in another way.
    func holds(for content: ByteView) -> Bool? {
        guard let bound, let number = Self.wholeNumber(in: content) else { return nil }
        return relation.holds(number < bound ? .before : number == bound ? .same : .after)
    }

    /// The whole number that `bytes` spell, or the height if they spell a size, `1920x1080`; nil for anything else,
    /// and for more than 18 digits.
    fileprivate static func wholeNumber(in bytes: ByteView) -> Int? {
        var number = 0
        var first = 0
        for offset in 0..<bytes.count {
            if let digit = ASCII.digit(bytes[offset]) {
                guard offset &- first < 18 else { return nil }
                number = number &* 10 &+ Int(digit)
            } else {
                guard first == 0, offset > 0, bytes[offset] == UInt8(ascii: "x") else { return nil }
                number = 0
                first = offset &+ 1
            }
        }
        return first < bytes.count ? number : nil
    }
}
