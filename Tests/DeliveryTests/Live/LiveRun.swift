import Support
import Testing

@testable import Delivery
@testable import WebVTT

extension LiveChannel {
    /// Takes a version as text.
    mutating func take(_ text: String) throws -> LiveChange {
        let bytes = Array(text.utf8)
        return try take(bytes.span.bytes)
    }

    /// The playlist of the rendition, as text.
    func playlist(prefix: String = "", lag: Int = 0) -> String {
        var output = OutputPieces()
        playlist(named: LiveNames(prefix: Array(prefix.utf8), lag: lag), into: &output)
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        return output.reduce(into: "") { $0 += String(decoding: $1.bytes(in: nothing), as: UTF8.self) }
    }

    func find(_ name: String) -> LivePlace {
        let bytes = Array(name.utf8)
        return find(bytes.span.bytes)
    }

    /// The span of a segment, if it has one.
    func span(_ number: UInt64) -> LiveSpan? {
        if case .span(let span) = find("\(number).vtt") { span } else { nil }
    }

    /// Tells all that is wanted, by the origin's truth; returns how many time stamps.
    mutating func probe(_ origin: LiveOrigin) -> Int {
        var count = 0
        while let want = next() {
            count += 1
            let isWhole = listed?.contains(want.segment) == true
            let next = origin.next
            guard let segment = origin.segment(want.segment) ?? (next.number == want.segment ? next : nil) else {
                noMediaStart(of: want.segment)
                continue
            }
            let uri = isWhole ? segment.uri : "part\(want.segment).0.ts"
            #expect(String(decoding: want.media.uri, as: UTF8.self) == uri)
            take(mediaStart: UInt64(segment.ticks & (1 << 33 - 1)), of: want.segment)
        }
        return count
    }
}

/// A channel that follows a simulated origin, with what is found out of it. It shares no code with the channel.
struct LiveRun: ~Copyable {
    var origin: LiveOrigin
    var channel: LiveChannel
    let anchor: LiveAnchor
    /// How far the cue time of content may be off, in milliseconds, and how far the bounds of spans.
    var tolerance: (cue: Double, span: Double) = (50, 50)
    private(set) var probes = 0
    private(set) var worst = (cue: 0.0, span: 0.0)
    private var names: [UInt64: String] = [:]
    private var lastFirst: UInt64 = 0
    /// The true time, in nanoseconds after 1970, at which cue time is 0.
    var zero: Int64
    var seesTime = true

    init(_ kind: LiveOrigin.Kind, anchor: LiveAnchor, zero: Int64, map: TimestampMapChoice = .auto) {
        origin = LiveOrigin(kind)
        self.anchor = anchor
        self.zero = zero
        channel = LiveChannel(LiveConfiguration(anchor: anchor, map: map))
    }

    /// The origin makes so many segments, and the channel takes each version.
    mutating func run(_ count: Int, checksTimes: Bool = true) throws {
        for _ in 0..<count {
            origin.advance()
            _ = try take(origin.version())
            if checksTimes { checkTimes() }
        }
    }

    /// Takes a version, probes what is wanted, and checks the playlist.
    @discardableResult
    mutating func take(_ text: String, expectsSame: Bool = false) throws -> LiveChange {
        let change = try channel.take(text)
        probes += channel.probe(origin)
        switch change {
        case .stale, .suspect, .needsFull: break
        case .restarted:
            (names, lastFirst) = ([:], 0)
            checkPlaylist(text)
        default: checkPlaylist(text)
        }
        return change
    }

