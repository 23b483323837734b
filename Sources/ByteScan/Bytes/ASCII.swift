/// The bytes that the two formats are built from, by name.
public enum ASCII {
    /// Horizontal tab, 0x09.
    public static let tab: UInt8 = 0x09
    /// Line feed, 0x0A.
    public static let lineFeed: UInt8 = 0x0A
    /// Form feed, 0x0C.
    public static let formFeed: UInt8 = 0x0C
    /// Carriage return, 0x0D.
    public static let carriageReturn: UInt8 = 0x0D
    /// Space, 0x20.
    public static let space: UInt8 = 0x20
    /// Double quote, `"`.
    public static let quote: UInt8 = 0x22
    /// Number sign, `#`.
    public static let hash: UInt8 = 0x23
    /// Percent sign, `%`.
    public static let percent: UInt8 = 0x25
    /// Comma, `,`.
    public static let comma: UInt8 = 0x2C
    /// Hyphen-minus, `-`.
    public static let hyphen: UInt8 = 0x2D
    /// Full stop, `.`.
    public static let period: UInt8 = 0x2E
    /// Digit zero, `0`.
    public static let zero: UInt8 = 0x30
    /// Digit nine, `9`.
    public static let nine: UInt8 = 0x39
    /// Colon, `:`.
    public static let colon: UInt8 = 0x3A
    /// Equals sign, `=`.
    public static let equals: UInt8 = 0x3D
    /// Greater-than sign, `>`.
    public static let greaterThan: UInt8 = 0x3E

    /// The value of a decimal digit, 0 to 9, or nil.
    @inlinable @inline(__always)
    public static func digit(_ byte: UInt8) -> UInt8? {
        let value = byte &- zero
        return value <= 9 ? value : nil
    }
}
