internal import ByteScan

/// A picture's size as RESOLUTION writes it, `1920x1080` (RFC 8216 4.2, decimal-resolution).
struct Resolution {
    let width: DecimalNumber
    let height: DecimalNumber

    /// The size that `bytes` spell, or nil where they are none.
    init?(_ bytes: ByteView) {
        guard let cross = bytes.firstOffset(of: UInt8(ascii: "x")),
            let width = DecimalNumber(bytes.prefix(upTo: cross)),
            let height = DecimalNumber(bytes.suffix(from: cross + 1))
        else { return nil }
        self.width = width
        self.height = height
    }
}
