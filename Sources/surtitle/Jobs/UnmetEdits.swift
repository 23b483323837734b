internal import ByteScan
internal import M3U8

/// The edits of a request that have met no line so far: to set or drop, no line of their tag; to replace or remove, none with the
/// attribute.
final class UnmetEdits {
    private var edits: [EditRequest.NamedEdit]

    init(_ edits: [EditRequest.NamedEdit]) { self.edits = edits }

    var isEmpty: Bool { edits.isEmpty }

    /// The options that ask for them, as messages name them.
    var options: [String] { edits.map { $0.option } }

    /// Forgets the edits that `line` is meant by.
    func note(_ line: SelectedLine) {
        if !edits.isEmpty, line.kind != .uri { edits.removeAll { Self.meets($0.edit, line) } }
    }

    private static func meets(_ edit: PlaylistEdit, _ line: SelectedLine) -> Bool {
        guard line.name.elementsEqual(edit.tag.spelling) else { return false }
        switch edit {
        case .set, .drop: return true
        case .replace(_, let name, _), .remove(_, let name):
            var attributes = line.attributes
            while let attribute = attributes.next() {
                if line.bytes[attribute.name].elementsEqual(name) { return true }
            }
            return false
        }
    }
}
