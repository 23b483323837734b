import Support
import Testing

@testable import Delivery
@testable import WebVTT

/// A saved state: short, exact, and refused if it is anything else.
struct LiveStateTests {
    private static let begin: Int64 = 1_795_000_000_000_000_000

    /// All that a channel answers about its segments.
    private struct Answers: Equatable {
        var playlist: String
        var places: [LivePlace]
        var wanted: LiveWant?
        var notes: LiveNotes
        var heldBytes: Int

        init(_ channel: borrowing LiveChannel) {
            playlist = channel.playlist(prefix: "p/")
            let last = channel.listed?.upperBound ?? 0
            places = []
            for number in (last - min(last, 40))...(last + 1) { places.append(channel.find("\(number).vtt")) }
            for part in 0..<5 { places.append(channel.find("\(last + 1).\(part).vtt")) }
            (wanted, notes, heldBytes) = (channel.next(), channel.notes, channel.heldBytes)
        }
    }

    static let kinds: [LiveOrigin.Kind] = {
        var kinds = [LiveOrigin.Kind](repeating: LiveOrigin.Kind(), count: 6)
        (kinds[1].dates, kinds[1].discontinuity) = (.none, 11)
        (kinds[2].dates, kinds[2].digits, kinds[2].durations) = (.firstListed, 1, [6_440_000_000, 5_610_000_000])
        (kinds[3].parts, kinds[3].hasDiscontinuitySequence) = (4, false)
        (kinds[4].gain, kinds[4].firstNumber) = (50, 1 << 50)
        (kinds[5].dates, kinds[5].digits, kinds[5].durations) = (.none, 0, [2_002_000_000])
        return kinds
    }()

    @Test(arguments: kinds)
    func restoredItGoesOnByteForByte(_ kind: LiveOrigin.Kind) throws {
        let configuration = LiveConfiguration(anchor: kind.dates == .none ? .segment(0) : .date(Self.begin))
        var first = LiveChannel(configuration)
        var second = LiveChannel(configuration)
        var origin = LiveOrigin(kind)
        for index in 0..<(isLong ? 7200 : 200) {
            origin.advance()
            if index % 50 == 30 { for _ in 0..<10 { origin.advance() } }
            if index % 170 == 120 { origin.restart(at: 3, after: 1_000_000_000, ticks: 5) }
            if origin.segments.isEmpty { origin.advance() }
            let version = origin.version(openParts: kind.parts > 0 ? index % 4 : 0)
            let changes = (try first.take(version), try second.take(version))
            #expect(changes.0 == changes.1)
            // Sometimes what is wanted is still on its way when the state is saved.
            if index % 3 > 0 {
                let counts = (first.probe(origin), second.probe(origin))
                #expect(counts.0 == counts.1)
            }
            var saved: [UInt8] = []
            try second.save(into: &saved)
            second = try LiveChannel(restoring: saved.span.bytes, configuration)
            _ = try first.take(version)
            _ = try second.take(version)
            #expect(Answers(first) == Answers(second), "\(index)")
            #expect(saved.count <= 1024 + 16 * first.heldSegments, "\(saved.count)")
        }
    }

    /// The numbers farthest from 0 are numbers too.
    @Test(arguments: [LiveAnchor.date(.min), .date(.max), .segment(.max), .media])
    func anyAnchorIsRestored(_ anchor: LiveAnchor) throws {
        let configuration = LiveConfiguration(anchor: anchor)
        var channel = LiveChannel(configuration)
        _ = try channel.take("#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:6,\n0.ts\n")
        var saved: [UInt8] = []
        try channel.save(into: &saved)
        let restored = try LiveChannel(restoring: saved.span.bytes, configuration)
        // What is wanted is found out anew.
        #expect(restored.playlist(prefix: "p/") == channel.playlist(prefix: "p/"))
        #expect(restored.heldSegments == 1)
    }

    @Test func whatIsNoStateIsRefused() throws {
        let configuration = LiveConfiguration(anchor: .date(Self.begin))
        var run = LiveRun(LiveOrigin.Kind(), anchor: .date(Self.begin), zero: Self.begin)
        try run.run(20)
        var saved: [UInt8] = []
        try run.channel.save(into: &saved)
        func isTaken(_ bytes: [UInt8], _ configuration: LiveConfiguration) -> Bool {
            (try? LiveChannel(restoring: bytes.span.bytes, configuration)) != nil
        }
        #expect(isTaken(saved, configuration))
        #expect(!isTaken(saved, LiveConfiguration(anchor: .date(Self.begin + 1))))
        #expect(!isTaken(saved, LiveConfiguration(anchor: .date(Self.begin), lowLatency: .strip)))
        #expect(!isTaken(saved + [0], configuration) && !isTaken([], configuration))
        for count in 0..<saved.count { #expect(!isTaken(Array(saved[..<count]), configuration)) }
        // Whatever a byte becomes, nothing traps, then or later.
        var generator = SeededGenerator(seed: 5)
        for _ in 0..<(isLong ? 200_000 : 1500) {
            var bytes = saved
            for _ in 0..<Int.random(in: 1...3, using: &generator) {
                bytes[Int.random(in: 0..<bytes.count, using: &generator)] = UInt8.random(in: 0...255, using: &generator)
            }
            guard var channel = try? LiveChannel(restoring: bytes.span.bytes, configuration) else { continue }
            _ = Answers(channel)
            _ = try? channel.take(run.origin.version())
            _ = channel.probe(run.origin)
            _ = Answers(channel)
        }
        var small = LiveChannel(LiveConfiguration(limits: LiveLimits(state: 100)))
        _ = try small.take(run.origin.version())
        #expect(throws: LiveError(reason: .stateTooLong(limit: 100), position: 0)) { try small.save(into: &saved) }
        #expect(saved.isEmpty)
    }
}
