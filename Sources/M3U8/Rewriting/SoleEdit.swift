internal import ByteScan
internal import CByteScan

// An attribute that is edited at once.
//
// Where one attribute is all that is to be edited on the lines of a tag, a kernel finds it in the list, and neither
// are the other attributes split nor is anything decided line by line. A list that it calls odd goes the long way.
//
//     bytes     ⏎#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.4d401e,mp4a.40.2",AUDIO="a"⏎v/1.m3u8⏎
//     found      └ a tag with a sole edit      value └──────────────────────┘ stop
//
// The first line of a chunk, and those in its last bytes, go the long way too. So a trace, which writes a line at a
// time, is told what is decided.

/// The edit of one attribute, which is all that is done with the lines of a tag.
struct SoleEdit: BitwiseCopyable, @unchecked Sendable {
    let kind: AttributeOperation.Kind
    let name: AttributeName
    /// `,NAME=VALUE`, or `,NAME` if it is removed. The program keeps the bytes.
    let bytes: ByteView

    /// What `plan` does, if that is one of `operations` alone.
    init?(_ plan: EditPlan, _ operations: [AttributeOperation]) {
        guard plan.observation == .never, !plan.isDropped, plan.operations.count == 1,
            let operation = plan.operations.first.map({ operations[$0] }), case .stable(let bytes) = operation.storage,
            let name = AttributeName(operation.name(in: bytes))
        else { return nil }
        self.kind = operation.kind
        self.name = name
        self.bytes = bytes
    }

    /// `=VALUE` without the `=`.
    var value: ByteView { bytes.suffix(from: name.count &+ 2) }
}

extension PlaylistRewriter {
    /// Edits the line at `start` if one attribute is all that is edited, and tells whether nothing else is to be done
    /// with it.
    @inline(never)
    mutating func editAtOnce(at start: Int, _ cursor: inout OutputCursor, _ sink: Sink) -> Bool {
        let chunk = cursor.view
        guard mode.editing == .edits, let colon = colon(ofSelectedTagAt: start, in: chunk),
            let edit = program.soleEdits[matcher.index]
        else { return false }
        let found = chunk.findAttribute(edit.name, from: colon)
        guard !found.isOdd, found.lineEnd &- start <= limits.longestLine else { return false }
        switch edit.kind {
        case .set where !found.isThere:
            // What is appended instead is counted.
            if program.plans[matcher.index].appends { return false }
            let commaIsNeeded = found.listEnd > colon &+ 1 && chunk[found.listEnd &- 1] != ASCII.comma
            cursor.forward(upTo: found.listEnd, sink)
            cursor.insert(AppendedAttribute.item(edit.bytes, commaIsNeeded: commaIsNeeded), sink)
        case .set, .replace:
            if found.isThere { cursor.replace(found.value..<found.stop, with: edit.value, sink) }
        case .remove:
            guard found.isThere else { break }
            let item = (found.value &- edit.name.count &- 1)..<found.stop
            cursor.replace(
                LineEdits.removal(of: item, removedTo: colon &+ 1, in: (colon &+ 1)..<found.listEnd), with: ByteView(),
                sink)
        }
        return true
    }

    /// Where the colon is after the name of the selected tag whose line is at `start`; nil if there is no such tag,
    /// or if it changes the document's kind.
    @inline(__always)
    mutating func colon(ofSelectedTagAt start: Int, in chunk: ByteView) -> Int? {
        guard chunk.count &- start >= program.tags.lookahead, unsafe matcher.find(chunk, at: start), matcher.isSelected,
            document.kind.after(matcher.tag.scope) == document.kind
        else { return nil }
        let colon = start &+ matcher.tag.prefix.count
        return chunk[colon] == ASCII.colon ? colon : nil
    }
}
