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

    /// The expression that `text` spells, in UTF-8.
    ///
    /// - Throws: ``VariantExpressionError`` at the first byte that does not fit.
    public init(_ text: [UInt8]) throws(VariantExpressionError) {
        comparisons = try text.withView { text throws(VariantExpressionError) in
            var parser = VariantExpressionParser(text)
            return try parser.comparisons()
        }
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
