internal import ByteScan
internal import M3U8

// The rules of a multivariant playlist that concern renditions (8216bis 4.4.6):
//
//     a variant   has BANDWIDTH and a URI; each group that it names is declared; all or none have subtitles
//     a rendition has TYPE, GROUP-ID and NAME, of subtitles a URI; LANGUAGE is a tag; FORCED is for subtitles
//     a group     has each NAME once, one DEFAULT at most, which is AUTOSELECT too
//     groups      of one type have the same members

/// Reads a multivariant playlist as a player would.
struct MasterCheck {
    /// An EXT-X-MEDIA tag.
    struct Rendition {
        let location: LineLocation
        let values: TagValues
        var type: String { values["TYPE"] ?? "" }
        var group: String { values["GROUP-ID"] ?? "" }
        var name: String { values["NAME"] ?? "" }
    }

    /// An EXT-X-STREAM-INF tag.
    struct Variant {
        let location: LineLocation
        let values: TagValues
        var uri: String?
    }

    private(set) var renditions: [Rendition] = []
    private(set) var variants: [Variant] = []

    private let name: String
    private let findings: Findings

    /// Checks `playlist`, which messages call `name`.
    init(_ playlist: [UInt8], called name: String, _ findings: Findings) {
        self.name = name
        self.findings = findings
        var (renditions, variants): ([Rendition], [Variant]) = ([], [])
        let facts = PlaylistFacts(of: playlist) { line, location in
            switch line.kind {
            case .tag(.media): renditions.append(Rendition(location: location, values: TagValues(line)))
            case .tag(.streamInf): variants.append(Variant(location: location, values: TagValues(line)))
            case .uri where !variants.isEmpty && variants[variants.count - 1].uri == nil:
                variants[variants.count - 1].uri = String(decoding: Array(line.bytes.trimmed), as: UTF8.self)
            default: break
            }
        }
        (self.renditions, self.variants) = (renditions, variants)
        if facts.verdict == .mixed {
            findings.broken(
                name, facts.decidingLine?.location, "tags of media stand in a multivariant playlist (8216bis 4.1)")
        }
        checkVariants()
        for rendition in renditions { check(rendition) }
        checkGroups()
    }

    private func checkVariants() {
        if variants.isEmpty { findings.broken(name, nil, "no EXT-X-STREAM-INF, so there is nothing to play") }
        for variant in variants {
            let values = variant.values
            if values.hasStrayQuote { findings.broken(name, variant.location, "a quote is left open or stands astray") }
            for attribute in values.contradictions {
                findings.broken(
                    name, variant.location, "\(attribute) is there twice with different values; readers disagree")
            }
            if values["BANDWIDTH"] == nil { findings.broken(name, variant.location, "no BANDWIDTH (8216bis 4.4.6.2)") }
            if variant.uri == nil { findings.broken(name, variant.location, "no URI follows the variant") }
            for type in ["SUBTITLES", "AUDIO", "VIDEO", "CLOSED-CAPTIONS"] {
                guard let group = values[type], type != "CLOSED-CAPTIONS" || group != "NONE" else { continue }
                guard !renditions.contains(where: { $0.type == type && $0.group == group }) else { continue }
                findings.broken(
                    name, variant.location,
                    "\(type) names the group \"\(group)\", which no EXT-X-MEDIA declares (4.4.6.2)")
            }
        }
        let without = variants.first { $0.values["SUBTITLES"] == nil }
        if let without, variants.contains(where: { $0.values["SUBTITLES"] != nil }) {
            findings.doubtful(
                name, without.location,
                "the variant has no SUBTITLES, others have: they go where a player switches to it")
        }
    }

    private func check(_ rendition: Rendition) {
        let values = rendition.values
        func broken(_ sentence: String) { findings.broken(name, rendition.location, sentence) }
        if values.hasStrayQuote { broken("a quote is left open or stands astray") }
        for required in ["TYPE", "GROUP-ID", "NAME"] where values[required]?.isEmpty != false {
            broken("EXT-X-MEDIA without \(required) (8216bis 4.4.6.1)")
        }
        if rendition.type == "SUBTITLES", values["URI"] == nil { broken("subtitles without URI (4.4.6.1)") }
        if rendition.type == "CLOSED-CAPTIONS", values["URI"] != nil { broken("CLOSED-CAPTIONS with URI (4.4.6.1)") }
        if rendition.type == "CLOSED-CAPTIONS", values["INSTREAM-ID"] == nil {
            broken("CLOSED-CAPTIONS without INSTREAM-ID (4.4.6.1)")
        }
        if rendition.type != "SUBTITLES", values["FORCED"] != nil { broken("FORCED is for subtitles alone (4.4.6.1)") }
        if values["DEFAULT"] == "YES", values["AUTOSELECT"].map({ $0 != "YES" }) == true {
            broken("DEFAULT=YES with AUTOSELECT other than YES (4.4.6.1)")
        }
        if let language = values["LANGUAGE"], let advice = LanguageAdvice.advice(on: language) {
            broken("LANGUAGE=\"\(language)\" \(advice)")
        }
    }

    private func checkGroups() {
        for type in ["SUBTITLES", "AUDIO", "VIDEO", "CLOSED-CAPTIONS"] {
            let all = renditions.filter { $0.type == type }
            var groups: [String] = []
            for rendition in all where !groups.contains(rendition.group) { groups.append(rendition.group) }
            for group in groups { check(all.filter { $0.group == group }, type, group) }
            guard type == "SUBTITLES", let first = groups.first else { continue }
            // What is the same in each group is known by its name.
            func members(_ group: String) -> [String: [String?]] {
                let attributes = ["LANGUAGE", "ASSOC-LANGUAGE", "DEFAULT", "AUTOSELECT", "FORCED", "CHARACTERISTICS"]
                let pairs = all.filter { $0.group == group }.map { member in
                    (member.name, attributes.map { member.values[$0] })
                }
                return Dictionary(pairs) { first, _ in first }
            }
            for group in groups.dropFirst() where members(group) != members(first) {
                let place = all.first { $0.group == group }?.location
                findings.broken(
                    name, place,
                    "the groups \"\(first)\" and \"\(group)\" of \(type) differ in their members (4.4.6.1.1)")
            }
        }
    }

    private func check(_ members: [Rendition], _ type: String, _ group: String) {
        for (index, member) in members.enumerated() where members[..<index].contains(where: { $0.name == member.name })
        {
            findings.broken(
                name, member.location,
                "NAME=\"\(member.name)\" is there twice in the group \"\(group)\" of \(type) (4.4.6.1.1)")
        }
        let defaults = members.filter { $0.values["DEFAULT"] == "YES" }
        if let second = defaults.dropFirst().first {
            findings.broken(
                name, second.location, "a second DEFAULT=YES in the group \"\(group)\" of \(type) (4.4.6.1.1)")
        }
    }
}
