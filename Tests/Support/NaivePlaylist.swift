/// A playlist, parsed as plainly as possible (RFC 8216 4.1): an oracle.
public enum NaivePlaylist {
    /// A line with what ends it.
    public struct Line: Sendable {
        /// The line without LF or CRLF. At the end of a text a last CR counts as half a CRLF.
        public var content: [UInt8]
        /// LF, CRLF, the CR of a CRLF cut short, or nothing.
        public var ending: [UInt8]
        /// Where the line begins.
        public var position: Int

        /// The line and its ending.
        public var whole: [UInt8] { content + ending }
        /// The content as text.
        public var text: String { String(decoding: content, as: UTF8.self) }
        /// Whether it is empty, or white space alone.
        public var isBlank: Bool { content.allSatisfy(NaiveAttributes.isSpace) }
        /// Whether it begins with `#EXT`.
        public var isTag: Bool { content.starts(with: Array("#EXT".utf8)) }
        /// Whether it is a URI: neither blank nor begun with `#`.
        public var isURI: Bool { !isBlank && content.first != UInt8(ascii: "#") }

        /// The tag's name without the `#`, up to a colon or the line's end.
        public var tagName: [UInt8]? {
            isTag ? Array(content.dropFirst().prefix { $0 != UInt8(ascii: ":") }) : nil
        }

        /// The tag's value, after the colon, or nil if there is none.
        public var value: [UInt8]? {
            guard isTag, let colon = content.firstIndex(of: UInt8(ascii: ":")) else { return nil }
            return Array(content[(colon + 1)...])
        }

        /// The value as an attribute list: without the white space and the stray CRs at its end.
        public var list: [UInt8] {
            let value = value ?? []
            let end = value.lastIndex { !NaiveAttributes.isSpace($0) && $0 != 0x0D }
            return end.map { Array(value[...$0]) } ?? []
        }
    }

    /// The lines of `text`. A text that ends with a line ending has no line after it.
    public static func lines(of text: [UInt8]) -> [Line] {
        var lines: [Line] = []
        var start = 0
        while start < text.count {
            let lineFeed = text[start...].firstIndex(of: 0x0A)
            var content = Array(text[start..<(lineFeed ?? text.count)])
            var ending: [UInt8] = lineFeed == nil ? [] : [0x0A]
            if content.last == 0x0D {
                content.removeLast()
                ending.insert(0x0D, at: 0)
            }
            lines.append(Line(content: content, ending: ending, position: start))
            start += content.count + ending.count
        }
        return lines
    }

    /// Whether the first line is `#EXTM3U`; a byte order mark may come before it, and white space with any text after
    /// it.
    public static func isPlaylist(_ text: [UInt8]) -> Bool {
        guard var first = lines(of: text).first?.content[...] else { return false }
        if first.starts(with: [0xEF, 0xBB, 0xBF]) { first = first.dropFirst(3) }
        guard first.starts(with: Array("#EXTM3U".utf8)) else { return false }
        return first.dropFirst(7).first.map(NaiveAttributes.isSpace) ?? true
    }

    /// The tags that RFC 8216 4.3.4 and its successors place in multivariant playlists alone.
    public static let multivariantTags = [
        "EXT-X-MEDIA", "EXT-X-STREAM-INF", "EXT-X-I-FRAME-STREAM-INF", "EXT-X-IMAGE-STREAM-INF", "EXT-X-SESSION-DATA",
        "EXT-X-SESSION-KEY", "EXT-X-CONTENT-STEERING",
    ]

    /// The tags that RFC 8216 4.3.2 and 4.3.3 and their successors place in media playlists alone, without EXT-X-ENDLIST:
    /// multivariant playlists of the field end with it.
    public static let mediaTags = [
        "EXTINF", "EXT-X-BYTERANGE", "EXT-X-DISCONTINUITY", "EXT-X-KEY", "EXT-X-MAP", "EXT-X-PROGRAM-DATE-TIME",
        "EXT-X-DATERANGE", "EXT-X-GAP", "EXT-X-BITRATE", "EXT-X-PART", "EXT-X-TARGETDURATION", "EXT-X-MEDIA-SEQUENCE",
        "EXT-X-DISCONTINUITY-SEQUENCE", "EXT-X-PLAYLIST-TYPE", "EXT-X-I-FRAMES-ONLY",
        "EXT-X-PART-INF", "EXT-X-SERVER-CONTROL", "EXT-X-SKIP", "EXT-X-PRELOAD-HINT", "EXT-X-RENDITION-REPORT",
        "EXT-X-IMAGES-ONLY", "EXT-X-TILES",
    ]

    /// What a playlist may turn out to be.
    public enum Verdict: Sendable {
        case undecided, multivariant, media, mixed, notPlaylist

        /// The verdict once `line` has been read.
        public func after(_ line: Line) -> Verdict {
            guard let name = line.tagName.map({ String(decoding: $0, as: UTF8.self) }) else { return self }
            switch self {
            case .undecided where multivariantTags.contains(name): return .multivariant
            case .undecided where mediaTags.contains(name): return .media
            case .multivariant where mediaTags.contains(name): return .mixed
            case .media where multivariantTags.contains(name): return .mixed
            default: return self
            }
        }
    }

    /// The verdict on a whole text.
    public static func verdict(on text: [UInt8]) -> Verdict {
        guard isPlaylist(text) else { return .notPlaylist }
        return lines(of: text).reduce(.undecided) { $0.after($1) }
    }

    /// The verdict that `beginning` allows, whatever comes after it.
    ///
    /// A name is known once its colon or its line feed has come; a CR alone does not tell whether a line feed follows.
    public static func verdict(onBeginning beginning: [UInt8]) -> Verdict {
        var known = lines(of: beginning)
        if let last = known.last, last.ending.last != 0x0A {
            if known.count == 1 { return verdict(onFirstLine: beginning) }
            if !last.isTag || last.value == nil { known.removeLast() }
        }
        guard isPlaylist(beginning) else { return known.isEmpty ? .undecided : .notPlaylist }
        return known.reduce(.undecided) { $0.after($1) }
    }

    /// The same for a first line that is not whole: its first byte that cannot be there decides, or the first that must
    /// be.
    private static func verdict(onFirstLine beginning: [UInt8]) -> Verdict {
        let byteOrderMark: [UInt8] = beginning.first == 0xEF ? [0xEF, 0xBB, 0xBF] : []
        let expected = byteOrderMark + Array("#EXTM3U".utf8)
        guard beginning.count > expected.count else {
            return expected.starts(with: beginning) ? .undecided : .notPlaylist
        }
        let next = beginning[expected.count]
        guard beginning.starts(with: expected) else { return .notPlaylist }
        if NaiveAttributes.isSpace(next) { return .undecided }
        return next == 0x0D && beginning.count == expected.count + 1 ? .undecided : .notPlaylist
    }
}
