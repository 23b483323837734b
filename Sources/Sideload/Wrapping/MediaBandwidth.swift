package import M3U8

/// Measures the peak bit rate of a media playlist, its BANDWIDTH, while its bytes pass by (8216bis 4.4.6.2).
///
///     var meter = MediaBandwidth()
///     unsafe meter.write(chunk)                  // any chunk, any number of times
///     meter.finish()
///     let bandwidth = meter.peak
///
/// EXT-X-BITRATE and byte ranges tell it. A line is all that is remembered, and a few numbers. Where a chunk ends never
/// changes the answer.
package struct MediaBandwidth: ~Copyable {
    private var reader = PlaylistReader(asking: .bitRate)

    /// A meter for one playlist.
    package init() {}

    /// What the playlist is, as far as it has been read.
    package var verdict: PlaylistVerdict { reader.facts.verdict }

    /// The most bits per second of a segment; nil if no segment tells, or if this is no playlist.
    package var peak: UInt64? { verdict == .notPlaylist ? nil : reader.facts.peak }

    /// Reads the next chunk, of any size.
    package mutating func write(_ chunk: UnsafeRawBufferPointer) { unsafe reader.write(chunk) }

    /// Reads the next chunk, of any size.
    package mutating func write(_ chunk: RawSpan) { unsafe chunk.withUnsafeBytes { unsafe write($0) } }

    /// Ends the playlist.
    package mutating func finish() { reader.finish() }
}
