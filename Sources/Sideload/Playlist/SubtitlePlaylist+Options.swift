extension SubtitlePlaylist {
    /// What may be different from one subtitle playlist to another.
    ///
    /// A video playlist's date and discontinuity sequence, where it has them, have to be the subtitle playlist's too
    /// (8216bis 6.2.4).
    public struct Options: Equatable, Sendable {
        /// Whether EXTINF goes without the comma behind the duration, as some recipes have it; RFC 8216 4.3.2.1 wants it.
        public var omitsComma: Bool

        /// The value of EXT-X-PROGRAM-DATE-TIME for the first segment, copied as it is; nil leaves the tag out.
        public var programDateTime: [UInt8]?

        /// The value of EXT-X-DISCONTINUITY-SEQUENCE; nil leaves the tag out.
        public var discontinuitySequence: UInt64?

        /// The options given, the usual ones where nothing is.
        public init(
            omitsComma: Bool = false, programDateTime: [UInt8]? = nil, discontinuitySequence: UInt64? = nil
        ) {
            self.omitsComma = omitsComma
            self.programDateTime = programDateTime
            self.discontinuitySequence = discontinuitySequence
        }
    }
}
