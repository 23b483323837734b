public import ByteScan

/// A condition on a variant's attributes: comparisons joined by `&&`, checked once and immutable.
///
///     BANDWIDTH<=3000000 && RESOLUTION>=720
///     VIDEO-RANGE==SDR && CODECS!="hvc1.2.4.L123.B0,mp4a.40.2"
///
/// A comparison is the name of an attribute, one of `< <= > >= == !=`, and a value, bare or in double quotes:
/// - A bare decimal is compared as a number, exactly, whatever its spelling: `30` equals `30.000`.
/// - A bare `WIDTHxHEIGHT` is compared by height, then by width; a decimal is compared with the height of such a value.
/// - Anything else is text, which is equal or not.
///
/// An attribute that a variant lacks, or whose value is of another kind, is unequal to everything: only `!=` holds.
public struct VariantExpression: Sendable {
    let comparisons: [VariantComparison]
    /// The same for searches; nothing if there is none for one of them.
    private let searches: [VariantComparison.Search]

    /// The expression that `text` spells, in UTF-8.
    ///
    /// - Throws: ``VariantExpressionError`` at the first byte that does not fit.
    public init(_ text: [UInt8]) throws(VariantExpressionError) {
        comparisons = try text.withView { text throws(VariantExpressionError) in
            var parser = VariantExpressionParser(text)
            return try parser.comparisons()
        }
        let searches = comparisons.compactMap { $0.search }
        self.searches = searches.count == comparisons.count ? searches : []
    }

    /// The attributes that are compared, in order.
    package var attributeNames: [[UInt8]] { comparisons.map { Array($0.name.view) } }

    /// Whether the variant on `line` meets the condition.
    ///
    /// I-frame and image streams have no FRAME-RATE, AUDIO, SUBTITLES and CLOSED-CAPTIONS (RFC 8216 4.3.4.3):
    /// comparisons of these always hold for them.
    public func holds(for line: SelectedLine) -> Bool {
        let isStream = line.kind == .tag(.streamInf)
        return comparisons.allSatisfy { comparison in
            if !isStream, comparison.isOfStreamsOnly { return true }
            var attributes = line.attributes
            guard let attribute = attributes.first(named: comparison.name.view) else { return comparison.holdsWithout }
            return comparison.holds(for: line.bytes[attribute.content(in: line.bytes)])
        }
    }

    /// Whether the condition is met by what a tag's list says that begins at the colon at `start` of `view`, and
    /// where its line ends. Nil if the list has to be looked at in another way.
    func judge(_ view: ByteView, from start: Int, isStream: Bool) -> (isKept: Bool, lineEnd: Int)? {
        var lineEnd: Int?
        for index in searches.indices {
            let search = searches[index]
            if !isStream, search.isOfStreamsOnly { continue }
            let found = view.findAttribute(search.name, from: start)
            guard !found.isOdd else { return nil }
            var holds = search.relation == .unequal
            if found.isThere {
                let content = view[found.value..<found.stop].withoutQuotes
                holds = search.holds(for: content) ?? comparisons[index].holds(for: content)
            }
            if !holds { return (false, found.lineEnd) }
            lineEnd = found.lineEnd
        }
        return lineEnd.map { (true, $0) }
    }
}

/// An expression was refused.
public struct VariantExpressionError: Error, Equatable, Sendable {
    /// What was expected.
    @nonexhaustive
    public enum Reason: Sendable {
        /// An attribute's name was expected: capital letters, digits and hyphens.
        case name
        /// One of `< <= > >= == !=` was expected.
        case comparison
        /// A value was expected, bare or in quotes that are closed.
        case value
        /// `&&` or the end was expected.
        case conjunction
        /// Text is equal or not; it has no order.
        case orderOfText
    }

    /// What was expected.
    public let reason: Reason
    /// The offset, in bytes of the expression, at which it was expected.
    public let position: Int

    package init(_ reason: Reason, at position: Int) {
        self.reason = reason
        self.position = position
    }
}

extension VariantExpressionError: Described {
    /// What is wrong, in words.
    public var message: Message { "byte \(position): \(reason)" }
}

extension VariantExpressionError.Reason: Described {
    /// What was expected, in words.
    public var message: Message {
        switch self {
        case .name: "expected an attribute's name, such as BANDWIDTH"
        case .comparison: "expected one of < <= > >= == !="
        case .value: "expected a value, bare or in closed double quotes"
        case .conjunction: "expected && or the end"
        case .orderOfText: "text is only equal or not; use == or != or a number"
        }
    }
}
