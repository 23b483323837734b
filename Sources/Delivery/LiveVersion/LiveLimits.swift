/// How much a channel holds and takes. What is below 1 counts as 1.
public struct LiveLimits: Equatable, Sendable {
    /// The longest playlist in bytes. 4 MiB unless said otherwise.
    public let playlist: Int

    /// The most segments of a playlist. 100 000 unless said otherwise: a week of 6 s each.
    public let segments: Int

    /// The most parts of a playlist. 4096 unless said otherwise.
    public let parts: Int

    /// The most bytes that are kept of lines: durations and dates that are written in unusual ways, tags of the head.
    /// 64 KiB unless said otherwise.
    public let text: Int

    /// The most bytes of a saved state. 4 MiB unless said otherwise.
    public let state: Int

    /// Limits with the documented defaults.
    public init(
        playlist: Int = 4 << 20, segments: Int = 100_000, parts: Int = 4096, text: Int = 64 << 10, state: Int = 4 << 20
    ) {
        self.playlist = max(playlist, 1)
        self.segments = max(segments, 1)
        self.parts = max(parts, 1)
        self.text = max(text, 1)
        self.state = max(state, 1)
    }
}
