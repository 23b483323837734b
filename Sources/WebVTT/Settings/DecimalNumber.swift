import ByteScan

/// A decimal number as cue settings write it, and the nearest `Double`.
///
///     ['-'] digits ['.' digits]        (HTML, "rules for parsing floating-point number values", as far as settings go)
///
/// Numbers of at most 15 digits are exact in one division. Any other is kept digit by digit and brought into range by
/// doubling and halving, which is slow and simple; the nearest value is then read off bit by bit.
struct DecimalNumber: ~Copyable {
    /// The digits, each 0 to 9, of a number 0.d₀d₁d₂… times 10 to the `point`; the first one is not 0.
    private var digits = ReusableBuffer<UInt8>()
    private var point = 0

    /// Whether digits that are not 0 have been left out after the last one.
    private var isCut = false

    /// More digits than decide between any two values.
    private static let digitLimit = 800

    /// The nearest `Double` to the number that `text` is, all of it; nil for anything else and for what is too large.
    static func value(_ text: ByteView) -> Double? {
        let isNegative = text.has(ASCII.hyphen, at: 0)
        let start = isNegative ? 1 : 0
        var (mantissa, digitCount, fractionCount): (UInt64, Int, Int?) = (0, 0, nil)
        for offset in start..<max(start, text.count) {
            if let digit = ASCII.digit(text[offset]) {
                if digitCount < 19 { mantissa = mantissa * 10 + UInt64(digit) }
                digitCount += mantissa == 0 ? 0 : 1
                fractionCount = fractionCount.map { $0 + 1 }
            } else {
                let isPoint = text[offset] == ASCII.period && fractionCount == nil && offset > start
                guard isPoint else { return nil }
                fractionCount = 0
            }
        }
        guard text.count > start, fractionCount != 0 else { return nil }
        var magnitude: Double?
        if digitCount <= 15, fractionCount ?? 0 <= 22 {
            magnitude = Double(mantissa) / powerOfTen(fractionCount ?? 0)
        } else {
            var number = DecimalNumber(text[start..<text.count])
            magnitude = number.nearest()
        }
        return magnitude.map { isNegative ? -$0 : $0 }
    }

    /// Exact up to 22.
    private static func powerOfTen(_ exponent: Int) -> Double {
        var power = 1.0
        for _ in 0..<exponent { power *= 10 }
        return power
    }

    private init(_ text: ByteView) {
        var isAfterPoint = false
        for byte in text {
            guard let digit = ASCII.digit(byte) else {
                isAfterPoint = true
                continue
            }
            if digits.isEmpty, digit == 0 {
                if isAfterPoint { point -= 1 }
                continue
            }
            append(digit)
            if !isAfterPoint { point += 1 }
        }
    }

    private mutating func append(_ digit: UInt8) {
        if digits.count < Self.digitLimit {
            digits.append(digit)
        } else if digit != 0 {
            isCut = true
        }
    }

    private mutating func nearest() -> Double? {
        if digits.isEmpty || point < -330 { return 0 }
        if point > 310 { return nil }
        // The number becomes a fraction from 1/2 to 1, times 2 to the `exponent`.
        var exponent = 0
        while point > 0 {
            halve()
            exponent += 1
        }
        while point < 0 || digits[0] < 5 {
            double()
            exponent -= 1
        }
        let bitCount = min(53, exponent + 1074)
        if bitCount < 0 { return 0 }
        var mantissa: UInt64 = 0
        for _ in 0..<bitCount { mantissa = mantissa << 1 | doubleAndRemoveBit() }
        let isHalf = digits.count == 1 && digits[0] == 5 && point == 0 && !isCut
        let isMore = !digits.isEmpty && point == 0 && digits[0] >= 5
        if isHalf ? mantissa & 1 == 1 : isMore { mantissa += 1 }
        let value = Double(sign: .plus, exponent: exponent - bitCount, significand: Double(mantissa))
        return value.isFinite ? value : nil
    }

    /// Doubles the number, and removes and returns the bit before the binary point.
    private mutating func doubleAndRemoveBit() -> UInt64 {
        guard !digits.isEmpty else { return 0 }
        double()
        guard point > 0 else { return 0 }
        // The number was below 1, so the bit is the first digit, and 1.
        digits.removeFirst(1)
        point = 0
        dropZeros()
        return 1
    }

    private mutating func halve() {
        var remainder: UInt8 = 0
        for index in 0..<digits.count {
            let value = remainder * 10 + digits[index]
            digits[index] = value / 2
            remainder = value % 2
        }
        if remainder > 0 { append(5) }
        dropZeros()
    }

    private mutating func double() {
        var carry: UInt8 = 0
        for index in stride(from: digits.count - 1, through: 0, by: -1) {
            let value = digits[index] * 2 + carry
            digits[index] = value % 10
            carry = value / 10
        }
        if carry > 0 {
            insertFirst(carry)
            point += 1
        }
        dropZeros()
    }

    private mutating func insertFirst(_ digit: UInt8) {
        append(0)
        if let last = digits.view.last, last != 0 { isCut = true }
        for index in stride(from: digits.count - 1, to: 0, by: -1) { digits[index] = digits[index - 1] }
        digits[0] = digit
    }

    /// Brings the number back to a first digit that is not 0, and drops zeros at the end.
    private mutating func dropZeros() {
        var first = 0
        while first < digits.count, digits[first] == 0 { first += 1 }
        point = first == digits.count ? 0 : point - first
        digits.removeFirst(first)
        var count = digits.count
        while count > 0, digits[count - 1] == 0 { count -= 1 }
        digits.truncate(to: count)
    }
}
