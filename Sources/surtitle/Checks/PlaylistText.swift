internal import ByteScan
internal import Encodings
internal import M3U8

// The text of a playlist before any tag means something (8216bis 4.1 to 4.3): UTF-8 without control characters, in
// which a player puts values in the place of variables.
//
//     file     #EXT-X-DEFINE:NAME="cdn",VALUE="https://a"⏎{$cdn}/v.m3u8⏎
//     text     #EXT-X-DEFINE:NAME="cdn",VALUE="https://a"⏎https://a/v.m3u8⏎
//
// A line stays a line. So a location in the text is one in the file, but for its byte, which `location` gives back.

/// A playlist as a player reads it.
struct PlaylistText {
    /// What messages call the file.
    let name: String
    /// Against what its references are resolved.
    let place: String
    /// The text, with values in the place of variables.
    private(set) var bytes: [UInt8]
    /// What its variables stand for.
    let variables = Variables()

    /// Where each line begins in the file; empty if the text is the file.
    private var positions: [Int] = []

    /// The text of `file`, which messages call `name`, and what is wrong with it. A media playlist may import the
    /// variables of the multivariant one.
    init(_ file: [UInt8], called name: String, at place: String, importing master: Variables?, _ findings: Findings) {
        (self.name, self.place, bytes) = (name, place, file)
        var checker = UTF8Checker()
        file.withView { checker.scan($0) }
        if let position = checker.firstMalformed {
            findings.broken(name, nil, "at byte \(position): not UTF-8 (8216bis 4.1)")
        }
        if file.starts(with: [0xEF, 0xBB, 0xBF]) {
            findings.broken(name, nil, "at byte 0: a byte order mark, at which players should stop (8216bis 4.1)")
        }
        var (text, positions): ([UInt8], [Int]) = ([], [])
        var (hasControl, isChanged) = (false, false)
        let variables = variables
        _ = PlaylistFacts(of: file) { line, location in
            positions.append(location.position)
            if !hasControl, Self.hasControlCharacter(line.bytes) {
                hasControl = true
                findings.broken(name, location, "a control character (8216bis 4.1)")
            }
            if line.kind == .tag(.define) {
                for fault in variables.define(TagValues(line), in: place, importing: master) {
                    findings.add(fault.isCertain, name, location, fault.sentence)
                }
            }
            let read = Self.takesVariables(line) ? variables.applied(to: line.bytes) : Array(line.bytes)
            for reference in Self.takesVariables(line) ? variables.undefined(in: read) : [] {
                findings.broken(
                    name, location, "{$\(reference)} has no EXT-X-DEFINE before it, at which players stop (8216bis 4.3)"
                )
            }
            isChanged = isChanged || read.count != line.bytes.count || !read.elementsEqual(line.bytes)
            text += read + [ASCII.lineFeed]
        }
        if isChanged { (bytes, self.positions) = (text, positions) }
    }

    /// Where `location`, one in the text, is in the file.
    func location(_ location: LineLocation) -> LineLocation {
        guard location.number <= positions.count else { return location }
        return LineLocation(position: positions[location.number - 1], number: location.number)
    }

    /// What the text says, and its lines with their locations in the file.
    func facts(asking questions: PlaylistFacts.Questions = [], _ body: PlaylistReader.Body = { _, _ in })
        -> PlaylistFacts
    {
        PlaylistFacts(of: bytes, asking: questions) { line, location in body(line, self.location(location)) }
    }

    /// Whether values stand in `line` in the place of variables (8216bis 4.3).
    private static func takesVariables(_ line: PlaylistLine) -> Bool {
        switch line.kind {
        case .uri: true
        case .tag(let tag): tag.hasAttributeList && tag != .define
        default: false
        }
    }

    /// Whether there is a control character but for tabs, which every reader takes for spaces.
    private static func hasControlCharacter(_ line: ByteView) -> Bool {
        line.hasControlCharacter && line.filter { $0 != ASCII.tab }.withView { $0.hasControlCharacter }
    }
}

/// What the variables of a playlist stand for (8216bis 4.4.2.3).
final class Variables {
    /// What is wrong with an EXT-X-DEFINE, or may be.
    struct Fault {
        let isCertain: Bool
        let sentence: String
    }

    private var values = PlaylistVariables()
    private var names: Set<String> = []

    /// Takes what an EXT-X-DEFINE says, in the playlist at `place`.
    func define(_ tag: TagValues, in place: String, importing master: Variables?) -> [Fault] {
        guard let name = tag["NAME"] ?? tag["QUERYPARAM"] ?? tag["IMPORT"], !name.isEmpty else {
            return [Fault(isCertain: true, sentence: "EXT-X-DEFINE without NAME, IMPORT or QUERYPARAM (4.4.2.3)")]
        }
        guard names.insert(name).inserted else {
            return [
                Fault(isCertain: true, sentence: "a second EXT-X-DEFINE of \(name), at which players stop (4.4.2.3)")
            ]
        }
        var value: [UInt8]?
        if tag["NAME"] != nil {
            guard let text = tag["VALUE"] else {
                return [Fault(isCertain: true, sentence: "EXT-X-DEFINE of \(name) without VALUE (4.4.2.3)")]
            }
            value = text.withView(applied)
        } else if tag["QUERYPARAM"] != nil {
            value = Self.parameter(name, of: place)
            if value == nil {
                return [
                    Fault(
                        isCertain: Web.isURL(place),
                        sentence: "QUERYPARAM names \(name), which is not in the query of \(place)")
                ]
            }
        } else {
            value = master?.value(of: name)
            if value == nil {
                return [
                    Fault(
                        isCertain: master != nil,
                        sentence: "IMPORT names \(name), which comes from the multivariant playlist"
                            + (master == nil ? "" : ", and is not defined there (4.4.2.3)"))
                ]
            }
        }
        if let value { name.withView { name in value.withView { values.add(name, $0) } } }
        return []
    }

    /// `text` with values in the place of variables.
    func applied(to text: ByteView) -> [UInt8] {
        var output = ReusableBuffer<UInt8>()
        values.substitute(text, into: &output)
        return Array(output.view)
    }

    /// The variables that `text` refers to and of which no EXT-X-DEFINE has said anything.
    func undefined(in text: [UInt8]) -> [String] {
        guard text.contains(ASCII.dollar) else { return [] }
        return String(decoding: text, as: UTF8.self).pieces(at: "{").dropFirst().compactMap { piece in
            guard piece.utf8.first == ASCII.dollar, let name = piece.cut(at: "}")?.before.unicodeScalars.dropFirst()
            else {
                return nil
            }
            return names.contains(String(name)) ? nil : String(name)
        }
    }

    private func value(of name: String) -> [UInt8]? {
        let reference = "{$\(name)}"
        let value = reference.withView(applied)
        return value.elementsEqual(reference.utf8) ? nil : value
    }

    /// The value of the parameter `name` in the query of `url`.
    private static func parameter(_ name: String, of url: String) -> [UInt8]? {
        guard let query = url.cut(at: "?")?.after, let items = query.pieces(at: "#").first else { return nil }
        for item in items.pieces(at: "&") {
            if let (key, value) = item.cut(at: "="), key == name { return Array(value.utf8) }
        }
        return nil
    }
}
