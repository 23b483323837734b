import M3U8
import Testing
import WebVTT

@testable import surtitle

/// What is in a WebVTT file, counted, with the first of each kind.
@Suite struct CueInventoryTests {
    /// What is in the file whose blocks are these, after `header`.
    private func inventory(_ header: String = "WEBVTT", _ blocks: String...) -> CueInventory {
        let inventory = CueInventory()
        let text = ([header] + blocks).joined(separator: "\n\n") + "\n"
        Array(text.utf8).withUnsafeBytes { inventory.scan($0) }
        inventory.finish()
        return inventory
    }

    @Test func blocksAreCounted() {
        let found = inventory(
            "WEBVTT", "NOTE a", "STYLE\nb", "NOTE c", "REGION\nid:d", "NOTE e", "00:01.000 --> 00:02.000\nf",
            "00:01.000 --> 00:02.000", "00:00.000 --> 00:00.001")
        #expect(found.isWebVTT && found.noteCount == 3 && found.styleCount == 1 && found.regionCount == 1)
        #expect(found.cueCount == 3 && found.emptyCount == 2 && found.unparsed.isEmpty && found.hidden.isEmpty)
        #expect(!inventory("WEBVT").isWebVTT && !CueInventory().isWebVTT)
    }

    /// The starts of cues in milliseconds, how many come before the one in front, and the first of these.
    @Test(
        arguments: [
            ([1, 1, 2], 0, nil), ([1, 0, 0, 5, 4, 6], 2, 1), ([0], 0, nil), ([3, 2, 1], 2, 1), ([1, 2, 1], 1, 2),
        ] as [([Int], Int, Int?)])
    func cuesOutOfOrder(_ starts: [Int], _ count: Int, _ first: Int?) {
        let inventory = CueInventory()
        let text = "WEBVTT\n\n" + starts.map { "00:00.00\($0) --> 00:01.000\n\n" }.joined()
        var times: [Int64] = []
        inventory.forEachCue = { start, end in times += [start.milliseconds, end.milliseconds] }
        Array(text.utf8).withUnsafeBytes { inventory.scan($0) }
        inventory.finish()
        #expect(inventory.outOfOrderCount == count && inventory.firstOutOfOrder == first.map { 8 + 25 * $0 })
        #expect(times == starts.flatMap { [Int64($0), 1000] })
    }

    /// The ends of cues that start at 1 ms: the last, and the latest of those that show.
    @Test(
        arguments: [
            ([2], 2, 2, 0), ([1], 1, nil, 1), ([0], 0, nil, 1), ([2, 1], 1, 2, 1), ([5, 3], 3, 5, 0),
            ([3, 5, 0], 0, 5, 1), ([0, 2], 2, 2, 1),
        ] as [([Int], Int64, Int64?, Int)])
    func ends(_ ends: [Int], _ final: Int64, _ latest: Int64?, _ hidden: Int) {
        let text = ends.map { "00:00.001 --> 00:00.00\($0)\na" }.joined(separator: "\n\n")
        let found = inventory("WEBVTT", text)
        #expect(found.finalEnd?.milliseconds == final && found.latestEnd?.milliseconds == latest)
        #expect(found.hidden[.neverShows]?.count ?? 0 == hidden)
    }

    /// The first map counts, and the first that cannot be read.
    @Test func maps() {
        let good = { (ticks: Int) in "X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:\(ticks)" }
        let found = inventory("WEBVTT\n\(good(7))\n\(good(8))\nX-TIMESTAMP-MAP=a\nX-TIMESTAMP-MAP=b\nother")
        #expect(found.timestampMap?.mpegTS == 7)
        #expect(found.badMap?.number == 4)
        let none = inventory("WEBVTT\nother: X-TIMESTAMP-MAP=a")
        #expect(none.timestampMap == nil && none.badMap == nil)
    }

    /// A block of more than 1 MiB: a cue whose times are known counts, and others are told apart.
    @Test func longBlocks() {
        let long = String(repeating: "x\n", count: 600_000)
        let found = inventory(
            "WEBVTT", "00:05.000 --> 00:06.000\na", "00:04.000 --> 00:09.000\n\(long)", "y\(long)", "z\(long)",
            "w\(long)w --> w", "v\(long)v --> v")
        #expect(found.cueCount == 2 && found.outOfOrderCount == 1 && found.firstOutOfOrder == 35)
        #expect(found.finalEnd?.milliseconds == 9000 && found.latestEnd?.milliseconds == 9000)
        #expect(found.longBlock?.number == 600_009, "\(String(describing: found.longBlock))")
        #expect(found.longBlock?.position == 1_200_061)
    }

    /// Blocks, and why each is no cue although it was meant to be one; nil if nothing shows that.
    private static let blocks: [(String, CueFault?)] = [
        ("00:00:01,000 --> 00:00:02,000", .comma), ("1,0 --> 2", .comma), ("a, b,1 2,3 --> x", .comma),
        (",1 --> 2", .times), ("1, --> 2", .times), ("a,1 --> 2,b", .times), ("x --> 1,", .times), ("1 --> 2", .times),
        ("X-TIMESTAMP-MAP=x", .strayMap), ("x X-TIMESTAMP-MAP=x", nil), ("X-TIMESTAMP-MA", nil),
        ("00:01.000 -> 00:02.000", .arrow),
        ("id\n00:01.000 - > 00:02.000", .arrow), ("1\n00:01 \u{2192} 00:02", .arrow),
        ("1\n2\n00:01 -> 00:02", nil), ("x 0:1 > 2", nil), ("1 -> 2", nil), ("00:01 00:02", nil),
        (far(250), .arrow),
        (far(251), nil),
    ]

    /// An arrow behind so many spaces.
    private static func far(_ count: Int) -> String { "00:01\(String(repeating: " ", count: count))>" }

    @Test(arguments: blocks)
    func faultsAreTold(_ block: String, _ fault: CueFault?) {
        let found = inventory("WEBVTT", block, "NOTE", block)
        #expect(Array(found.hidden.keys) == [fault].compactMap { $0 })
        #expect(fault.flatMap { found.hidden[$0]?.count } == fault.map { _ in 2 })
        #expect(fault.flatMap { found.hidden[$0]?.first } == fault.map { _ in "line 3, at byte 8" })
        #expect(found.unparsed.map(\.count) == [2] && found.unparsed.map(\.first.number) == [3])
    }

    @Test(arguments: [
        (CueFault.comma, "1 cue with a comma in the times", "2 cues with a comma in the times"),
        (.arrow, "1 cue with another arrow than -->", "2 cues with another arrow than -->"),
        (.times, "1 cue with times that no player reads", "2 cues with times that no player reads"),
        (
            .neverShows, "1 cue that ends at the start or before, and never shows",
            "2 cues that end at the start or before, and never show"
        ),
    ])
    func faultsHaveANumber(_ fault: CueFault, _ one: String, _ two: String) {
        #expect(fault.words(1).hasPrefix(one) && fault.words(2).hasPrefix(two))
    }

    /// Each kind of fault gets a sentence, with a note on where that is.
    @Test func sentences() {
        let found = inventory("WEBVTT", "1,0 --> 2,0", "00:02.000 --> 00:01.000\na", "1 -->")
        #expect(
            found.faults(" of x").map { $0.prefix { $0 != ":" } } == [
                "line 3, at byte 8 of x", "line 8, at byte 48 of x", "at byte 21 of x",
            ])
        #expect(inventory("WEBVTT").faults() == [])
    }
}
