import Support
import Testing

@testable import Delivery
@testable import WebVTT

/// The channel beside its naive twin, on streams of all kinds that are run at random.
struct LiveTwinTests {
    private static let begin: Int64 = 1_795_000_000_000_000_000

    static func kinds() -> [LiveOrigin.Kind] {
        var kinds: [LiveOrigin.Kind] = []
        for dates in LiveOrigin.Dates.allCases {
            for digits in [0, 1, 2, 3, 6] {
                for discontinuity in [nil, 7] as [Int?] {
                    var kind = LiveOrigin.Kind()
                    (kind.dates, kind.digits, kind.discontinuity) = (dates, digits, discontinuity)
                    kind.durations = [6_006_400_000, 5_989_200_000, 6_440_000_000]
                    kind.hasDiscontinuitySequence = digits != 2
                    kind.gain = dates == .each && digits == 3 ? 400 : 0
                    kind.isEvent = digits == 6 && discontinuity == nil
                    kind.firstTicks = digits == 1 ? (1 << 33) - 9_000_000 : 126_000
                    kinds.append(kind)
                }
            }
        }
        return kinds
    }

    @Test func bothAnswerTheSame() throws {
        var compared = 0
        for (number, kind) in Self.kinds().enumerated() {
            for seed in 0..<(isLong ? 40 : 1) {
                compared += try run(kind, seed: UInt64(number * 100 + seed))
            }
        }
        #expect(compared > 7000)
    }

    private func run(_ kind: LiveOrigin.Kind, seed: UInt64) throws -> Int {
        var generator = SeededGenerator(seed: seed)
        var origin = LiveOrigin(kind)
        let usesNumber = kind.dates == .none
        var channel = LiveChannel(
            LiveConfiguration(anchor: usesNumber ? .segment(4) : .date(Self.begin + 5_000_000_000)))
        var twin = NaiveLive(usesNumber ? .segment(4) : .date(Self.begin + 5_000_000_000))
        var compared = 0
        for _ in 0..<Int.random(in: 1...3, using: &generator) { origin.advance() }
        for step in 0..<80 {
            let jump = kind.isEvent ? 1 : [1, 1, 1, 2, 3, 20][Int.random(in: 0..<6, using: &generator)]
            for _ in 0..<jump { origin.advance() }
            let version = origin.version()
            _ = try channel.take(version)
            twin.take(version, target: origin.target)
            // Now and then an older version, or the same again: they change nothing.
            let age = Int.random(in: 0...5, using: &generator)
            if age < 3 { _ = try channel.take(origin.version(age: age)) }
            #expect(channel.wants.map(\.segment) == Array(twin.wanted.prefix(4)), "\(kind) \(seed) \(step)")
            // Sometimes time stamps come late.
            guard Int.random(in: 0..<5, using: &generator) > 0 else { continue }
            while let want = channel.next() {
                guard let segment = origin.segment(want.segment) else { break }
                channel.take(mediaStart: UInt64(segment.ticks & (1 << 33 - 1)), of: want.segment)
                twin.take(ticks: segment.ticks & (1 << 33 - 1), of: want.segment)
            }
            for number in channel.listed.map(Array.init) ?? [] {
                let expected = twin.span(number)
                guard case .span(let span) = channel.find("\(number).vtt"), span.isKnown else {
                    #expect(expected == nil, "\(kind) \(seed) \(step) \(number)")
                    continue
                }
                let middle = (span.cues.start + (span.cues.end ?? 0)) / 2
                let naive = expected.map { ($0.start + $0.end) / 2 }
                #expect(middle == naive, "\(kind) \(seed) \(step) \(number)")
                if let expected, let map = span.cues.map {
                    let offset = Int64(map.mpegTS) - 90 * map.local.milliseconds
                    #expect((offset - expected.offset) % (1 << 33) == 0, "\(kind) \(seed) \(step) \(number)")
                }
                compared += 1
            }
        }
        return compared
    }
}
