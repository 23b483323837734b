internal import ByteScan

/// Reads a ``VariantExpression`` from left to right.
struct VariantExpressionParser {
    private let text: [UInt8]
    private var position = 0

    init(_ text: [UInt8]) { self.text = text }

    mutating func comparisons() throws(VariantExpressionError) -> [VariantComparison] {
        var comparisons: [VariantComparison] = []
        while true {
            comparisons.append(try comparison())
            skipSpace()
            if position == text.count { return comparisons }
            guard consume("&&") else { throw VariantExpressionError(.conjunction, at: position) }
        }
    }

    private mutating func comparison() throws(VariantExpressionError) -> VariantComparison {
        skipSpace()
        let nameStart = position
        while position < text.count, Self.isNameByte(text[position]) { position += 1 }
        guard position > nameStart else { throw VariantExpressionError(.name, at: position) }
        let name = text[nameStart..<position]
        skipSpace()
        let relation = try relation()
        skipSpace()
        let valueStart = position
        let value = try value()
        if case .text = value, relation.isOrder { throw VariantExpressionError(.orderOfText, at: valueStart) }
        return VariantComparison(name: name, relation: relation, value: value)
    }

    private mutating func relation() throws(VariantExpressionError) -> VariantComparison.Relation {
        if consume("<=") { return .lessOrEqual }
        if consume(">=") { return .greaterOrEqual }
        if consume("==") { return .equal }
        if consume("!=") { return .unequal }
        if consume("<") { return .less }
        if consume(">") { return .greater }
        throw VariantExpressionError(.comparison, at: position)
    }

    private mutating func value() throws(VariantExpressionError) -> VariantComparison.Value {
        var start = position
        if consume("\"") {
            start = position
            while position < text.count, text[position] != ASCII.quote { position += 1 }
            let content = text[start..<position]
            guard consume("\"") else { throw VariantExpressionError(.value, at: start - 1) }
            return .text(StableBytes(content))
        }
        while position < text.count, !Self.endsBareValue(text[position]) { position += 1 }
        guard position > start else { throw VariantExpressionError(.value, at: position) }
        let bytes = StableBytes(text[start..<position])
        if DecimalNumber(bytes.view) != nil { return .number(bytes) }
        return Resolution(bytes.view) != nil ? .resolution(bytes) : .text(bytes)
    }

    private mutating func skipSpace() {
        while position < text.count, ASCII.isBlank(text[position]) { position += 1 }
    }

    private mutating func consume(_ token: StaticString) -> Bool {
        let token = ByteView(token)
        guard token.count <= text.count - position else { return false }
        for offset in 0..<token.count where text[position + offset] != token[offset] { return false }
        position += token.count
        return true
    }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "A")...UInt8(ascii: "Z"), ASCII.zero...ASCII.nine, ASCII.hyphen: true
        default: false
        }
    }

    private static func endsBareValue(_ byte: UInt8) -> Bool {
        ASCII.isBlank(byte) || byte == ASCII.ampersand || byte == ASCII.quote
    }
}
