package import ByteScan

/// The attribute that lines which lack it get at the end of their list, and the one rule of how an item gets there.
package struct AppendedAttribute: BitwiseCopyable, @unchecked Sendable {
    /// The attribute as `,NAME=VALUE`. A program, or whoever owns the handler that sets them, keeps the bytes.
    package var bytes: ByteView
    /// How many bytes the name has.
    let nameLength: Int
    /// How many lines have got it.
    package internal(set) var uses = 0
    /// The attribute, as `bytes` and with a value in quotes, that lines may have in its place: nothing is done with
    /// those, and the handler that has set this needs to see none of them. Nothing if there is none.
    package var known = ByteView()
    /// How many lines had that.
    package internal(set) var knownUses = 0

    package init(_ bytes: ByteView = ByteView(), nameLength: Int = 0) {
        self.bytes = bytes
        self.nameLength = nameLength
    }

    /// Appends the attribute to the list that ends at `end`, with the comma before it if one is needed.
    @inline(__always)
    mutating func append(
        at end: Int, commaIsNeeded: Bool, to cursor: inout OutputCursor, _ sink: OutputCursor.Sink
    ) {
        unsafe cursor.uncheckedForward(upTo: end, sink)
        cursor.insert(Self.item(bytes, commaIsNeeded: commaIsNeeded), sink)
        uses &+= 1
    }

    /// What is written of `,NAME=VALUE`.
    ///
    /// The comma stays away if the list is empty, and if it ends in a comma: players lose the attribute after an empty
    /// item.
    @inline(__always)
    static func item(_ bytes: ByteView, commaIsNeeded: Bool) -> ByteView {
        commaIsNeeded ? bytes : bytes.suffix(from: 1)
    }
}
