internal import ByteScan
internal import M3U8

// What is looked for in the playlists of a video, line by line, until it is found:
//
//     multivariant   the first variant with video, by RESOLUTION or CODECS; if there is none, the first variant
//     media          the first segment that is no gap: its URI and byte range, the EXT-X-MAP and EXT-X-KEY before it, and the time
//                    of the gaps before it
//
// Only that is remembered, so a playlist of any length takes a few URIs.

/// Looks for the first segment of a media playlist, or the variant of a multivariant one.
struct VideoPlaylist {
    /// What was found.
    enum Found: Equatable {
        case variant([UInt8])
        case segment(FirstSegment)
        case nothing(FetchError.Reason)
    }

    /// What was found; nil while more lines are needed.
    private(set) var found: Found?

    private var hasFirstLine = false
    /// Whether the variant before whose URI the lines are has video; nil if there is no such variant.
    private var hasVideo: Bool?
    private var firstVariant: [UInt8]?

    private var position = DecimalSeconds.zero
    private var duration: DecimalSeconds?
    private var range: ByteRange?
    private var isGap = false
    private var isEncrypted = false
    private var initialization: MediaPart?
    /// Where the range of the segment before ended, and in which resource.
    private var last: MediaPart?

    /// Notes what `line` says.
    mutating func note(_ line: PlaylistLine) {
        guard found == nil else { return }
        if !hasFirstLine {
            hasFirstLine = true
            if PlaylistSignature.matches(line.bytes, isWhole: true) != true { found = .nothing(.notPlaylist) }
            return
        }
        switch line.kind {
        case .uri: noteURI(line)
        case .tag(.streamInf): hasVideo = line.hasVideo
        case .tag(.extInf):
            duration = DecimalSeconds(line.value)
            if duration == nil { found = .nothing(.malformedPlaylist) }
        case .tag(.byteRange): noteRange(line.value.trimmed)
        case .tag(.gap): isGap = true
        case .tag(.key): noteKey(line)
        case .tag(.map): noteInitialization(line)
        default: break
        }
    }

    /// Ends the playlist.
    mutating func finish() {
        guard found == nil else { return }
        if let firstVariant {
            found = .variant(firstVariant)
        } else {
            found = .nothing(hasFirstLine ? .noSegment : .notPlaylist)
        }
    }

    private mutating func noteURI(_ line: PlaylistLine) {
        let uri = line.bytes.trimmed
        if let isVideo = hasVideo {
            hasVideo = nil
            guard let uri = usable(uri, of: line) else { return }
            firstVariant = firstVariant ?? uri
            if isVideo { found = .variant(uri) }
            return
        }
        guard let duration else { return }
        // Where nothing is said, a range begins where that of the segment before has ended (RFC 8216 4.3.2.2).
        guard let uri = usable(uri, of: line) else { return }
        let follows = last?.uri == uri ? last?.range?.upperBound ?? 0 : 0
        let part = MediaPart(uri: uri, range: range?.range(after: follows))
        if range != nil, part.range == nil { return found = .nothing(.malformedPlaylist) }
        if isGap {
            (position, self.duration, range, isGap, last) = (position + duration, nil, nil, false, part)
        } else {
            found = .segment(
                FirstSegment(
                    start: position, segment: part, initialization: initialization, isEncrypted: isEncrypted))
        }
    }

    /// The URI of a line that is needed, or nil, and then nothing will be found.
    private mutating func usable(_ uri: ByteView, of line: PlaylistLine) -> [UInt8]? {
        if line.isTruncated {
            found = .nothing(.malformedPlaylist)
        } else if URIReference(uri).holdsVariable {
            found = .nothing(.variable)
        } else {
            return Array(uri)
        }
        return nil
    }

    private mutating func noteRange(_ text: ByteView) {
        range = ByteRange(text)
        if range == nil { found = .nothing(.malformedPlaylist) }
    }

    private mutating func noteKey(_ line: PlaylistLine) {
        var attributes = line.attributes
        guard let method = attributes.first(named: ByteView("METHOD")) else { return }
        isEncrypted = line.bytes[method.content(in: line.bytes)].hasBytes("AES-", at: 0)
    }

    private mutating func noteInitialization(_ line: PlaylistLine) {
        var (uris, ranges) = (line.attributes, line.attributes)
        guard let attribute = uris.first(named: ByteView("URI")) else { return found = .nothing(.malformedPlaylist) }
        guard let uri = usable(line.bytes[attribute.content(in: line.bytes)], of: line) else { return }
        guard let text = ranges.first(named: ByteView("BYTERANGE")) else {
            return initialization = MediaPart(uri: uri, range: nil)
        }
        // Without an offset it is the resource's beginning (RFC 8216 4.3.2.5).
        guard let range = ByteRange(line.bytes[text.content(in: line.bytes)].trimmed)?.range(after: 0) else {
            return found = .nothing(.malformedPlaylist)
        }
        initialization = MediaPart(uri: uri, range: range)
    }
}
