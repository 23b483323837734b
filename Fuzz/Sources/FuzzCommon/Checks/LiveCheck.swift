import ByteScan
import Delivery
import Support
import WebVTT

/// 1. What is refused, stale or suspect leaves the playlist as it was.  2. MEDIA-SEQUENCE never goes back but at a
/// restart, and the name of a segment is its number.  3. What is listed is found, and what is far ahead or malformed is
/// not ours.  4. Without dates spans follow one another, and one that was given stays.  5. Saved and restored anywhere,
/// a channel answers the same.  6. No more is held than the versions have.  7. A rendition's playlist has no tag that
/// the video's alone needs.
///
/// The text is versions of a playlist, with a line `=` between them, each of which may come broken off.
enum LiveCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let use = Use(&input.choices)
        var channel = LiveChannel(use.configuration)
        var seen = Seen()
        var step = use.seed
        for version in input.text.split(separator: Array("\n=\n".utf8), maxSplits: 40, omittingEmptySubsequences: false)
        {
            step = step &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            var body = version + [0x0A]
            if step >> 60 == 0 { body.removeLast(body.count / 3) }
            let before = playlist(of: channel)
            var isKept = false
            do {
                switch try channel.take(body.span.bytes) {
                case .restarted: seen = Seen()
                case .stale, .suspect, .needsFull: isKept = true
                default: break
                }
            } catch { isKept = true }
            if isKept { faults.expect(playlist(of: channel), is: before, "law 1") }
            probe(&channel, step)
            check(channel, use, &seen, &faults)
            if use.saves { restore(&channel, use, &faults) }
        }
    }

    /// Answers what is wanted, rightly, wrongly or not at all.
    private static func probe(_ channel: inout LiveChannel, _ step: UInt64) {
        for number in 0..<(step >> 40) % 5 {
            guard let want = channel.next() else { return }
            let ticks = (want.segment &* 540_000 &+ (step >> 20) % 9 &* 4000) % (1 << 33)
            switch (step >> (44 + number)) % 8 {
            case 0: channel.noMediaStart(of: want.segment)
            case 1: channel.take(mediaStart: step, of: want.segment)
            case 2: return
            default: channel.take(mediaStart: ticks, of: want.segment)
            }
        }
        if step >> 50 & 15 == 0 { channel.take(mediaStart: step >> 9, of: step >> 55) }
        if step >> 51 & 15 == 0 { channel.noMediaStart(of: step >> 56) }
    }

    private static func playlist(of channel: borrowing LiveChannel) -> [UInt8] {
        var output = OutputPieces()
        channel.playlist(named: LiveNames(prefix: Array("s/".utf8)), into: &output)
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        return output.reduce(into: []) { $0 += $1.bytes(in: nothing) }
    }

    private static func find(_ name: String, in channel: borrowing LiveChannel) -> LivePlace {
        let bytes = Array(name.utf8)
        return channel.find(bytes.span.bytes)
    }

    /// What has been seen of one life of a stream.
    private struct Seen {
        var first: UInt64 = 0
        var given: [UInt64: CueSpan] = [:]
        /// Whether a segment has had a date: it may have left it since, and where it told a time there may be a hole.
        var hasDates = false
    }

    private static func check(
        _ channel: borrowing LiveChannel, _ use: Use, _ seen: inout Seen, _ faults: inout Faults
    ) {
        let text = String(decoding: playlist(of: channel), as: UTF8.self)
        guard channel.hasBegun else { return faults.expect(text.isEmpty, "a playlist of nothing") }
        let listing = LiveListing(text)
        faults.expect(listing.first >= seen.first, "law 2, MEDIA-SEQUENCE went back")
        seen.first = listing.first
        seen.hasDates = seen.hasDates || text.contains("DATE-TIME")
        faults.expect(listing.others == ["#EXTM3U"], "law 7, \(listing.others)")
        var end: Int64?
        for segment in listing.segments {
            faults.expect(segment.uri == "s/\(segment.number).vtt" && !segment.duration.isEmpty, "law 2, \(segment)")
            switch find("\(segment.number).vtt", in: channel) {
            case .span(let span):
                faults.expect(span.segment == segment.number, "law 3, \(span)")
                guard span.isKnown, use.isExact else { break }
                if let old = seen.given[segment.number] {
                    let isSame = old.start == span.cues.start
                    faults.expect(isSame, "law 4, \(segment.number) was given \(old), then \(span.cues)")
                }
                seen.given[segment.number] = span.cues
                if let before = end, segment.discontinuities == 0, !seen.hasDates {
                    faults.expect(span.cues.start == before, "law 4, a hole before \(segment.number)")
                }
                end = span.cues.end
            case .mediaStart: break
            case let place: faults.add("law 3, \(segment.number) is \(place)")
            }
            for part in segment.parts.indices {
                if case .notOurs = find("\(segment.number).\(part).vtt", in: channel) {
                    faults.add("law 3, part \(part)")
                }
            }
        }
        let next = listing.first + UInt64(listing.segments.count)
        for name in ["\(next + 3).vtt", "0\(seen.first).vtt", "\(seen.first).vt", "-\(seen.first).vtt"] {
            faults.expect(find(name, in: channel), is: .notOurs, "law 3, \(name)")
        }
        let most = 48 * channel.heldSegments + 40 * 4096 + 4 * (64 << 10) + 8192
        faults.expect(channel.heldBytes <= most, "law 6, \(channel.heldBytes)")
    }

    private static func restore(_ channel: inout LiveChannel, _ use: Use, _ faults: inout Faults) {
        var saved: [UInt8] = []
        guard (try? channel.save(into: &saved)) != nil else { return faults.add("law 5, not saved") }
        guard let restored = try? LiveChannel(restoring: saved.span.bytes, use.configuration) else {
            return faults.add("law 5, not restored")
        }
        faults.expect(playlist(of: restored), is: playlist(of: channel), "law 5, the playlist")
        for number in channel.listed.map({ $0.lowerBound...min($0.upperBound, $0.lowerBound + 20) }) ?? 0...0 {
            let name = "\(number).vtt"
            let (before, after) = (find(name, in: channel), find(name, in: restored))
            // What is wanted is found out anew.
            if case .mediaStart = before { continue }
            faults.expect(after, is: before, "law 5, \(name)")
        }
        channel = restored
    }
}

/// How the channel is used.
private struct Use {
    let configuration: LiveConfiguration
    let saves: Bool
    let seed: UInt64

    /// Whether spans are as wide as segments.
    var isExact: Bool { configuration.map == .none && configuration.anchor != .media }

    init(_ choices: inout Choices) {
        let anchors: [LiveAnchor] = [
            .date(1_795_000_000_000_000_000), .segment(2), .automatic, .media, .firstVersion, .date(.min), .date(.max),
            .segment(.max),
        ]
        let anchor = choices.pick(anchors)
        let map = choices.pick([TimestampMapChoice.auto, .none, .given(TimestampMap(mpegTS: 126_000)), .auto])
        let limits = choices.oneIn(8) ? LiveLimits(playlist: 2000, segments: 5, parts: 3, text: 100) : LiveLimits()
        configuration = LiveConfiguration(
            anchor: anchor, map: map, lowLatency: choices.flag() ? .strip : .mirror, limits: limits)
        saves = choices.flag()
        seed = UInt64(choices.byte()) << 32 | UInt64(choices.byte())
    }
}
