/// The subtitle groups of a multivariant playlist, read line by line (8216bis 4.4.6).
struct NaiveMaster {
    /// An EXT-X-MEDIA tag of TYPE=SUBTITLES.
    struct Rendition {
        /// The line as the output has it.
        var line: String
        var name: String
        var uri: String
        var isDefault: Bool

        /// The same line for another group, without stray CRs at its end.
        func line(inGroup group: String) -> String {
            var list = Array(Array(line.utf8).dropFirst("#EXT-X-MEDIA:".utf8.count))
            while list.last == 0x0D { list.removeLast() }
            let changed = NaiveRewriter.edited(list, [.replace(name: "GROUP-ID", value: "\"\(group)\"")])
            return "#EXT-X-MEDIA:" + NaiveSideload.text(changed)
        }
    }

    /// A group that is declared or used.
    struct Group {
        var name: String
        var isDeclared = false
        var renditions: [Rendition] = []
    }

    var fallbackGroup = "subs"
    /// The groups that are used or declared.
    private(set) var groups: [Group] = []
    /// The index of the group that was declared first: variants get it, and synthesized groups get its renditions.
    private(set) var template: Int?
    /// The playlist's own lines, edited.
    private(set) var edited: [UInt8] = []
    /// How many variants could not be given a group.
    private(set) var uneditableLines = 0
    private var variables: [(name: String, value: String)] = []
    private let defaultURI: String?

    /// Reads a playlist in which every default gives way but that of the rendition at `uri`.
    init(prefersDefaultOf uri: String?) { defaultURI = uri }

    mutating func read(_ text: [UInt8]) {
        var verdict = NaivePlaylist.isPlaylist(text) ? NaivePlaylist.Verdict.undecided : .notPlaylist
        for (index, line) in NaivePlaylist.lines(of: text).enumerated() {
            verdict = verdict.after(line)
            let isEdited = index > 0 && (verdict == .undecided || verdict == .multivariant)
            edited += isEdited ? parse(line) + line.ending : line.whole
            // In the rest of a mixed playlist only renditions of groups named before are read.
            if verdict == .mixed, isMultivariantFirst(text), let name = line.tagName.map(NaiveSideload.text) {
                if name == "EXT-X-MEDIA" { _ = takeRendition(line, isEdited: false) }
                if name == "EXT-X-DEFINE" { _ = parse(line) }
            }
        }
    }

    private func isMultivariantFirst(_ text: [UInt8]) -> Bool {
        NaivePlaylist.lines(of: text).lazy
            .map { NaivePlaylist.Verdict.undecided.after($0) }
            .first { $0 != .undecided } == .multivariant
    }

    /// Substitutes the variables known so far, once (8216bis 4.3).
    func resolved(_ text: String) -> String {
        var rest = text[...]
        var resolved = ""
        while let start = rest.firstRange(of: "{$") {
            resolved += rest[..<start.lowerBound]
            rest = rest[start.lowerBound...]
            let name = rest.dropFirst(2).prefix { $0 != "}" }
            if rest.dropFirst(2 + name.count).first == "}", let variable = variables.first(where: { $0.name == name }) {
                resolved += variable.value
                rest = rest.dropFirst(3 + name.count)
            } else {
                resolved += rest.prefix(1)
                rest = rest.dropFirst()
            }
        }
        return resolved + rest
    }

    private mutating func parse(_ line: NaivePlaylist.Line) -> [UInt8] {
        let isClosed = line.value.map(NaiveAttributes.isClosed) ?? false
        switch line.tagName.map(NaiveSideload.text) {
        case "EXT-X-STREAM-INF": return takeVariant(line, isClosed: isClosed)
        case "EXT-X-MEDIA" where isClosed: return takeRendition(line)
        case "EXT-X-DEFINE":
            if let name = NaiveAttributes.first("NAME", in: line.list),
                let value = NaiveAttributes.first("VALUE", in: line.list), NaiveAttributes.isQuotable(value)
            {
                variables.append((NaiveSideload.text(name), resolved(NaiveSideload.text(value))))
            }
            return line.content
        default: return line.content
        }
    }

    private mutating func takeVariant(_ line: NaivePlaylist.Line, isClosed: Bool) -> [UInt8] {
        let list = line.value ?? []
        let values = NaiveAttributes.items(of: line.list)
            .filter { $0.name == Array("SUBTITLES".utf8) && $0.value != nil }.map(\.content)
        let readable = values.filter(NaiveAttributes.isQuotable).map { resolved(NaiveSideload.text($0)) }
        for group in readable where !group.isEmpty { use(group) }
        if readable.count == values.count, readable.first?.isEmpty == false { return line.content }
        guard line.value != nil, isClosed, readable.count == values.count else {
            uneditableLines += 1
            return line.content
        }
        let group = template.map { groups[$0].name } ?? fallbackGroup
        use(resolved(group))
        let value = "\"\(group)\""
        return line.content.dropLast(list.count) + NaiveRewriter.edited(list, [.set(name: "SUBTITLES", value: value)])
    }

    private mutating func takeRendition(_ line: NaivePlaylist.Line, isEdited: Bool = true) -> [UInt8] {
        let list = line.value ?? []
        func content(_ name: String) -> String? { NaiveAttributes.first(name, in: line.list).map(NaiveSideload.text) }
        guard content("TYPE") == "SUBTITLES", let groupID = content("GROUP-ID"),
            NaiveAttributes.isQuotable(Array(groupID.utf8))
        else {
            return line.content
        }
        let name = resolved(groupID)
        let isKnown = groups.contains { $0.name == name }
        guard isKnown || (isEdited && !name.isEmpty), NaiveAttributes.isClosed(list) else {
            return line.content
        }
        let group = use(name)
        declare(group)
        let uri = resolved(content("URI") ?? "")
        let isDefault = content("DEFAULT") == "YES"
        let losesDefault = isEdited && isDefault && defaultURI != nil && uri != resolved(defaultURI ?? "")
        let operations = losesDefault ? [NaiveRewriter.Operation.replace(name: "DEFAULT", value: "NO")] : []
        let edited = Array(line.content.dropLast(list.count)) + NaiveRewriter.edited(list, operations)
        groups[group].renditions.append(
            Rendition(
                line: NaiveSideload.text(edited), name: resolved(content("NAME") ?? ""), uri: uri,
                isDefault: isDefault && !losesDefault))
        return edited
    }

    @discardableResult
    private mutating func use(_ name: String) -> Int {
        if let index = groups.firstIndex(where: { $0.name == name }) { return index }
        groups.append(Group(name: name))
        return groups.count - 1
    }

    private mutating func declare(_ index: Int) {
        groups[index].isDeclared = true
        if template == nil { template = index }
    }
}
