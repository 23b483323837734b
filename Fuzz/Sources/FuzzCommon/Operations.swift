import M3U8
import Support

extension Choices {
    /// Up to `largest` changes of attributes, of few names, so that some meet.
    mutating func operations(upTo largest: Int) -> [NaiveRewriter.Operation] {
        (0..<number(upTo: largest)).map { _ in
            let byte = Int(byte())
            let name = Self.names[byte / 3 % Self.names.count]
            let value = Self.values[byte / 3 / Self.names.count % Self.values.count]
            switch byte % 3 {
            case 0: return .set(name: name, value: value)
            case 1: return .replace(name: name, value: value)
            default: return .remove(name: name)
            }
        }
    }

    private static let names = ["SUBTITLES", "A", "BANDWIDTH", "X-SUBTITLES", "CODECS", "URI"]
    private static let values = ["\"x\"", "1", "\"a,b=c\"", "\"\"", "\"longer than what was there before, by far\""]
}

extension NaiveRewriter.Operation {
    /// The same as an edit of the library's.
    func edit(of tag: String) -> PlaylistEdit {
        let tag = TagSelector(spelling: tag.utf8)
        return switch self {
        case .set(let name, let value): .set(tag, name, to: value)
        case .replace(let name, let value): .replace(tag, name, with: value)
        case .remove(let name): .remove(tag, name)
        }
    }

    /// The same as a handler's decision.
    func decide(_ edits: inout LineEdits) {
        switch self {
        case .set(let name, let value): edits.set(name.utf8, to: value.utf8)
        case .replace(let name, let value): edits.replace(name.utf8, with: value.utf8)
        case .remove(let name): edits.remove(name.utf8)
        }
    }
}

extension SliceLog {
    mutating func take(_ slice: OutputSlice) {
        switch slice.source {
        case .chunk(let range): take(slice.bytes, chunkRange: range)
        case .library: take(slice.bytes, chunkRange: nil)
        }
    }
}

extension NaivePlaylist.Verdict {
    init(_ verdict: PlaylistVerdict) {
        self =
            switch verdict {
            case .undecided: .undecided
            case .multivariant: .multivariant
            case .media: .media
            case .mixed: .mixed
            case .notPlaylist: .notPlaylist
            }
    }
}
