internal import ByteScan
public import M3U8

/// The media playlist that puts WebVTT files beside a video: one segment for each file, and nothing that changes later.
///
///     #EXTM3U
///     #EXT-X-VERSION:3
///     #EXT-X-TARGETDURATION:635
///     #EXT-X-MEDIA-SEQUENCE:0
///     #EXT-X-PLAYLIST-TYPE:VOD
///     #EXTINF:634.567,
///     https://example.com/en.vtt
///     #EXT-X-ENDLIST
///
/// The target duration is the longest segment's, rounded up to whole seconds (8216bis 4.4.3.1). Durations are in
/// seconds, with three decimals, or with as many as make them exact, nine at most. Lines end in LF.
public struct SubtitlePlaylist: Sendable {
    /// The rendered playlist.
    public let bytes: [UInt8]

    /// How many bytes the rendered playlist has.
    public var byteCount: Int { bytes.count }

    /// Makes a playlist of the one file at `uri`, for media that plays for `duration`.
    ///
    /// - Throws: ``SubtitlePlaylistError``; its segment is 0.
    public init(uri: [UInt8], duration: MediaDuration, options: Options = Options()) throws(SubtitlePlaylistError) {
        try self.init(segments: [Segment(uri: uri, duration: duration)], options: options)
    }

    /// Makes a playlist of the one file at `uri`, for media that plays for `duration`.
    ///
    /// - Throws: ``SubtitlePlaylistError``; its segment is 0.
    public init(uri: String, duration: MediaDuration, options: Options = Options()) throws(SubtitlePlaylistError) {
        try self.init(uri: Array(utf8: uri), duration: duration, options: options)
    }

    /// Makes a playlist of `segments`, in their order.
    ///
    /// - Throws: ``SubtitlePlaylistError`` for the first segment that cannot be written, or if there is none.
    /// - Complexity: O(*n*) for a playlist of *n* bytes.
    public init(segments: [Segment], options: Options = Options()) throws(SubtitlePlaylistError) {
        guard !segments.isEmpty else { throw SubtitlePlaylistError(.noSegments) }
        var text = ReusableBuffer<UInt8>()
        options.writeHead(targetDuration: options.targetDuration ?? Self.targetDuration(of: segments), to: &text)
        for (index, segment) in segments.enumerated() {
            try segment.check(index: index, options.targetDuration)
            segment.write(to: &text, omitsComma: options.omitsComma)
        }
        text.append(ByteView("#EXT-X-ENDLIST\n"))
        if let date = options.programDateTime, date.isEmpty || date.contains(where: ASCII.breaksLine) {
            throw SubtitlePlaylistError(.programDateTime)
        }
        bytes = unsafe Array(text.view.buffer)
    }

    /// In whole seconds, rounded up, since no segment may be longer (8216bis 4.4.3.1); at least 1.
    private static func targetDuration(of segments: [Segment]) -> UInt64 {
        segments.reduce(1) { max($0, $1.duration.secondsRoundedUp) }
    }
}

extension SubtitlePlaylist {
    /// What differs from one subtitle playlist to another.
    ///
    /// If the video playlist has a date or a discontinuity sequence, the subtitle playlist must have the same, and the
    /// same type; unless that is VOD, the same target duration too (8216bis 6.2.4).
    public struct Options: Equatable, Sendable {
        /// The value of EXT-X-PLAYLIST-TYPE (8216bis 4.4.3.5).
        public enum PlaylistType: Equatable, Sendable { case vod, event }

        /// The value of EXT-X-PLAYLIST-TYPE; nil leaves the tag out.
        public var playlistType: PlaylistType?

        /// The value of EXT-X-TARGETDURATION, in seconds. No segment's duration, rounded to the nearest second, may be
        /// longer (8216bis 4.4.3.1). Nil makes it the longest one's, rounded up.
        public var targetDuration: UInt64?

        /// Whether EXTINF goes without the comma after the duration, as some recipes have it; RFC 8216 4.3.2.1 wants
        /// it.
        public var omitsComma: Bool

        /// The value of EXT-X-PROGRAM-DATE-TIME for the first segment, copied as it is; nil leaves the tag out.
        public var programDateTime: [UInt8]?

