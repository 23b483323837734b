internal import ByteScan
internal import M3U8

// Which group a variant gets, and what the playlist says of its own groups.
//
// Lines are handled as they pass by. A variant that names a group uses it; one that names none gets the first group
// declared so far, or the fallback group. Renditions and variables are noted in the ledger. At the end
// (SubtitleGroups+Declarations.swift) every group, declared or only used, gets every track.
//
// What would exceed a limit leaves no trace: each handler checks before it adds anything, and `handle` is the only
// place that undoes. A variant may name several groups; those before the one that exceeds a limit stay. To add a limit:
// a value in SideloadLimits, a case of LimitError, and a `require…` that handlers try.
struct SubtitleGroups: ~Copyable {
    typealias Span = TextArena.Span

    let tracks: SubtitleTracks
    let limits: SideloadLimits
    var ledger = RenditionLedger()
    /// The tracks by the names they get, in their order, once the playlist has passed by.
    var namedTracks = ReusableBuffer<NamedTrack>()
    /// Which numbers, from 2 on, are taken of a name that is to be made unique.
    var takenNumbers = ReusableBuffer<Bool>()
    /// `,SUBTITLES="…"` for variants without one, once a group has been declared; nothing before.
    private var attribute = ReusableBuffer<UInt8>()
    /// The value of the variable at hand.
    private var value = ReusableBuffer<UInt8>()
    private var budget = AppendBudget()
    /// How many variants keep their lines because they name a group, of those that were shown here.
    private(set) var variantsWithGroup = 0
    /// `,SUBTITLES="…"` with the group that was declared first, or that a variant has named since, once there is one.
    private var usedAttribute = ReusableBuffer<UInt8>()

    /// Whether a line has been handled since the last reset: before that nothing else happens that a reset undoes.
    private var isUsed = false

    init(_ tracks: SubtitleTracks, _ limits: SideloadLimits) {
        self.tracks = tracks
        self.limits = limits
    }

    mutating func reset() {
        guard isUsed else { return }
        isUsed = false
        ledger.removeAll()
        namedTracks.removeAll()
        takenNumbers.removeAll()
        attribute.removeAll()
        budget = AppendBudget()
        variantsWithGroup = 0
        usedAttribute.removeAll()
    }

    /// Notes what `line` says, and decides what becomes of it.
    mutating func handle(_ line: SelectedLine, _ edits: inout LineEdits) {
        isUsed = true
        do throws(LimitError) {
            switch line.kind {
            case .tag(.streamInf) where !edits.areIgnored: try handleVariant(line, &edits)
            case .tag(.media): try handleRendition(line, &edits)
            case .tag(.define): try handleVariable(line)
            default: return
            }
        } catch {
            ledger.rollBack()
            edits.stop(error)
        }
        edits.appended.known = nameIsKnown ? usedAttribute.view : ByteView()
    }

    /// Counts the fallback group among the groups if a variant got it. Only those before the first declared group do.
    mutating func noteFallback(uses: Int) {
        guard ledger.templateGroup == nil, uses > 0 else { return }
        let name = ledger.resolve(tracks.fallbackGroup)
        guard ledger.group(named: name) == nil else { return ledger.rollBack() }
        budget.countGroup(name: name)
        _ = ledger.addGroup(name)
    }

    // MARK: A handler for each tag

    /// A variant that names groups uses them; one that names none gets one. Variants without `SUBTITLES` that cannot be
    /// edited are not shown here.
    ///
    /// Of two SUBTITLES the first decides whether the variant names a group, but readers disagree on which counts: all
    /// that name one are used. One with a quote inside tells nothing, and where it ends is anybody's guess; one with a
    /// control character could not be written again. Such a line is refused.
    private mutating func handleVariant(_ line: SelectedLine, _ edits: inout LineEdits) throws(LimitError) {
        var namesGroup: Bool?
        var isReadable = true
        var attributes = line.attributes
        while let attribute = attributes.next() {
            guard attribute.hasValue, line.bytes[attribute.name] == "SUBTITLES" else { continue }
            let content = line.bytes[attribute.content(in: line.bytes)]
            if !content.isQuotable {
                isReadable = false
            } else {
                let isNamed = try useGroup(named: content, by: line)
                namesGroup = namesGroup ?? isNamed
            }
        }
        if !isReadable {
            edits.refuse()
        } else if namesGroup == true {
            variantsWithGroup += 1
        } else {
            edits.appendAttribute(to: line)
        }
    }

