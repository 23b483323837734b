internal import ByteScan
internal import M3U8

/// Reads a media playlist as a player would (8216bis 4.4.3, 4.4.4).
struct MediaCheck {
    /// A segment.
    struct Segment {
        let uri: String
        let location: LineLocation
        /// How many EXT-X-DISCONTINUITY stand before it.
        let timeline: Int
    }

    let facts: PlaylistFacts
    private(set) var segments: [Segment] = []

    /// Checks `playlist`, which messages call `name`.
    init(_ playlist: [UInt8], called name: String, _ findings: Findings) {
        var segments: [Segment] = []
        var (timeline, target, longest): (Int, LineLocation?, (seconds: DecimalSeconds, at: LineLocation)?) = (
            0, nil, nil
        )
        var hasDuration = false
        let facts = PlaylistFacts(of: playlist, asking: .timelines) { line, location in
            switch line.kind {
            case .tag(.targetDuration): target = target ?? location
            case .tag(.discontinuity): timeline += segments.isEmpty ? 0 : 1
            case .tag(.extInf):
                hasDuration = true
                guard let seconds = DecimalSeconds(line.value) else { return }
                if longest.map({ $0.seconds < seconds }) != false { longest = (seconds, location) }
            case .uri:
                let uri = String(decoding: Array(line.bytes.trimmed), as: UTF8.self)
                if !hasDuration { findings.broken(name, location, "\(uri) has no EXTINF, so players pass it over") }
                hasDuration = false
                segments.append(Segment(uri: uri, location: location, timeline: timeline))
            default: break
            }
        }
        (self.facts, self.segments) = (facts, segments)
        if let line = facts.malformedDuration {
            findings.broken(name, line, "EXTINF has no duration (8216bis 4.4.4.1)")
        }
        if segments.isEmpty { findings.broken(name, nil, "no segment") }
        guard let limit = facts.targetDuration else {
            findings.broken(name, target, "no EXT-X-TARGETDURATION that is a number (8216bis 4.4.3.1)")
            return
        }
        // A duration counts rounded to the nearest second.
        if let longest, (longest.seconds.nanoseconds + 500_000_000) / 1_000_000_000 > limit {
            findings.broken(
                name, longest.at, "EXTINF is longer than EXT-X-TARGETDURATION, which is \(limit) (8216bis 4.4.3.1)")
        }
    }
}
