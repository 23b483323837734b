import ByteScan
import Support

@testable import WebVTT

/// What the scanner finds in a file, in the words of the conformance data.
struct ConformanceWords {
    var header: [String] = []
    var cues: [WebVTTExpectation.Cue] = []
    var styles: [String] = []
    var regions: [WebVTTExpectation.Region] = []

    init(_ file: [UInt8]) {
        Transcript.scan(file, in: [0..<file.count]) { handle($0) }
    }

    private mutating func handle(_ event: CueEvent) {
        switch event {
        case .header(let line): header.append(line.text.string)
        case .style(let block): styles.append(block.text.string)
        case .region(let block): regions.append(Self.region(block.settings))
        case .cue(let cue):
            cues.append(
                WebVTTExpectation.Cue(
                    start: cue.start.milliseconds, end: cue.end.milliseconds, identifier: cue.identifier.string,
                    settings: cue.settingsText.string, text: cue.text.string,
                    parsed: Self.settings(cue.settings, knownRegions: regions.map(\.id))))
        case .note, .unparsed, .skipped: break
        }
    }

    static func region(_ settings: RegionSettings) -> WebVTTExpectation.Region {
        WebVTTExpectation.Region(
            id: CueText(settings.identifier).string, width: settings.width, lines: Double(settings.lines),
            regionAnchor: [settings.regionAnchor.x, settings.regionAnchor.y],
            viewportAnchor: [settings.viewportAnchor.x, settings.viewportAnchor.y],
            scroll: settings.scrollsUp ? "up" : "")
    }

    /// `knownRegions` are those that come before the cue; nil where every region is known.
    static func settings(_ settings: CueSettings, knownRegions: [String]?) -> WebVTTExpectation.Settings {
        var (line, snapToLines): (Double?, Bool) = (nil, true)
        switch settings.line {
        case .auto: break
        case .number(let number): line = number
        case .percentage(let number): (line, snapToLines) = (number, false)
        }
        var region = settings.allowsRegion ? settings.regionIdentifier.map { CueText($0).string } : nil
        if let name = region, let knownRegions, !knownRegions.contains(name) { region = nil }
        let vertical =
            switch settings.writingDirection {
            case .horizontal: ""
            case .verticalGrowingLeft: "rl"
            case .verticalGrowingRight: "lr"
            }
        return WebVTTExpectation.Settings(
            region: region, vertical: vertical, snapToLines: snapToLines, line: line,
            lineAlign: "\(settings.lineAlignment)",
            position: settings.position, positionAlign: "\(settings.positionAlignment)", size: settings.size,
            align: "\(settings.textAlignment)")
    }
}