    /// Notes that the variant on `line` names the group `content`, and tells whether that is a name: nothing is none,
    /// before and after variables are put in.
    private mutating func useGroup(named content: ByteView, by line: SelectedLine) throws(LimitError) -> Bool {
        let name = ledger.resolve(content, upTo: limits.heldRenditions)
        try requireMemory(at: line)
        try requireLength(of: name, at: line)
        let known = ledger.group(named: name)
        guard name.count > 0, known == nil else {
            ledger.rollBack()
            if let known { noteUse(of: known) }
            return name.count > 0
        }
        budget.countGroup(name: name)
        try requireMemory(for: RenditionLedger.entryCost, at: line)
        try requireBudget(at: line)
        noteUse(of: ledger.addGroup(name))
        return true
    }

    /// Whether nothing is to be noted of a variant that names the group of `usedAttribute`, as most do: the name stands
    /// for itself, and no limit would be exceeded while it is looked up.
    private var nameIsKnown: Bool {
        let name = usedAttribute.count &- ByteView(",SUBTITLES=\"\"").count
        return name > 0 && ledger.variables.isEmpty && name <= limits.longestGroupID
            && ledger.cost + name <= limits.heldRenditions
    }

    /// Notes that variants are likely to use `group`.
    private mutating func noteUse(of group: Int) {
        usedAttribute.removeAll()
        usedAttribute.append(ByteView(",SUBTITLES=\""))
        usedAttribute.append(ledger.text.view(ledger.name(ofGroup: group)))
        usedAttribute.append(ASCII.quote)
    }

    private mutating func handleRendition(_ line: SelectedLine, _ edits: inout LineEdits) throws(LimitError) {
        guard let fields = RenditionFields(line) else { return }
        noteFallback(uses: edits.appended.uses)
        let groupName = ledger.resolve(line.bytes[fields.groupID], upTo: limits.heldRenditions)
        try requireMemory(at: line)
        let known = ledger.group(named: groupName)
        // In a mixed playlist no more groups are named, but renditions of those that are may follow: our own among
        // them.
        // A group without a name is none, unless it is the caller's fallback.
        if known == nil, edits.areIgnored || groupName.count == 0 { return ledger.rollBack() }
        try requireLength(of: groupName, at: line)
        if known != nil { ledger.rollBack() }

        let uri = ledger.resolve(line.bytes[fields.uri], upTo: limits.heldRenditions)
        let name = ledger.resolve(line.bytes[fields.name], upTo: limits.heldRenditions)
        let givesWay = fields.isDefault && tracks.replacesDefault && !edits.areIgnored && !isDefaultTrack(uri)
        let rendition = RenditionLedger.Rendition(
            line: ledger.text.append(Self.withoutCarriageReturns(line.bytes)), name: name, uri: uri,
            role: givesWay ? .formerDefault : fields.isDefault ? .groupDefault : .ordinary)
        let isFirst = ledger.templateGroup == nil
        if known == nil { budget.countGroup(name: groupName) }
        if known.map({ !ledger.isDeclared(group: $0) }) ?? true { budget.countDeclaration(name: groupName) }
        budget.countRendition(rendition, isInTemplate: isFirst || ledger.templateGroup == known)
        try requireMemory(for: (known == nil ? 2 : 1) * RenditionLedger.entryCost, at: line)
        try requireBudget(at: line)

        let group = known ?? ledger.addGroup(groupName)
        ledger.add(rendition, to: group)
        if isFirst {
            noteUse(of: group)
            attribute.append(usedAttribute.view)
            edits.appended.bytes = attribute.view
        }
        if givesWay { unsafe edits.replace(ByteView("DEFAULT").buffer, with: ByteView("NO").buffer) }
    }

