internal import ByteScan
internal import M3U8

/// Reads a media playlist as a player would (8216bis 4.4.3, 4.4.4).
struct MediaCheck {
    /// A segment.
    struct Segment {
        let uri: String
        let location: LineLocation
        /// The timeline that it is on, from 0, as ``PlaylistFacts/timelines`` has them.
        let timeline: Int
        /// Whether EXT-X-GAP says that it is missing.
        let isGap: Bool
        /// How long it is; nil if it has no EXTINF.
        let duration: DecimalSeconds?
        /// Where its bytes are; nil if that is not known.
        fileprivate(set) var media: MediaSegment?

        /// Which bytes of the resource it is; nil for all of them.
        var range: Range<Int>? { media?.part.range }
    }

    let text: PlaylistText
    let facts: PlaylistFacts
    private(set) var segments: [Segment]
    /// What other tags refer to.
    let references: [TagReference]

    /// What has been read so far.
    fileprivate struct Reading {
        var segments: [Segment] = []
        var references: [TagReference] = []
        var timeline = 0
        /// What stands before the next segment.
        var (isDiscontinuous, isGap) = (false, false)
        var duration: (seconds: DecimalSeconds?, location: LineLocation)?
        var longest: (seconds: DecimalSeconds, at: LineLocation)?
        /// The first duration with a fraction.
        var fraction: LineLocation?
        var version: UInt64?
        /// The tags that may stand once, and where they have stood.
        var single: Set<TagName> = []
    }

    /// Checks the playlist `text`.
    init(_ text: PlaylistText, _ findings: Findings) {
        var reading = Reading()
        let name = text.name
        let facts = text.facts(asking: [.timelines, .everySegment]) { line, location in
            reading.note(line, location, name, findings)
        }
        (self.text, self.facts, references) = (text, facts, reading.references)
        var media = facts.everySegment[...]
        segments = reading.segments.map { segment in
            guard segment.duration != nil, let next = media.popFirst() else { return segment }
            var segment = segment
            segment.media = try? next.get()
            return segment
        }
        if let line = facts.malformedDuration {
            findings.broken(name, text.location(line), "EXTINF has no duration (8216bis 4.4.4.1)")
        }
        if let line = facts.skipLine {
            findings.doubtful(
                name, text.location(line),
                "EXT-X-SKIP makes this a delta update, which lacks segments (8216bis 4.4.5.2)")
        }
        if let fraction = reading.fraction, reading.version ?? 1 < 3 {
            findings.broken(name, fraction, "EXTINF with a fraction needs EXT-X-VERSION:3 or higher (8216bis 8)")
        }
        if segments.isEmpty { findings.broken(name, nil, "no segment") }
        guard let limit = facts.targetDuration else {
            findings.broken(name, nil, "no EXT-X-TARGETDURATION that is a number (8216bis 4.4.3.1)")
            return
        }
        // A duration counts rounded to the nearest second.
        if let longest = reading.longest, (longest.seconds.nanoseconds + 500_000_000) / 1_000_000_000 > limit {
            findings.broken(
                name, longest.at, "EXTINF is longer than EXT-X-TARGETDURATION, which is \(limit) (8216bis 4.4.3.1)")
        }
    }
}

extension MediaCheck.Reading {
    mutating func note(_ line: PlaylistLine, _ location: LineLocation, _ name: String, _ findings: Findings) {
        switch line.kind {
        case .tag(let tag):
            if tag.hasAttributeList {
                let values = TagValues(line)
                values.check(name, location, findings)
                references += TagReference.all(of: tag, values, at: location)
            }
            note(tag, line, location, name, findings)
        case .uri:
            let uri = String(decoding: Array(line.bytes.trimmed), as: UTF8.self)
            if duration == nil {
                findings.broken(name, location, "\(Findings.excerpt(uri)) has no EXTINF, so players pass it over")
            }
            // Several before one segment begin one timeline, and those before the first segment none.
            if isDiscontinuous, !segments.isEmpty { timeline += 1 }
            segments.append(
                MediaCheck.Segment(
                    uri: uri, location: location, timeline: timeline, isGap: isGap, duration: duration?.seconds))
            (duration, isDiscontinuous, isGap) = (nil, false, false)
        default: break
        }
    }

    private mutating func note(
        _ tag: TagName, _ line: PlaylistLine, _ location: LineLocation, _ name: String, _ findings: Findings
    ) {
        let isSingle = [.version, .targetDuration, .mediaSequence, .discontinuitySequence, .playlistType].contains(tag)
        if isSingle, !single.insert(tag).inserted {
            findings.broken(name, location, "a second \(tag.text) (8216bis 4.4.3)")
        }
        switch tag {
        case .version: version = UInt64(decimal: line.value.trimmed)
        case .discontinuity: isDiscontinuous = true
        case .gap: isGap = true
        case .extInf:
            let seconds = DecimalSeconds(line.value)
            duration = (seconds, location)
            guard let seconds else { return }
            if longest.map({ $0.seconds < seconds }) != false { longest = (seconds, location) }
            let isWhole = line.value.prefix { $0 != ASCII.comma }.firstIndex(of: ASCII.period) == nil
            if !isWhole { fraction = fraction ?? location }
        default: break
        }
    }
}

extension TagName {
    /// How it is spelled.
    fileprivate var text: String { String(decoding: Array(spelling), as: UTF8.self) }
}
