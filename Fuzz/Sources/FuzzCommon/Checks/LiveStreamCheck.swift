import Delivery
import Drivers
import Support
import WebVTT

/// 1. Who asks has an answer after 3 s, or is to fetch something.  2. A playlist is fetched by one for all who ask at once.  3. MEDIA-SEQUENCE
/// goes back only at a restart, and a segment's answer is of its number.  4. A name that is none gets 404, and nothing is fetched for it.
/// 5. Saved and restored anywhere, a stream does the same.  6. A body that is broken off changes nothing.
///
/// The text is versions of a playlist, with a line `=` between them. Who asks, what comes of fetches, and how time goes on hangs on the choices.
enum LiveStreamCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        var scene = Scene(&input)
        for _ in 0..<120 where faults.found.isEmpty { scene.act(&faults) }
    }
}

/// A stream, those who ask it, and the fetches that are under way.
private struct Scene: ~Copyable {
    private struct Asker {
        var ask: LiveAsk
        /// How often nothing came of it, though it has waited for 3 s.
        var lateCount = 0
    }

    private struct Running {
        let job: FetchJob
        let fetch: LiveFetch
        let began: Int64
    }

    private let configuration: LiveConfiguration
    private let versions: [[UInt8]]
    private let isTornOften: Bool
    private var stream: LiveStream
    private var chance: SeededGenerator
    private var now: Int64
    private var nextVersion = 0
    private var askers: [Asker] = []
    private var fetches: [Running] = []
    private var first: UInt64 = 0

    private static let url = Array("https://o.example/d/v.m3u8?a=1&z=2".utf8)
    private static let names = LiveNames(prefix: Array("s/".utf8))

    init(_ input: inout FuzzInput) {
        let anchor = input.choices.pick([
            LiveAnchor.date(1_795_000_000_000_000_000), .segment(2), .automatic, .media, .firstVersion, .date(.min),
        ])
        let map = input.choices.pick([TimestampMapChoice.auto, .none, .given(TimestampMap(mpegTS: 126_000)), .auto])
        configuration = LiveConfiguration(
            anchor: anchor, map: map, lowLatency: input.choices.flag() ? .strip : .mirror,
            heldBack: input.choices.oneIn(8) ? 2 : 0)
        isTornOften = input.choices.flag()
        now = input.choices.pick([0, -1_000_000, 1_795_000_000_000])
        var seed: UInt64 = 0
        for _ in 0..<8 { seed = seed << 8 | UInt64(input.choices.byte()) }
        chance = SeededGenerator(seed: seed)
        versions = input.text.split(separator: Array("\n=\n".utf8), maxSplits: 40, omittingEmptySubsequences: false)
            .map { $0 + [0x0A] }
        stream = LiveStream(playlist: Self.url, configuration)
    }

    private mutating func number(below bound: Int) -> Int { Int.random(in: 0..<bound, using: &chance) }

    mutating func act(_ faults: inout Faults) {
        switch number(below: 12) {
        case 0, 1: askPlaylist(&faults)
        case 2, 3: askSegment(&faults)
        case 4: askForged(&faults)
        case 9: look(&faults)
        case 5: now += Int64([0, 1, 400, 1500, 3000, 4000, 9000, 70_000][number(below: 8)])
        case 6:
            if let (job, fetch) = stream.nextStart(at: now) {
                fetches.append(Running(job: job, fetch: fetch, began: now))
            }
        case 7, 8:
            guard !askers.isEmpty else { return }
            lookTwice(askers.remove(at: number(below: askers.count)), &faults)
        default: if !fetches.isEmpty { answer(&faults) }
        }
    }

    private mutating func askPlaylist(_ faults: inout Faults) {
        var directives: LiveDirectives?
        if number(below: 3) == 0, let last = stream.channel.listed?.upperBound {
            let part = number(below: 5)
            directives = LiveDirectives(segment: last + UInt64(number(below: 4)), part: part < 4 ? part : nil)
        }
        look(Asker(ask: LiveAsk(.playlist(directives), at: now)), &faults)
    }

    private mutating func askSegment(_ faults: inout Faults) {
        let last = stream.channel.listed?.upperBound ?? 0
        let segment = last + 2 - min(UInt64(number(below: 16)), last + 2)
        let part = number(below: 8)
        let name = Array((part < 3 ? "\(segment).\(part).vtt" : "\(segment).vtt").utf8)
        look(Asker(ask: LiveAsk(.segment(name), at: now)), &faults)
    }

    private mutating func askForged(_ faults: inout Faults) {
        var names = [
            "", ".vtt", "-1.vtt", "01.vtt", "1.vt", "9999999999999999999.vtt", "1..vtt", "1.2.3.vtt", "../1.vtt",
        ]
        if let last = stream.channel.listed?.upperBound { names.append("\(last + 4).vtt") }
        var ask = LiveAsk(.segment(Array(names[number(below: names.count)].utf8)), at: now)
        faults.expect(stream.step(&ask, at: now), is: .status(404), "law 4, \(ask.kind)")
    }

    private mutating func look(_ faults: inout Faults) {
        if !askers.isEmpty { look(askers.remove(at: number(below: askers.count)), &faults) }
    }

