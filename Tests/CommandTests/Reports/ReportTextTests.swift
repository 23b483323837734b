import Testing

@testable import surtitle

@Suite struct ReportTextTests {
    /// Of two pieces of 1 MiB so many fit into a report about so many bytes.
    @Test(arguments: [(0, 0), (10_000, 0), (20_000, 1), (.max / 4, 2), (.max / 4 + 1, 2), (.max, 2)])
    func isBoundedByWhatItIsAbout(_ byteCount: Int, _ fitting: Int) {
        var report = ReportText(about: byteCount)
        let piece = String(repeating: "x", count: 1 << 20)
        #expect(report.append(asManyOf: [piece, piece]) == 2 - fitting)
        #expect(report.text.utf8.count == fitting << 20)
    }
}
