internal import ByteScan
internal import CByteScan

// Attributes that are edited at once.
//
// Where a few attributes are all that is to be edited on the lines of a tag, a kernel finds each in the list, and
// neither are the other attributes split nor is anything decided line by line. A list that it calls odd goes the long
// way.
//
//     bytes     ⏎#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1.4d401e,mp4a.40.2",AUDIO="a"⏎v/1.m3u8⏎
//     found      └ a tag with few edits       value └──────────────────────┘ stop
//
// The first line of a chunk, and those in its last bytes, go the long way too. So a trace, which writes a line at a
// time, is told what is decided.

/// The edit of an attribute that a kernel can find.
struct EditAtOnce: BitwiseCopyable, @unchecked Sendable {
    /// A list is searched once for each attribute, so that more of them go the long way, which splits it once.
    static let most = 4

    let kind: AttributeOperation.Kind
    let name: AttributeName
    /// `,NAME=VALUE`, or `,NAME` if it is removed. The program keeps the bytes.
    let bytes: ByteView

    init?(_ operation: AttributeOperation) {
        guard case .stable(let bytes) = operation.storage, let name = AttributeName(operation.name(in: bytes))
        else { return nil }
        self.kind = operation.kind
        self.name = name
        self.bytes = bytes
    }

    /// `=VALUE` without the `=`.
    var value: ByteView { bytes.suffix(from: name.count &+ 2) }

    /// The item of the attribute, name and value.
    func item(_ found: FoundAttribute) -> Range<Int> { (found.value &- name.count &- 1)..<found.stop }
}

extension PlaylistRewriter {
    /// Edits the line at `start` if few attributes are all that is edited, and tells whether nothing else is to be done
    /// with it.
    @inline(never)
    mutating func editAtOnce(at start: Int, _ cursor: inout OutputCursor, _ sink: Sink) -> Bool {
        let chunk = cursor.view
        guard mode.editing == .edits, let colon = colon(ofSelectedTagAt: start, in: chunk),
            program.plans[matcher.index].isMadeAtOnce
        else { return false }
        let operations = program.plans[matcher.index].operations
        guard operations.count == 1, let edit = program.editsAtOnce[operations.lowerBound] else {
            return editSeveral(operations, colon, lineStart: start, &cursor, sink)
        }
        let found = chunk.findAttribute(edit.name, from: colon)
        guard !found.isOdd, found.lineEnd &- start <= limits.longestLine else { return false }
        switch edit.kind {
        case .set where !found.isThere: append(edit, to: (colon &+ 1)..<found.listEnd, isFirst: true, &cursor, sink)
        case .set, .replace:
            if found.isThere { cursor.replace(found.value..<found.stop, with: edit.value, sink) }
        case .remove:
            guard found.isThere else { break }
            cursor.replace(
                LineEdits.removal(of: edit.item(found), removedTo: colon &+ 1, in: (colon &+ 1)..<found.listEnd),
                with: ByteView(), sink)
        }
        return true
    }

    /// The same for several attributes of the list that begins at `colon`.
    private mutating func editSeveral(
        _ operations: Range<Int>, _ colon: Int, lineStart: Int, _ cursor: inout OutputCursor, _ sink: Sink
    ) -> Bool {
        lineEdits.splices.removeAll()
        var list = (colon &+ 1)..<(colon &+ 1)
        // A bit for each of the operations.
        var missing = 0
        for index in operations {
            guard let edit = program.editsAtOnce[index] else { return false }
            let found = cursor.view.findAttribute(edit.name, from: colon)
            guard !found.isOdd, found.lineEnd &- lineStart <= limits.longestLine else { return false }
            list = list.lowerBound..<found.listEnd
            switch edit.kind {
            case .set where !found.isThere: missing |= 1 &<< (index &- operations.lowerBound)
            case .set, .replace:
                if found.isThere { lineEdits.insert(Splice(found.value..<found.stop, with: edit.value)) }
            case .remove:
                if found.isThere { lineEdits.insert(Splice(edit.item(found), with: ByteView())) }
            }
        }
        let leavesEnd = lineEdits.widenRemovals(in: list)
        // Whether what is left ends in a comma is found out the long way.
        if missing != 0, !leavesEnd { return false }
        for index in 0..<lineEdits.splices.count {
            let splice = lineEdits.splices[index]
            cursor.replace(splice.start..<splice.end, with: splice.bytes, sink)
        }
        let first = missing.trailingZeroBitCount
        while missing != 0 {
            let number = missing.trailingZeroBitCount
            missing &= missing &- 1
            guard let edit = program.editsAtOnce[operations.lowerBound &+ number] else { continue }
            append(edit, to: list, isFirst: number == first, &cursor, sink)
        }
        return true
    }

    /// Appends what is set to the list that lacks it.
    @inline(__always)
    private mutating func append(
        _ edit: EditAtOnce, to list: Range<Int>, isFirst: Bool, _ cursor: inout OutputCursor, _ sink: Sink
    ) {
        let commaIsNeeded =
            !isFirst || !list.isEmpty && cursor.view[list.upperBound &- 1] != ASCII.comma
        if program.plans[matcher.index].appends {
            document.appended.append(at: list.upperBound, commaIsNeeded: commaIsNeeded, to: &cursor, sink)
        } else {
            cursor.forward(upTo: list.upperBound, sink)
            cursor.insert(AppendedAttribute.item(edit.bytes, commaIsNeeded: commaIsNeeded), sink)
        }
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
