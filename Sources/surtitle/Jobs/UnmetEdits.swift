internal import ByteScan
internal import M3U8

/// The edits of a request that have met no line so far: to set or drop, no line of their tag; to replace or remove,
/// none with the attribute.
final class UnmetEdits {
    private var edits: [EditRequest.NamedEdit]
    /// The attributes that variants are compared by and that none has had.
    private(set) var attributes: [[UInt8]]

    /// None of `edits` has met a line, and no variant has had one of `attributes`.
    init(_ edits: [EditRequest.NamedEdit], comparing attributes: [[UInt8]] = []) {
        self.edits = edits
        self.attributes = attributes
    }

    /// Whether lines need not be shown to it.
    var isEmpty: Bool { edits.isEmpty && attributes.isEmpty }

    /// The options that ask for them, as messages name them.
    var options: [String] { edits.map { $0.option } }

    /// Forgets the edits that `line` is meant by.
    func note(_ line: SelectedLine) {
        if !attributes.isEmpty, line.kind == .tag(.streamInf) {
            var scanner = line.attributes
            while let attribute = scanner.next() {
                attributes.removeAll { line.bytes[attribute.name].elementsEqual($0) }
            }
        }
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