    /// Lets one who asks look what is to be done.
    private mutating func look(_ asker: Asker, _ faults: inout Faults) {
        var asker = asker
        let step = stream.step(&asker.ask, at: now)
        note(step, of: asker, &faults)
    }

    private mutating func note(_ step: LiveStream.Step, of asker: Asker, _ faults: inout Faults) {
        var asker = asker
        switch step {
        case .fetch(let job, let fetch):
            if case .livePlaylist = job {
                let same = fetches.first { $0.job == job && now - $0.began < 10_000 }
                faults.expect(same == nil, "law 2, \(job)")
            }
            fetches.append(Running(job: job, fetch: fetch, began: now))
            askers.append(asker)
        case .wait:
            if now - asker.ask.began >= 3000 { asker.lateCount += 1 }
            faults.expect(asker.lateCount < 4, "law 1, \(asker.ask)")
            askers.append(asker)
        case .playlist: faults.expect(stream.channel.hasBegun, "a playlist of nothing")
        case .segment(let span):
            guard case .segment(let name) = asker.ask.kind else { return faults.add("law 3, a segment for a playlist") }
            let part = span.part.map { ".\($0)" } ?? ""
            faults.expect(name, is: Array("\(span.segment)\(part).vtt".utf8), "law 3")
            faults.expect(span.cues.end.map { span.cues.start <= $0 } ?? true, "law 3, \(span)")
        case .status(let status): faults.expect([400, 404, 502, 503, 504].contains(status), "status \(status)")
        }
    }

    /// Lets something come of a fetch, or nothing.
    private mutating func answer(_ faults: inout Faults) {
        let running = fetches.remove(at: number(below: fetches.count))
        let kind = number(below: 12)
        if kind == 0 { return stream.cancel(running.fetch) }
        let isTorn = kind == 1 || isTornOften && kind < 4
        let body: [UInt8]
        if case .segmentStart(let want, _) = running.job {
            body = Self.media(at: (want.segment &* 540_000 &+ UInt64(number(below: 9)) &* 4000) & (1 << 33 - 1))
        } else {
            // They come in any order, mostly the right one.
            if number(below: 8) == 0 { nextVersion = number(below: versions.count) }
            body = versions[min(nextVersion, versions.count - 1)]
            nextVersion = min(nextVersion + 1, versions.count)
        }
        let status = kind < 8 ? 200 : kind == 8 ? [400, 404, 500, 503][number(below: 4)] : 200
        var response = NaiveOrigin.Response(
            status: status, header: [("Content-Length", "\(body.count)")], body: isTorn ? body.dropLast(3) : body)
        response.isWhole = !isTorn
        let run = FetchRun(running.job, reply: { _ in FetchRun.Reply(response) })
        let before = playlist()
        let change = stream.take(run.result, of: running.fetch, at: now)
        if isTorn, status == 200, case .livePlaylist = running.job {
            faults.expect(change == nil && playlist() == before, "law 6")
        }
        if change == .restarted { first = 0 }
        guard stream.channel.hasBegun else { return }
        let listing = LiveListing(String(decoding: playlist(), as: UTF8.self))
        faults.expect(listing.first >= first, "law 3, MEDIA-SEQUENCE went back")
        first = listing.first
    }

    private static func media(at ticks: UInt64) -> [UInt8] {
        var stream = TransportStreamBytes()
        stream.tables([.init(type: 0x1B, pid: 0x100)])
        for picture in 0..<4 as Range<UInt64> {
            let time = (ticks + picture * 3_600) & (1 << 33 - 1)
            stream.pes(pid: 0x100, streamID: 0xE0, pts: time, dts: time)
        }
        return stream.bytes
    }

    private func playlist() -> [UInt8] { Self.playlist(of: stream.channel) }

    private static func playlist(of channel: borrowing LiveChannel) -> [UInt8] {
        var output = OutputPieces()
        channel.playlist(named: names, into: &output)
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        return output.reduce(into: []) { $0 += $1.bytes(in: nothing) }
    }

    private func saved(_ faults: inout Faults) -> [UInt8] {
        var state: [UInt8] = []
        do { try stream.save(into: &state) } catch { faults.add("law 5, not saved: \(error)") }
        return state
    }

    /// Lets one who asks look, and goes on with a stream that has been restored from what was saved before, and does the same.
    private mutating func lookTwice(_ asker: Asker, _ faults: inout Faults) {
        let before = saved(&faults)
        guard var twin = try? LiveStream(playlist: Self.url, restoring: before.span.bytes, configuration) else {
            return faults.add("law 5, not restored")
        }
        faults.expect(Self.playlist(of: twin.channel), is: playlist(), "law 5, the playlist")
        var (ask, other) = (asker.ask, asker.ask)
        let step = stream.step(&ask, at: now)
        faults.expect(twin.step(&other, at: now), is: step, "law 5, \(asker.ask)")
        let after = saved(&faults)
        stream = twin
        faults.expect(saved(&faults), is: after, "law 5, the state")
        note(step, of: Asker(ask: ask, lateCount: asker.lateCount), &faults)
    }
}
