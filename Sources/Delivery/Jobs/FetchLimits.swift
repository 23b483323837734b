/// How much a fetch asks for, holds and reads, whatever origins answer. What is below 1 counts as 1.
public struct FetchLimits: Equatable, Sendable {
    /// How many bytes of a file's end are asked for first to learn its duration. 16 KiB unless said otherwise.
    ///
    /// If they do not tell, four times as many before them are asked for, and once more; then the whole file.
    public let tail: Int

    /// The longest range of a file that is asked for to learn its duration, and held until it is there. 256 KiB unless
    /// said otherwise.
    public let block: Int

    /// The longest file of subtitles, before and after its conversion. 16 MiB unless said otherwise.
    public let file: Int

    /// The longest playlist, of subtitles or of video. 4 MiB unless said otherwise.
    public let playlist: Int

    /// The most that is read of a media segment, or before one in a resource whose origin serves no ranges. 4 MiB
    /// unless said otherwise.
    public let segment: Int

    /// The most requests that one job makes. 16 unless said otherwise.
    public let requests: Int

    /// Limits with the documented defaults.
    public init(
        tail: Int = 16 << 10, block: Int = 256 << 10, file: Int = 16 << 20, playlist: Int = 4 << 20,
        segment: Int = 4 << 20, requests: Int = 16
    ) {
        self.tail = max(tail, 1)
        self.block = max(block, 1)
        self.file = max(file, 1)
        self.playlist = max(playlist, 1)
        self.segment = max(segment, 1)
        self.requests = max(requests, 1)
    }
}
