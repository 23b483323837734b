public import M3U8
package import Sideload

/// What an edit does, by the word that asks for it: on the command line with two hyphens before it.
package enum EditVerb: Spelling, ConfigurationWord, Sendable {
    /// `"set": "TAG:NAME=VALUE"`
    case set
    /// `"replace": "TAG:NAME=VALUE"`
    case replace
    /// `"remove": "TAG:NAME"`
    case remove
    /// `"drop": "TAG"`
    case drop
    /// `"append-line": "LINE"`
    case appendLine = "append-line"

    /// How what follows the word is written.
    package var form: StaticString {
        switch self {
        case .set, .replace: "TAG:NAME=VALUE, as in EXT-X-MEDIA:LANGUAGE=\"en\""
        case .remove: "TAG:NAME, as in EXT-X-STREAM-INF:AUDIO"
        case .drop: "TAG, as in EXT-X-MEDIA"
        case .appendLine: "a line, as in #EXT-X-ENDLIST"
        }
    }
}

/// An edit of a playlist as a configuration asks for it: of the lines of a tag, or of the playlist's end.
public enum ConfiguredEdit: Sendable {
    /// Lines of a tag are edited.
    case lines(PlaylistEdit)
    /// A line is appended, without its ending.
    case append([UInt8])

    /// The edit that `verb` and `text` ask for, not checked further; nil if `text` is not of the verb's form.
    ///
    /// A tag may begin with its `#`.
    package init?(_ verb: EditVerb, _ text: [UInt8]) {
        switch verb {
        case .appendLine: self = .append(text)
        case .drop: self = .lines(.drop(Self.tag(text[...])))
        case .remove:
            guard let (tag, name) = Self.cut(text[...], at: UInt8(ascii: ":")) else { return nil }
            self = .lines(.remove(Self.tag(tag), name: Array(name)))
        case .set, .replace:
            guard let (tag, rest) = Self.cut(text[...], at: UInt8(ascii: ":")),
                let (name, value) = Self.cut(rest, at: UInt8(ascii: "="))
            else { return nil }
            self = .lines(
                verb == .set
                    ? .set(Self.tag(tag), name: Array(name), value: Array(value))
                    : .replace(Self.tag(tag), name: Array(name), value: Array(value)))
        }
    }

    /// Checks the edit by itself.
    package func check() throws(PlaylistEditError) {
        switch self {
        case .lines(let edit): try PlaylistEdits.check([edit])
        case .append(let line): try PlaylistEdits.check([], appending: [line])
        }
    }

    private static func tag(_ name: ArraySlice<UInt8>) -> TagSelector {
        TagSelector(spelling: name.first == UInt8(ascii: "#") ? name.dropFirst() : name)
    }

    private static func cut(
        _ text: ArraySlice<UInt8>, at separator: UInt8
    ) -> (before: ArraySlice<UInt8>, after: ArraySlice<UInt8>)? {
        guard let index = text.firstIndex(of: separator) else { return nil }
        return (text[..<index], text[(index + 1)...])
    }
}
