internal import ByteScan
internal import WebVTT

/// Why a cue of a WebVTT file never shows in a player.
enum CueFault: Int, CaseIterable {
    /// `00:00:01,000 --> 00:00:02,000`: SubRip's comma.
    case comma
    /// `00:00:01.000 -> 00:00:02.000`, or any other arrow.
    case arrow
    /// A line with an arrow and other times than WebVTT has.
    case times
    /// It ends at its start or before.
    case neverShows
    /// An X-TIMESTAMP-MAP behind a blank line: not a cue, but what says when all of them show.
    case strayMap

    /// Why the block is no cue although it was meant to be one; nil if nothing shows that.
    init?(_ block: UnparsedBlock) {
        let text = block.text.bytes
        switch block.reason {
        case .malformedTiming: self = Self.hasComma(text) ? .comma : .times
        case .noTiming:
            if text.hasBytes("X-TIMESTAMP-MAP", at: 0) {
                self = .strayMap
                return
            }
            guard Self.hasOtherArrow(text) else { return nil }
            self = .arrow
        default: return nil
        }
    }

    /// What it means for so many cues.
    func words(_ count: Int) -> String {
        let cues = count == 1 ? "1 cue" : "\(count) cues"
        return switch self {
        case .comma:
            "\(cues) with a comma in the times, which no player reads; write a period: 00:00:01.000 --> 00:00:02.000"
        case .arrow: "\(cues) with another arrow than -->, which no player reads; write -->"
        case .times: "\(cues) with times that no player reads; write them like 00:00:01.000 --> 00:00:02.000"
        case .strayMap:
            "X-TIMESTAMP-MAP behind a blank line, where no player looks for it; write it right below WEBVTT"
        case .neverShows:
            "\(cues) that \(count == 1 ? "ends" : "end") at the start or before, and never \(count == 1 ? "shows" : "show")"
        }
    }

    /// Whether a digit, a comma and a digit stand together.
    private static func hasComma(_ text: ByteView) -> Bool {
        var offset = 1
        while let comma = text.firstOffset(of: ASCII.comma, from: offset), comma + 1 < text.count {
            if ASCII.isDigit(text[comma - 1]), ASCII.isDigit(text[comma + 1]) { return true }
            offset = comma + 1
        }
        return false
    }

    /// Whether one of the first two lines begins with a digit and has a colon, and then something like an arrow
    /// between two numbers.
    private static func hasOtherArrow(_ text: ByteView) -> Bool {
        let lines = text.prefix(upTo: min(text.count, 256)).split(omittingEmptySubsequences: true) {
            $0 == ASCII.lineFeed || $0 == ASCII.carriageReturn
        }
        return lines.prefix(2).contains { line in
            let line = String(decoding: Array(line), as: UTF8.self)
            guard line.utf8.first.map(ASCII.isDigit) == true, line.utf8.contains(ASCII.colon) else { return false }
            // What ends like an arrow, or is one of another kind.
            return line.unicodeScalars.dropFirst().contains { $0 == ">" || $0 == "\u{2192}" }
        }
    }
}

extension CueInventory {
    /// Ends the file, which messages call `name`, and notes what keeps cues of it from showing.
    func noteFaults(of name: String, _ note: String = "") {
        finish()
        for fault in faults(note) { Console.note("\(name): \(fault)") }
    }

    /// What keeps cues of the file from showing, a sentence each; `note` is added to each location.
    func faults(_ note: String = "") -> [String] {
        CueFault.allCases.compactMap { fault in hidden[fault].map { "\($0.first)\(note): \(fault.words($0.count))" } }
    }
}