        /// The value of EXT-X-DISCONTINUITY-SEQUENCE; nil leaves the tag out.
        public var discontinuitySequence: UInt64?

        /// Options with the documented defaults.
        public init(omitsComma: Bool = false, programDateTime: [UInt8]? = nil, discontinuitySequence: UInt64? = nil) {
            playlistType = .vod
            self.omitsComma = omitsComma
            self.programDateTime = programDateTime
            self.discontinuitySequence = discontinuitySequence
        }

        /// Writes the lines before the first segment's.
        fileprivate func writeHead(targetDuration: UInt64, to text: inout ReusableBuffer<UInt8>) {
            text.append(ByteView("#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:"))
            text.append(contentsOf: DecimalDigits(targetDuration))
            text.append(ByteView("\n#EXT-X-MEDIA-SEQUENCE:0\n"))
            if let discontinuitySequence {
                text.append(ByteView("#EXT-X-DISCONTINUITY-SEQUENCE:"))
                text.append(contentsOf: DecimalDigits(discontinuitySequence))
                text.append(ASCII.lineFeed)
            }
            switch playlistType {
            case .vod: text.append(ByteView("#EXT-X-PLAYLIST-TYPE:VOD\n"))
            case .event: text.append(ByteView("#EXT-X-PLAYLIST-TYPE:EVENT\n"))
            case nil: break
            }
            if let programDateTime {
                text.append(ByteView("#EXT-X-PROGRAM-DATE-TIME:"))
                programDateTime.withView { text.append($0) }
                text.append(ASCII.lineFeed)
            }
        }
    }
}

extension SubtitlePlaylist {
    /// One WebVTT file, and how long it plays.
    public struct Segment: Equatable, Sendable {
        /// The file's URI as it stands in the playlist, in UTF-8.
        public let uri: [UInt8]

        /// How long the segment plays; must be above zero.
        public let duration: MediaDuration

        /// Whether a new timeline begins with the segment: EXT-X-DISCONTINUITY stands before it.
        public var isDiscontinuous = false

        /// The line that tells the key from here on, with its line feed: EXT-X-KEY stands before the segment. Empty for
        /// none.
        package var key: [UInt8] = []

        /// A segment of the file at `uri`. Nothing is checked before a playlist is made of it.
        public init(uri: [UInt8], duration: MediaDuration) {
            self.uri = uri
            self.duration = duration
        }

        /// A segment of the file at `uri`. Nothing is checked before a playlist is made of it.
        public init(uri: String, duration: MediaDuration) { self.init(uri: Array(utf8: uri), duration: duration) }

        fileprivate func check(index: Int, _ targetDuration: UInt64?) throws(SubtitlePlaylistError) {
            guard duration > .zero else { throw SubtitlePlaylistError(.noDuration, segment: index) }
            if let targetDuration, duration.secondsRounded > targetDuration {
                throw SubtitlePlaylistError(.longerThanTarget, segment: index)
            }
            guard let first = uri.first else { throw SubtitlePlaylistError(.emptyURI, segment: index) }
            guard first != ASCII.hash else { throw SubtitlePlaylistError(.commentURI, segment: index) }
            // A line break is told rather than a variable before it.
            var variable: Int?
            var previous: UInt8 = 0
            for (position, byte) in uri.enumerated() {
                if ASCII.breaksLine(byte) {
                    throw SubtitlePlaylistError(.lineBreakInURI, segment: index, position: position)
                }
                if byte == ASCII.dollar, previous == ASCII.openingBrace { variable = variable ?? position - 1 }
                previous = byte
            }
            if let variable { throw SubtitlePlaylistError(.variableInURI, segment: index, position: variable) }
        }

        fileprivate func write(to text: inout ReusableBuffer<UInt8>, omitsComma: Bool) {
            if isDiscontinuous { text.append(ByteView("#EXT-X-DISCONTINUITY\n")) }
            key.withView { text.append($0) }
            text.append(ByteView("#EXTINF:"))
            duration.write(to: &text)
            text.append(omitsComma ? ByteView("\n") : ByteView(",\n"))
            uri.withView { text.append($0) }
            text.append(ASCII.lineFeed)
        }
    }
}
