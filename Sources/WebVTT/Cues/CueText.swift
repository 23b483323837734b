public import ByteScan

/// Some lines of a file as they stand in it, decoded only when somebody asks.
///
/// The bytes are valid during the call that hands them out.
@safe
@frozen
public struct CueText {
    /// The lines with the terminators between them, and none after the last.
    public let bytes: ByteView

    @inlinable @inline(__always)
    init(_ bytes: ByteView) { self.bytes = bytes.withoutLineEnd }

    /// Whether there is no line.
    @inlinable public var isEmpty: Bool { bytes.isEmpty }

    /// Calls `body` with each line, without its terminator, in order.
    public func forEachLine(_ body: (ByteView) -> Void) { bytes.forEachLine { body(bytes[$0]) } }

    /// The text as the format decodes it: lines joined by a line feed, and U+FFFD in place of NUL and of invalid UTF-8
    /// (W3C WebVTT, section 6.1, steps 1 to 3).
    public var string: String { String(decoding: normalized, as: UTF8.self) }

    /// The bytes with line feeds as terminators and U+FFFD in place of NUL; invalid UTF-8 is kept.
    private var normalized: [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        var isAfterReturn = false
        for byte in bytes {
            switch byte {
            case ASCII.lineFeed where isAfterReturn: break
            case ASCII.carriageReturn, ASCII.lineFeed: text.append(ASCII.lineFeed)
            case 0: text += [0xEF, 0xBF, 0xBD]
            default: text.append(byte)
            }
            isAfterReturn = byte == ASCII.carriageReturn
        }
        return text
    }
}