    /// Rules 1 to 8: the rendition's playlist beside the video's.
    mutating func checkPlaylist(_ text: String) {
        let made = channel.playlist(prefix: "en/")
        var (video, ours) = (LiveListing(text), LiveListing(made))
        #expect(ours.others == ["#EXTM3U"], "\(made)")
        #expect(ours.head == video.head && ours.isEnded == video.isEnded, "\(made)")
        #expect(ours.first >= lastFirst, "MEDIA-SEQUENCE went back")
        lastFirst = ours.first
        let dropped = Int(ours.first - video.first)
        if let sequence = video.discontinuitySequence {
            let left = video.segments.prefix(dropped).reduce(0) { $0 + $1.discontinuities }
            #expect(ours.discontinuitySequence == sequence + UInt64(left))
        } else {
            #expect(ours.discontinuitySequence == nil)
        }
        video.segments.removeFirst(dropped)
        #expect(ours.segments.count == video.segments.count)
        for (own, theirs) in zip(ours.segments, video.segments) {
            #expect(own.number == theirs.number && own.duration == theirs.duration, "\(theirs)")
            #expect(own.discontinuities == theirs.discontinuities && own.date == theirs.date, "\(theirs)")
            #expect(own.uri == "en/\(own.number).vtt" && names[own.number] ?? own.uri == own.uri)
            names[own.number] = own.uri
            checkParts(own.parts, theirs.parts, of: own.number)
        }
        #expect(ours.openDate == video.openDate && ours.openDiscontinuities == video.openDiscontinuities)
        checkParts(ours.openParts, video.openParts, of: ours.first + UInt64(ours.segments.count))
        let next = ours.first + UInt64(ours.segments.count)
        #expect(ours.hint == (video.hint == nil ? nil : "TYPE=PART,URI=\"en/\(next).\(ours.openParts.count).vtt\""))
    }

    private func checkParts(_ own: [String], _ theirs: [String], of number: UInt64) {
        #expect(own.count == theirs.count)
        for (index, (own, theirs)) in zip(own, theirs).enumerated() {
            let duration = theirs.split(separator: ",").first { $0.hasPrefix("DURATION=") } ?? ""
            #expect(own == "\(duration),INDEPENDENT=YES,URI=\"en/\(number).\(index).vtt\"")
        }
    }

    /// Rules 12 to 16: each listed segment is when it really is, and its map tells the true time stamp.
    mutating func checkTimes() {
        guard seesTime, let listed = channel.listed else { return }
        var end: Int64?
        for number in listed {
            guard let segment = origin.segment(number) else { continue }
            guard case .span(let span) = channel.find("\(number).vtt"), span.isKnown else {
                Issue.record("segment \(number) has no time: \(channel.find("\(number).vtt"))")
                continue
            }
            let truth = origin.wallClock(segment.start) - zero
            let wide = span.cues.end.map { $0 - span.cues.start - segment.duration } ?? 0
            let off = Double(span.cues.start + (origin.kind.digits < 3 ? wide / 2 : 0) - truth) / 1e6
            worst.span = max(worst.span, abs(off))
            #expect(abs(off) <= tolerance.span, "segment \(number) is \(off) ms late")
            // All that shows in the segment is in its span.
            let lack = max(span.cues.start - truth, span.cues.end.map { truth + segment.duration - $0 } ?? 0)
            #expect(lack <= 50_000_000, "the span of segment \(number) lacks \(lack) ns")
            guard let map = span.cues.map else {
                Issue.record("segment \(number) has no map")
                continue
            }
            // A cue that is said when the segment really begins.
            let cue = truth / 1_000_000
            let shown = Int64(map.mpegTS) + 90 * (cue - map.local.milliseconds)
            let distance = ((shown - segment.ticks) % (1 << 33) + (3 << 32)) % (1 << 33) - (1 << 32)
            let late = Double(distance) / 90
            worst.cue = max(worst.cue, abs(late))
            #expect(abs(late) <= tolerance.cue, "a cue of segment \(number) shows \(late) ms late")
            if origin.kind.dates == .none, origin.kind.digits >= 3, let before = end {
                #expect(span.cues.start == before, "a hole before segment \(number)")
            }
            end = span.cues.end
        }
    }
}
