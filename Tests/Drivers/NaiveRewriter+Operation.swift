import M3U8
import Support

extension NaiveRewriter.Operation {
    /// The same as an edit of the library's.
    public func edit(of tag: String) -> PlaylistEdit {
        let tag = TagSelector(spelling: tag.utf8)
        return switch self {
        case .set(let name, let value): .set(tag, name, to: value)
        case .replace(let name, let value): .replace(tag, name, with: value)
        case .remove(let name): .remove(tag, name)
        }
    }

    /// The same as a handler's decision.
    public func decide(_ edits: inout LineEdits) {
        switch self {
        case .set(let name, let value): edits.set(name.utf8, to: value.utf8)
        case .replace(let name, let value): edits.replace(name.utf8, with: value.utf8)
        case .remove(let name): edits.remove(name.utf8)
        }
    }
}
