internal import ByteScan

/// What is to be done with one attribute of a line.
struct AttributeOperation: BitwiseCopyable {
    enum Kind: BitwiseCopyable {
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
    /// Whether the name has been met and the value put there.
    var isDone = false

    /// The name within `bytes`, which are those of `storage`.
    func name(in bytes: ByteView) -> ByteView { bytes[1..<(1 + nameCount)] }

    /// The value within `bytes`, which are those of `storage`.
    func value(in bytes: ByteView) -> ByteView { bytes.suffix(from: 2 + nameCount) }
}

/// An attribute edit as a configuration keeps it: rendered once, used for every line.
struct CompiledAttributeEdit: Sendable {
    let kind: AttributeOperation.Kind
    /// `,NAME=VALUE`, or `,NAME` for a removal.
    let rendered: StableBytes
    let nameCount: Int

    /// The operation that carries the edit out.
    var operation: AttributeOperation {
        AttributeOperation(kind: kind, storage: .stable(rendered.view), nameCount: nameCount)
    }
}
