internal import ByteScan
internal import M3U8

// The rules of a multivariant playlist that concern renditions (8216bis 4.4.6):
//
//     a variant   has BANDWIDTH and a URI; each group that it names is declared; all or none have subtitles
//     I-frames    have BANDWIDTH and a URI, and name no groups of audio, subtitles or captions
//     a rendition has TYPE, GROUP-ID and NAME, of subtitles a URI; LANGUAGE is a tag; FORCED is for subtitles
//     a group     is named by a variant; has each NAME once, one DEFAULT at most, which is AUTOSELECT too; its
//                 renditions of one language stand together
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
    /// What other tags refer to.
    private(set) var references: [TagReference] = []
    /// The URI of the first variant with video, or else of the first variant.
    let firstVariant: String?

    private let name: String
    private let findings: Findings
    private static let types = ["SUBTITLES", "AUDIO", "VIDEO", "CLOSED-CAPTIONS"]

    /// Checks the playlist `text`.
    init(_ text: PlaylistText, _ findings: Findings) {
        name = text.name
        self.findings = findings
        var (renditions, variants): ([Rendition], [Variant]) = ([], [])
        var references: [TagReference] = []
        let name = text.name
        let facts = text.facts { line, location in
            guard case .tag(let tag) = line.kind else {
                if line.kind == .uri, let last = variants.indices.last, variants[last].uri == nil {
                    variants[last].uri = String(decoding: Array(line.bytes.trimmed), as: UTF8.self)
                }
                return
            }
            guard tag.hasAttributeList else { return }
            let values = TagValues(line)
            values.check(name, location, findings)
            references += TagReference.all(of: tag, values, at: location)
            switch tag {
            case .media: renditions.append(Rendition(location: location, values: values))
            case .streamInf: variants.append(Variant(location: location, values: values))
            case .iFrameStreamInf:
                for required in ["BANDWIDTH", "URI"] where values[required] == nil {
                    findings.broken(name, location, "EXT-X-I-FRAME-STREAM-INF without \(required) (8216bis 4.4.6.3)")
                }
                for stray in ["SUBTITLES", "AUDIO", "CLOSED-CAPTIONS", "FRAME-RATE"] where values[stray] != nil {
                    findings.broken(name, location, "EXT-X-I-FRAME-STREAM-INF with \(stray) (8216bis 4.4.6.3)")
                }
            default: break
            }
        }
        (self.renditions, self.variants, self.references) = (renditions, variants, references)
        firstVariant = if case .success(let uri) = facts.variant { String(decoding: uri, as: UTF8.self) } else { nil }
        if facts.verdict == .mixed {
            findings.broken(
                name, facts.decidingLine.map { text.location($0.location) },
                "tags of media stand in a multivariant playlist (8216bis 4.1)")
        }
        checkVariants()
        for rendition in renditions { check(rendition) }
        checkGroups()
    }

    private func checkVariants() {
        if variants.isEmpty { findings.broken(name, nil, "no EXT-X-STREAM-INF, so there is nothing to play") }
        let declared = Set(renditions.map { [$0.type, $0.group] })
        for variant in variants {
            let values = variant.values
            if values["BANDWIDTH"] == nil { findings.broken(name, variant.location, "no BANDWIDTH (8216bis 4.4.6.2)") }
            if variant.uri == nil { findings.broken(name, variant.location, "no URI follows the variant") }
            for type in Self.types {
                guard let group = values[type], type != "CLOSED-CAPTIONS" || group != "NONE" else { continue }
                guard !declared.contains([type, group]) else { continue }
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
        func doubtful(_ sentence: String) { findings.doubtful(name, rendition.location, sentence) }
        for required in ["TYPE", "GROUP-ID", "NAME"] where values[required]?.isEmpty != false {
            broken("EXT-X-MEDIA without \(required) (8216bis 4.4.6.1)")
        }
        if let type = values["TYPE"], !Self.types.contains(type) {
            broken("TYPE is none of \(Self.types.joined(separator: ", "))")
        }
        if rendition.type == "SUBTITLES", values["URI"] == nil { broken("subtitles without URI (4.4.6.1)") }
        if rendition.type == "CLOSED-CAPTIONS", values["URI"] != nil { broken("CLOSED-CAPTIONS with URI (4.4.6.1)") }
        if rendition.type == "CLOSED-CAPTIONS", values["INSTREAM-ID"] == nil {
            broken("CLOSED-CAPTIONS without INSTREAM-ID (4.4.6.1)")
        }
        if rendition.type != "SUBTITLES", values["FORCED"] != nil { broken("FORCED is for subtitles alone (4.4.6.1)") }
        for word in ["DEFAULT", "AUTOSELECT", "FORCED"] {
            if let value = values[word], value != "YES", value != "NO" {
                broken("\(word) is neither YES nor NO (4.4.6.1)")
            }
        }
        if values["DEFAULT"] == "YES", values["AUTOSELECT"] == "NO" {
            broken("DEFAULT=YES with AUTOSELECT other than YES (4.4.6.1)")
        }
        for attribute in ["LANGUAGE", "ASSOC-LANGUAGE"] {
            guard let language = values[attribute] else { continue }
            if let advice = LanguageAdvice.advice(on: language) {
                broken("\(attribute)=\"\(language)\" \(advice)")
            } else if let better = LanguageAdvice.shorter(language) {
                doubtful("\(attribute)=\"\(language)\" is \(better) in BCP 47, by which players choose")
            }
        }
        if let id = values["STABLE-RENDITION-ID"], !id.utf8.allSatisfy(Self.isStableIDByte) {
            broken("STABLE-RENDITION-ID holds other bytes than letters, digits and +/=.-_ (4.4.6.1)")
        }
        checkCharacteristics(of: rendition, doubtful)
    }

    /// Whether a STABLE-RENDITION-ID may hold `byte`.
    private static func isStableIDByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || "+/=.-_".utf8.contains(byte)
    }

    /// Tracks for the deaf and hard of hearing have both characteristics, and are chosen by themselves (AAS 4.5, 4.6).
    private func checkCharacteristics(of rendition: Rendition, _ doubtful: (String) -> Void) {
        let both = ["public.accessibility.transcribes-spoken-dialog", "public.accessibility.describes-music-and-sound"]
        let own = (rendition.values["CHARACTERISTICS"] ?? "").pieces(at: ",")
        guard rendition.type == "SUBTITLES", both.contains(where: own.contains) else { return }
        if let missing = both.first(where: { !own.contains($0) }) {
            doubtful("CHARACTERISTICS without \(missing), so Apple's players show no SDH (AAS 4.5)")
        }
        if rendition.values["AUTOSELECT"] != "YES" { doubtful("SDH without AUTOSELECT=YES (AAS 4.6)") }
    }

    private func checkGroups() {
        for type in Self.types {
            let all = renditions.filter { $0.type == type }
            var groups: [String] = []
            for rendition in all where !groups.contains(rendition.group) { groups.append(rendition.group) }
            for group in groups { check(all.filter { $0.group == group }, type, group) }
            guard type == "SUBTITLES", let first = groups.first else { continue }
            for group in groups where !variants.contains(where: { $0.values[type] == group }) {
                findings.doubtful(
                    name, all.first { $0.group == group }?.location,
                    "no variant names the group \"\(group)\" of \(type), so its tracks show nowhere")
            }
            // All attributes are the same in each group, but for these (4.4.6.1.1). A name tells which is which.
            func members(_ group: String) -> [String: [String: String]] {
                let pairs = all.filter { $0.group == group }.map { member in
                    (member.name, member.values.all.filter { !["GROUP-ID", "URI", "CHANNELS"].contains($0.key) })
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
        var names: Set<String> = []
        for member in members where !names.insert(member.name).inserted {
            findings.broken(
                name, member.location,
                "NAME=\"\(member.name)\" is there twice in the group \"\(group)\" of \(type) (4.4.6.1.1)")
        }
        if type == "SUBTITLES" {
            let languages = members.map { $0.values["LANGUAGE"] ?? "" }
            for (index, language) in languages.enumerated() where index > 0 && language != languages[index - 1] {
                guard !language.isEmpty, languages[..<index].contains(language) else { continue }
                findings.doubtful(
                    name, members[index].location,
                    "tracks of \(language) in the group \"\(group)\" do not stand together (AAS 9.17)")
            }
        }
        let defaults = members.filter { $0.values["DEFAULT"] == "YES" }
        if let second = defaults.dropFirst().first {
            findings.broken(
                name, second.location, "a second DEFAULT=YES in the group \"\(group)\" of \(type) (4.4.6.1.1)")
        }
    }
}

extension TagValues {
    /// Tells what is wrong with the list itself (8216bis 4.2).
    func check(_ name: String, _ location: LineLocation, _ findings: Findings) {
        if hasStrayQuote { findings.broken(name, location, "a quote is left open or stands astray") }
        for attribute in contradictions {
            findings.broken(name, location, "\(attribute) is there twice with different values; readers disagree")
        }
    }
}
