package import ByteScan

/// The attribute that lines which lack it get at the end of their list, and the one rule of how an item gets there.
package struct AppendedAttribute: BitwiseCopyable, @unchecked Sendable {
    /// The attribute as `,NAME=VALUE`. A program, or whoever owns the handler that sets them, keeps the bytes.
    package var bytes: ByteView
    /// How many bytes the name has.
    let nameLength: Int
    /// How many lines have got it.
    package internal(set) var uses = 0

    init(_ bytes: ByteView = ByteView(), nameLength: Int = 0) {
        self.bytes = bytes
        self.nameLength = nameLength
    }

    /// Appends the attribute to the list that ends at `end`.
    @inline(__always)
    mutating func append(
        at end: Int, listIsEmpty: Bool, to cursor: inout OutputCursor, _ sink: OutputCursor.Sink
    ) {
        unsafe cursor.uncheckedForward(upTo: end, sink)
        cursor.insert(Self.item(bytes, listIsEmpty: listIsEmpty), sink)
        uses &+= 1
    }

    /// What is written of `,NAME=VALUE`: the comma stays away if nothing comes before it in the list.
    @inline(__always)
    static func item(_ bytes: ByteView, listIsEmpty: Bool) -> ByteView { listIsEmpty ? bytes.suffix(from: 1) : bytes }
}
