internal import ByteScan

/// What is to be done with one attribute of a line.
///
/// It may cross threads in a configuration, which keeps the bytes it points to alive and never changes them.
struct AttributeOperation: BitwiseCopyable, @unchecked Sendable {
    enum Kind: Int, BitwiseCopyable {
        case set
        case replace
        case remove
    }

    /// Where `,NAME=VALUE` (or `,NAME` for a removal) is kept.
    enum Storage: BitwiseCopyable {
        /// In a configuration that outlives the line.
        case stable(ByteView)
        /// In the line's scratch memory, at these offsets.
        case scratch(start: Int, count: Int)
    }

    let kind: Kind
    let storage: Storage
    let nameCount: Int
    /// Whether the attribute has been found on the line.
    var isFound = false

    /// The name within `bytes`, which are those of `storage`.
    func name(in bytes: ByteView) -> ByteView { bytes[1..<(1 + nameCount)] }

    /// The value within `bytes`, which are those of `storage`.
    func value(in bytes: ByteView) -> ByteView { bytes.suffix(from: 2 + nameCount) }
}
