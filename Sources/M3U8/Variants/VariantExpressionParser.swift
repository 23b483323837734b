internal import ByteScan

/// Reads a ``VariantExpression`` from left to right.
struct VariantExpressionParser {
    private let text: ByteView
    private var reader: ByteReader

    init(_ text: ByteView) {
        self.text = text
        reader = ByteReader(text)
    }

    mutating func comparisons() throws(VariantExpressionError) -> [VariantComparison] {
        var comparisons: [VariantComparison] = []
        while true {
            comparisons.append(try comparison())
            skipSpace()
            if reader.rest.isEmpty { return comparisons }
            guard reader.skip("&&") else { throw error(.conjunction) }
        }
    }

    private func error(_ reason: VariantExpressionError.Reason, before rest: ByteView? = nil) -> VariantExpressionError
    {
        VariantExpressionError(reason, at: text.count - (rest ?? reader.rest).count)
    }

    private mutating func comparison() throws(VariantExpressionError) -> VariantComparison {
        skipSpace()
        let name = reader.bytes(while: Self.isNameByte)
        if name.isEmpty { throw error(.name) }
        skipSpace()
        let relation = try relation()
        skipSpace()
        let rest = reader.rest
        let value = try value()
        if case .text = value, relation.isOrder { throw error(.orderOfText, before: rest) }
        return VariantComparison(name: Array(name), relation: relation, value: value)
    }

    private mutating func relation() throws(VariantExpressionError) -> VariantComparison.Relation {
        if reader.skip("<=") { return .lessOrEqual }
        if reader.skip(">=") { return .greaterOrEqual }
        if reader.skip("==") { return .equal }
        if reader.skip("!=") { return .unequal }
        if reader.skip("<") { return .less }
        if reader.skip(">") { return .greater }
        throw error(.comparison)
    }

    private mutating func value() throws(VariantExpressionError) -> VariantComparison.Value {
        let rest = reader.rest
        if reader.skip("\"") {
            let content = reader.bytes { $0 != ASCII.quote }
            guard reader.skip("\"") else { throw error(.value, before: rest) }
            return .text(StableBytes(Array(content)))
        }
        let value = reader.bytes { !ASCII.isBlank($0) && $0 != ASCII.ampersand && $0 != ASCII.quote }
        if value.isEmpty { throw error(.value) }
        let bytes = StableBytes(Array(value))
        if DecimalNumber(value) != nil { return .number(bytes) }
        return Resolution(value) != nil ? .resolution(bytes) : .text(bytes)
    }

    private mutating func skipSpace() { _ = reader.bytes(while: ASCII.isBlank) }

    private static func isNameByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) && byte < 0x60 || ASCII.isDigit(byte) || byte == ASCII.hyphen
    }
}