    private mutating func handleVariable(_ line: SelectedLine) throws(LimitError) {
        // Any value that could be put into no quoted string is none: references to it stay as they are written.
        let name = ledger.variables.definition(in: line, through: &value, upTo: limits.heldRenditions)
        guard let name else { return }
        budget.countVariable(value: value.count)
        try requireMemory(for: name.count + value.count + PlaylistVariables.entryCost, at: line)
        try requireBudget(at: line)
        ledger.variables.add(name, value.view)
    }

    /// A tag without stray CRs at its end, which would become part of the line ending of a copy.
    private static func withoutCarriageReturns(_ line: ByteView) -> ByteView {
        var end = line.count
        while end > 0, line[end - 1] == ASCII.carriageReturn { end -= 1 }
        return line.prefix(upTo: end)
    }

    /// Whether the rendition at `uri` is the track that asks to be the default.
    private mutating func isDefaultTrack(_ uri: Span) -> Bool {
        for track in tracks.rendered where track.isDefault {
            let own = ledger.resolve(track.uri)
            defer { ledger.text.truncate(to: own.start) }
            return ledger.text.view(own) == ledger.text.view(uri)
        }
        return false
    }

    // MARK: Limits

    /// Throws if what is remembered, and an entry that costs `entry`, is more than may be.
    private func requireMemory(for entry: Int = 0, at line: SelectedLine) throws(LimitError) {
        guard ledger.cost + entry > limits.heldRenditions else { return }
        throw LimitError(.heldRenditions, bytes: limits.heldRenditions, position: line.position)
    }

    private func requireLength(of group: Span, at line: SelectedLine) throws(LimitError) {
        guard group.count > limits.longestGroupID else { return }
        throw LimitError(.longestGroupID, bytes: limits.longestGroupID, position: line.position)
    }

    private func requireBudget(at line: SelectedLine) throws(LimitError) {
        guard budget.byteCount(for: tracks.sizes) > limits.appendedTags else { return }
        throw LimitError(.appendedTags, bytes: limits.appendedTags, position: line.position)
    }
}

/// What sideloading must know of an EXT-X-MEDIA tag, as ranges of its line (8216bis 4.4.6.1).
private struct RenditionFields {
    let groupID: Range<Int>
    let name: Range<Int>
    let uri: Range<Int>
    let isDefault: Bool

    /// The fields of `line`; nil if the tag is not of TYPE=SUBTITLES, or has no GROUP-ID that could be written again.
    init?(_ line: SelectedLine) {
        var type: Range<Int>?
        var groupID: Range<Int>?
        var name: Range<Int>?
        var uri: Range<Int>?
        var isDefault: Range<Int>?
        var attributes = line.attributes
        while let attribute = attributes.next() {
            guard attribute.hasValue else { continue }
            switch line.bytes[attribute.name] {
            case "TYPE": type = type ?? attribute.content(in: line.bytes)
            case "GROUP-ID": groupID = groupID ?? attribute.content(in: line.bytes)
            case "NAME": name = name ?? attribute.content(in: line.bytes)
            case "URI": uri = uri ?? attribute.content(in: line.bytes)
            case "DEFAULT": isDefault = isDefault ?? attribute.content(in: line.bytes)
            default: continue
            }
        }
        guard let type, line.bytes[type] == "SUBTITLES", !attributes.endsInsideQuotes,
            let groupID, line.bytes[groupID].isQuotable
        else { return nil }
        self.groupID = groupID
        self.name = name ?? 0..<0
        self.uri = uri ?? 0..<0
        self.isDefault = isDefault.map { line.bytes[$0] == "YES" } ?? false
    }
}
