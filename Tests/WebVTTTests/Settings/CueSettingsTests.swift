import ByteScan
import Support
import Testing

@testable import WebVTT

@Suite struct CueSettingsTests {
    /// Settings as text, and in the words of the data.
    static func describe(_ text: String) -> String {
        let guarded = GuardedBytes(Array(text.utf8))
        defer { withExtendedLifetime(guarded) {} }
        let settings = CueSettings(ByteView(guarded.buffer))
        let parsed = ConformanceWords.settings(settings, knownRegions: nil)
        return [
            parsed.region.map { "region=\($0)" }, parsed.vertical.isEmpty ? nil : parsed.vertical,
            parsed.line.map { "line=\($0)\(parsed.snapToLines ? "" : "%"),\(parsed.lineAlign)" },
            parsed.position.map { "position=\($0),\(parsed.positionAlign)" },
            parsed.size == 100 ? nil : "size=\(parsed.size)", parsed.align == "center" ? nil : parsed.align,
        ].compactMap { $0 }.joined(separator: " ")
    }

    static let table: [(String, String)] = [
        ("", ""),
        ("line:0", "line=0.0,start"),
        ("line:-1", "line=-1.0,start"),
        ("line:1.5", "line=1.5,start"),
        ("line:84.67%,end", "line=84.67%,end"),
        ("line:0,center", "line=0.0,center"),
        ("line:100%", "line=100.0%,start"),
        ("line:101", "line=101.0,start"),
        // What is not legal leaves the line alone, edge and all.
        ("line:101%", ""),
        ("line:-1%", ""),
        ("line:5 line:x", "line=5.0,start"),
        ("line:1,middle", ""),
        ("line:1,", ""),
        ("line:,end", ""),
        ("line:--1", ""),
        ("line:1-", ""),
        ("line:.5", ""),
        ("line:5.", ""),
        ("line:-.5", ""),
        ("line:1.2.3", ""),
        ("line:-", ""),
        ("line:%", ""),
        ("line:1e3", ""),
        ("line:+1", ""),
        ("line: 1", ""),
        ("line:1\u{0B}", ""),
        ("position:20%,line-left", "position=20.0,lineLeft"),
        ("position:20%,line-right", "position=20.0,lineRight"),
        ("position:20%,center", "position=20.0,center"),
        ("position:20%", "position=20.0,auto"),
        ("position:20", ""),
        ("position:20%,left", ""),
        ("position:20%,auto", ""),
        ("size:35%", "size=35.0"),
        ("size:35", ""),
        ("size:0%", "size=0.0"),
        ("size:100.0001%", ""),
        ("size:35%%", ""),
        ("align:start", "start"),
        ("align:end align:left", "left"),
        ("align:right", "right"),
        ("align:middle", ""),
        ("align:Start", ""),
        ("ALIGN:start", ""),
        ("vertical:rl", "rl"),
        ("vertical:lr vertical:x", "lr"),
        ("region:a region:fred", "region=fred"),
        // A colon at the end has no value behind it.
        ("region:fred region:", "region=fred"),
        ("region:fred :a", "region=fred"),
        ("region:fred line:1", "line=1.0,start"),
        ("region:fred size:50%", "size=50.0"),
        ("region:fred vertical:rl", "rl"),
        ("region:fred position:1%", "region=fred position=1.0,auto"),
        // Words.
        ("align:end\tline:1\u{0C}size:2%", "line=1.0,start size=2.0 end"),
        ("alignend :end align: align", ""),
        ("align:start:end", ""),
        ("-->align:start", ""),
    ]

    @Test(arguments: table)
    func parses(text: String, expected: String) { #expect(Self.describe(text) == expected) }

    @Test func regions() {
        let text =
            "id:a width:40%\nlines:3\r\nregionanchor:1%,2.5% viewportanchor:10%,90%\rscroll:up lines:x scroll:down"
        let guarded = GuardedBytes(Array(text.utf8))
        defer { withExtendedLifetime(guarded) {} }
        let settings = RegionSettings(ByteView(guarded.buffer))
        #expect(settings.identifier == "a")
        #expect(settings.width == 40)
        #expect(settings.lines == 3)
        #expect(settings.regionAnchor == RegionSettings.Anchor(x: 1, y: 2.5))
        #expect(settings.viewportAnchor == RegionSettings.Anchor(x: 10, y: 90))
        #expect(settings.scrollsUp)
        let nothing = RegionSettings(ByteView("id: width:101% lines:-1 regionanchor:1% viewportanchor:1%,2 lines:3x"))
        #expect(nothing == RegionSettings(ByteView()))
        #expect(RegionSettings(ByteView("lines:99999999999999999999999999999")).lines == 10_000_000_000_000)
    }

    /// Up to 19 digits, 19 of them after the point, give the nearest value, and so do the extremes of the conformance data.
    @Test(arguments: [
        "0", "1", "00", "0.0", "100", "33.333333333333336", "0.1", "0.30000000000000004", "9007199254740993",
        "9007199254740992", "9007199254740991", "123456789012345678", "9999999999999999999", "2.2250738585072014",
        "179769313486231570000", "4.35", "0.0000000000000000001", "0.9999999999999999999", "9223372036854775807",
        "18446744073709552000", "0.000000000000000000000001", "1" + zeros(34), "17976931348623157" + zeros(292),
        "17976931348623158" + zeros(292), "17976931348623159" + zeros(292), "1" + zeros(308), "1" + zeros(309),
        "1" + zeros(400), "1" + zeros(5000), "0." + zeros(323) + "5", "0." + zeros(323) + "2", "0." + zeros(323) + "3",
        "0." + zeros(400) + "1", zeros(400) + "7", String(repeating: "9", count: 700),
        "0.5" + zeros(900) + "1", "0." + String(repeating: "9", count: 1200),
    ])
    func numbers(text: String) {
        for text in [text, "-" + text] {
            let expected = Double(text).flatMap { $0.isFinite ? $0 : nil }
            #expect(Self.number(text) == expected, "\(text)")
        }
    }

    @Test func randomNumbers() {
        var generator = SeededGenerator(seed: 8)
        for _ in 0..<4000 {
            let digits = { (count: Int, generator: inout SeededGenerator) in
                String((0..<count).map { _ in "0123456789".randomElement(using: &generator) ?? "0" })
            }
            let whole = digits(Int.random(in: 1...25, using: &generator), &generator)
            let fraction = digits(Int.random(in: 1...30, using: &generator), &generator)
            let text = Bool.random(using: &generator) ? whole : whole + "." + fraction
            guard let value = Self.number(text), let nearest = Double(text) else {
                Issue.record("\(text)")
                continue
            }
            let isShort = text.utf8.count <= 20
            #expect(value == nearest || !isShort && abs(value - nearest) <= nearest.ulp, "\(text)")
        }
    }

    private static func zeros(_ count: Int) -> String { String(repeating: "0", count: count) }

    private static func number(_ text: String) -> Double? {
        let guarded = GuardedBytes(Array(text.utf8))
        return withExtendedLifetime(guarded) { SettingNumber.value(ByteView(guarded.buffer)) }
    }
}
