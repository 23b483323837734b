extension Segmenter {
    /// How much a segmenter may hold and hand out. Past a limit a ``SegmenterError`` is thrown.
    public struct Limits: Equatable, Sendable {
        /// The most bytes a block may have: a cue, a note, a style sheet, a region, or the header. 1 MiB unless said
        /// otherwise.
        ///
        /// A longer one is an error and not skipped, because it may be a cue. Twice as much is carried, see
        /// ``CueLimits``.
        public let largestBlock: Int

        /// The most bytes of timestamp map, styles and regions, which every segment repeats. 64 KiB unless said
        /// otherwise.
        public let head: Int

        /// The most bytes of cues that go on in the next segment, each counted once. 1 MiB unless said otherwise.
        ///
        /// As many bytes may have the cues that never show and wait for content to go on to their start.
        /// It does not count for `segment(_:_:)`, which keeps no copies.
        public let spanningCues: Int

        /// The most segments. 100 000 unless said otherwise, more than a day of one second each.
        ///
        /// It bounds what a cue can cause that ends in a thousand years.
        public let segments: Int

        /// The most bytes that are written again in later segments, in all of them together. 64 MiB unless said
        /// otherwise.
        ///
        /// Every segment but the first repeats the head, and the cues that go on in it. What is written once never
        /// counts, so all segments together are no longer than the file, this, and a few bytes a segment and a cue.
        public let repeatedBytes: Int

        /// Limits with the documented defaults; each is at least 1, and those of bytes are at most 1 GiB, but 1 EiB for
        /// what is repeated, and 256 MiB where a number has 32 bits.
        public init(
            largestBlock: Int = 1 << 20, head: Int = 64 << 10, spanningCues: Int = 1 << 20, segments: Int = 100_000,
            repeatedBytes: Int = 64 << 20
        ) {
            self.largestBlock = min(max(largestBlock, 1), 1 << 30)
            self.head = min(max(head, 1), 1 << 30)
            self.spanningCues = min(max(spanningCues, 1), 1 << 30)
            self.segments = max(segments, 1)
            self.repeatedBytes = min(max(repeatedBytes, 1), Int.max / 8 + 1)
        }
    }
}
