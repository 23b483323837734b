/// Conditions on variants, read by a regular expression and compared digit by digit: an oracle.
public struct NaiveExpression {
    private struct Comparison {
        var name: String
        var sign: String
        var value: [UInt8]
        var isQuoted: Bool
    }

    private enum Order { case before, same, after }

    private var comparisons: [Comparison] = []

    /// The expression that `text` spells, or nil if it is none. It must be ASCII.
    public init?(_ text: String) {
        let comparison = /[ \t]*([A-Z0-9\-]+)[ \t]*(<=|>=|==|!=|<|>)[ \t]*(?:"([^"]*)"|([^ \t&"]+))[ \t]*/
        var rest = text[...]
        while true {
            guard let match = rest.prefixMatch(of: comparison.matchingSemantics(.unicodeScalar)) else { return nil }
            let value = match.3 ?? match.4 ?? ""
            let new = Comparison(
                name: String(match.1), sign: String(match.2), value: Array(value.utf8), isQuoted: match.3 != nil)
            guard ["==", "!="].contains(new.sign) || !new.isQuoted && Self.isOrdered(new.value) else { return nil }
            comparisons.append(new)
            rest = rest[match.range.upperBound...]
            if rest.unicodeScalars.isEmpty { return }
            guard rest.unicodeScalars.starts(with: "&&".unicodeScalars) else { return nil }
            rest = Substring(rest.unicodeScalars.dropFirst(2))
        }
    }

    /// Whether a line of EXT-X-STREAM-INF, or else of another stream, with the attributes of `list` meets the
    /// condition.
    public func holds(for list: [UInt8], isStream: Bool) -> Bool {
        comparisons.allSatisfy { comparison in
            if !isStream, ["FRAME-RATE", "AUDIO", "SUBTITLES", "CLOSED-CAPTIONS"].contains(comparison.name) {
                return true
            }
            let item = NaiveAttributes.items(of: list).first { $0.name == Array(comparison.name.utf8) }
            guard let item, let order = Self.order(of: item.content, to: comparison) else {
                return comparison.sign == "!="
            }
            switch comparison.sign {
            case "<": return order == .before
            case "<=": return order != .after
            case ">": return order == .after
            case ">=": return order != .before
            case "==": return order == .same
            default: return order != .same
            }
        }
    }

    private static func order(of content: [UInt8], to comparison: Comparison) -> Order? {
        if !comparison.isQuoted, isNumber(comparison.value) {
            if isNumber(content) { return order(content, comparison.value) }
            return size(content).map { order($0.height, comparison.value) }
        }
        if !comparison.isQuoted, let size = size(comparison.value) {
            guard let own = self.size(content) else { return nil }
            let byHeight = order(own.height, size.height)
            return byHeight == .same ? order(own.width, size.width) : byHeight
        }
        return content == comparison.value ? .same : .after
    }

    private static func isOrdered(_ value: [UInt8]) -> Bool { isNumber(value) || size(value) != nil }

    private static func isNumber(_ text: [UInt8]) -> Bool {
        let digits = text.filter { (0x30...0x39).contains($0) }.count
        let periods = text.filter { $0 == UInt8(ascii: ".") }.count
        return digits > 0 && periods < 2 && digits + periods == text.count
    }

    private static func size(_ text: [UInt8]) -> (width: [UInt8], height: [UInt8])? {
        guard let cross = text.firstIndex(of: UInt8(ascii: "x")) else { return nil }
        let (width, height) = (Array(text[..<cross]), Array(text[(cross + 1)...]))
        return isNumber(width) && isNumber(height) ? (width, height) : nil
    }

    /// Compares both numbers as text, padded to as many digits before and after the point.
    private static func order(_ left: [UInt8], _ right: [UInt8]) -> Order {
        func parts(_ number: [UInt8]) -> (whole: [UInt8], fraction: [UInt8]) {
            let whole = number.prefix { $0 != UInt8(ascii: ".") }
            return (Array(whole), Array(number.dropFirst(whole.count + 1)))
        }
        let (left, right) = (parts(left), parts(right))
        let wholeCount = max(left.whole.count, right.whole.count)
        let fractionCount = max(left.fraction.count, right.fraction.count)
        func padded(_ number: (whole: [UInt8], fraction: [UInt8])) -> [UInt8] {
            Array(repeating: 0x30, count: wholeCount - number.whole.count) + number.whole + number.fraction
                + Array(repeating: 0x30, count: fractionCount - number.fraction.count)
        }
        let (first, second) = (padded(left), padded(right))
        return first == second ? .same : first.lexicographicallyPrecedes(second) ? .before : .after
    }
}
