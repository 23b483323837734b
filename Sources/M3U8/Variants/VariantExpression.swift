internal import ByteScan

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
    /// - Throws: ``VariantExpressionError``, with the position of the byte at which something else was expected.
    public init(_ text: [UInt8]) throws(VariantExpressionError) {
        var parser = VariantExpressionParser(text)
        comparisons = try parser.comparisons()
    }

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

/// Why an expression was refused; the position is that of a byte of the expression.
public enum VariantExpressionError: Error, Equatable {
    /// An attribute's name was expected: capital letters, digits and hyphens.
    case name(position: Int)
    /// One of `< <= > >= == !=` was expected.
    case comparison(position: Int)
    /// A value was expected, bare or in quotes that are closed.
    case value(position: Int)
    /// `&&` or the end was expected.
    case conjunction(position: Int)
    /// Text is equal or not; it has no order.
    case orderOfText(position: Int)
}

#if !hasFeature(Embedded)
extension VariantExpressionError: CustomStringConvertible {
    /// What is wrong, in words.
    public var description: String {
        switch self {
        case .name(let position): "byte \(position): expected an attribute's name, such as BANDWIDTH"
        case .comparison(let position): "byte \(position): expected one of < <= > >= == !="
        case .value(let position): "byte \(position): expected a value, bare or in closed double quotes"
        case .conjunction(let position): "byte \(position): expected && or the end"
        case .orderOfText(let position): "byte \(position): text is only equal or not; use == or != or a number"
        }
    }
}
#endif
