internal import M3U8

/// How many bits per second a media playlist takes, as the sizes of its segments tell that are local files.
enum SegmentSizes {
    /// The peak of the media `playlist` at `path`; nil if none of its segments is a file that is there.
    static func peak(of playlist: [UInt8], at path: String) -> UInt64? {
        var meter = BitRateMeter()
        var duration: DecimalSeconds?
        _ = PlaylistFacts(of: playlist) { line, _ in
            switch line.kind {
            case .tag(.targetDuration): meter.target = DecimalSeconds(line.value)?.nanoseconds ?? 0
            case .tag(.extInf): duration = DecimalSeconds(line.value)
            case .uri:
                let uri = String(decoding: Array(line.bytes.trimmed), as: UTF8.self)
                if let duration, let file = LocalReference.path(uri, in: path), let size = FileStatus(at: file)?.size {
                    meter.noteSegment(byteCount: UInt64(size), lasting: duration.nanoseconds)
                }
                duration = nil
            default: break
            }
        }
        return meter.peak
    }
}
