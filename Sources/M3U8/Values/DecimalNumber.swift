internal import ByteScan

/// A decimal number as attributes write it, `3000000` or `29.970`, of any length (RFC 8216 4.2).
///
/// Numbers are compared digit by digit, so that nothing is rounded and nothing is too large.
struct DecimalNumber {
    /// How one value stands to another.
    enum Order {
        case before, same, after
    }

    /// The digits before the point, without leading zeros.
    private let whole: ByteView
    /// The digits after it, without trailing zeros.
    private let fraction: ByteView

    /// The number that `bytes` spell, or nil if they spell none.
    init?(_ bytes: ByteView) {
        let point = bytes.firstOffset(of: ASCII.period) ?? bytes.count
        var wholeStart = 0
        while wholeStart < point, bytes[wholeStart] == ASCII.zero { wholeStart += 1 }
        let fractionStart = min(point + 1, bytes.count)
        var end = bytes.count
        while end > fractionStart, bytes[end - 1] == ASCII.zero { end -= 1 }
        whole = bytes[wholeStart..<point]
        fraction = bytes[fractionStart..<end]
        guard bytes.count > 1 || bytes.count == 1 && point == 1, whole.allSatisfy(ASCII.isDigit),
            fraction.allSatisfy(ASCII.isDigit)
        else { return nil }
    }

    /// How the number stands to `other`.
    ///
    /// - Complexity: O(*n*) in the digits of the shorter number.
    func order(to other: DecimalNumber) -> Order {
        if whole.count != other.whole.count { return whole.count < other.whole.count ? .before : .after }
        let (left, right) = whole == other.whole ? (fraction, other.fraction) : (whole, other.whole)
        return left == right ? .same : left.lexicographicallyPrecedes(right) ? .before : .after
    }
}

/// A picture's size as RESOLUTION writes it, `1920x1080` (RFC 8216 4.2, decimal-resolution).
struct Resolution {
    let width: DecimalNumber
    let height: DecimalNumber

    /// The size that `bytes` spell, or nil if they spell none.
    init?(_ bytes: ByteView) {
        guard let cross = bytes.firstOffset(of: UInt8(ascii: "x")),
            let width = DecimalNumber(bytes.prefix(upTo: cross)),
            let height = DecimalNumber(bytes.suffix(from: cross + 1))
        else { return nil }
        self.width = width
        self.height = height
    }
}
