/// A playlist read in the plainest way, to be compared with another.
public struct LiveListing: Equatable {
    /// A segment, with the lines before its URI that a rendition must have too.
    public struct Segment: Equatable {
        /// The media sequence number.
        public var number: UInt64
        /// How many EXT-X-DISCONTINUITY there are.
        public var discontinuities = 0
        /// The value of EXT-X-PROGRAM-DATE-TIME.
        public var date: String?
        /// The duration of EXTINF.
        public var duration = ""
        /// The attributes of its parts.
        public var parts: [String] = []
        /// The URI.
        public var uri = ""
    }

    /// The value of EXT-X-MEDIA-SEQUENCE.
    public var first: UInt64 = 0
    /// The value of EXT-X-DISCONTINUITY-SEQUENCE.
    public var discontinuitySequence: UInt64?
    /// Whether there is an EXT-X-ENDLIST.
    public var isEnded = false
    /// The segments.
    public var segments: [Segment] = []
    /// The parts of the segment that is not whole.
    public var openParts: [String] = []
    /// Its date.
    public var openDate: String?
    /// How many EXT-X-DISCONTINUITY stand before it.
    public var openDiscontinuities = 0
    /// The attributes of EXT-X-PRELOAD-HINT.
    public var hint: String?
    /// Lines of the head, sorted.
    public var head: [String] = []
    /// All other lines.
    public var others: [String] = []

    /// What `text` says.
    public init(_ text: String) {
        var segment = Segment(number: 0)
        // A return before the line feed is none of it, and would be one character with it.
        for line in text.unicodeScalars.split(separator: "\n").map({ String($0) }) {
            func value(_ head: String) -> String? { line.hasPrefix(head) ? String(line.dropFirst(head.count)) : nil }
            if let number = value("#EXT-X-MEDIA-SEQUENCE:") {
                first = UInt64(number) ?? .max
            } else if let number = value("#EXT-X-DISCONTINUITY-SEQUENCE:") {
                discontinuitySequence = UInt64(number)
            } else if line == "#EXT-X-DISCONTINUITY" {
                segment.discontinuities += 1
            } else if let date = value("#EXT-X-PROGRAM-DATE-TIME:") {
                segment.date = date
            } else if let duration = value("#EXTINF:") {
                segment.duration = String(duration.prefix { $0 != "," })
            } else if let part = value("#EXT-X-PART:") {
                segment.parts.append(part)
            } else if let text = value("#EXT-X-PRELOAD-HINT:") {
                hint = text
            } else if line == "#EXT-X-ENDLIST" {
                isEnded = true
            } else if ["VERSION", "TARGETDURATION", "PLAYLIST-TYPE", "SERVER-CONTROL", "PART-INF"].contains(where: {
                line.hasPrefix("#EXT-X-\($0):")
            }) {
                head.append(line)
            } else if !line.hasPrefix("#") {
                segment.uri = line
                segment.number = first + UInt64(segments.count)
                segments.append(segment)
                segment = Segment(number: 0)
            } else {
                others.append(line)
            }
        }
        head.sort()
        (openParts, openDate, openDiscontinuities) = (segment.parts, segment.date, segment.discontinuities)
    }
}
