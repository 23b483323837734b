import Support
import Testing

@testable import WebVTT

@Suite(.enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.skipped)))
struct WebVTTConformanceTests {
    @Test func everythingInEveryFile() throws {
        let files = try WebVTTExpectation.files() + WebVTTExpectation.corpus()
        #expect(files.count > 2000)
        for file in files {
            let found = ConformanceWords(file.bytes)
            if let header = file.header { #expect(found.header == header, "\(file)") }
            #expect(found.styles == file.styles, "\(file)")
            #expect(found.regions.map(\.id) == file.regionIdentifiers, "\(file)")
            if let regions = file.regions { #expect(found.regions == regions.map(Self.saturated), "\(file)") }
            #expect(found.cues.count == file.cues.count, "\(file)")
            for (number, (cue, expected)) in zip(found.cues, file.cues).enumerated() {
                #expect(cue.start == expected.start, "\(file), cue \(number)")
                #expect(cue.end == expected.end, "\(file), cue \(number)")
                #expect(cue.identifier == expected.identifier, "\(file), cue \(number)")
                #expect(cue.settings == expected.settings, "\(file), cue \(number)")
                #expect(cue.text == expected.text, "\(file), cue \(number)")
                if let parsed = expected.parsed { #expect(cue.parsed == Self.words(parsed), "\(file), cue \(number)") }
            }
        }
    }

    /// The number of lines is kept up to 10 to the 13th.
    private static func saturated(_ region: WebVTTExpectation.Region) -> WebVTTExpectation.Region {
        WebVTTExpectation.Region(
            id: region.id, width: region.width, lines: min(region.lines, 1e13), regionAnchor: region.regionAnchor,
            viewportAnchor: region.viewportAnchor, scroll: region.scroll)
    }

    /// `line-left` is spelled as the library spells it.
    private static func words(_ settings: WebVTTExpectation.Settings) -> WebVTTExpectation.Settings {
        let edges = ["line-left": "lineLeft", "line-right": "lineRight"]
        return WebVTTExpectation.Settings(
            region: settings.region, vertical: settings.vertical, snapToLines: settings.snapToLines,
            line: settings.line,
            lineAlign: settings.lineAlign, position: settings.position,
            positionAlign: edges[settings.positionAlign] ?? settings.positionAlign, size: settings.size,
            align: settings.align)
    }
}
