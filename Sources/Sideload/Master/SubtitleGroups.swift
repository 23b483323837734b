internal import ByteScan
internal import M3U8

/// What a playlist says about its subtitle groups, gathered while its lines pass by.
///
/// Texts are kept one behind the other in `text`; entries point into it. A group is known by its name after variables
/// have been put in (8216bis 4.3).
struct SubtitleGroups: ~Copyable {
    /// A stretch of `text`.
    struct Span: BitwiseCopyable {
        let start: Int
        let end: Int
    }

    /// A group that the playlist declares or a variant uses.
    struct Group: BitwiseCopyable {
        let name: Span
        /// Whether the playlist has a tag of TYPE=SUBTITLES for it.
        var isDeclared: Bool
    }

    /// A rendition of a group: an EXT-X-MEDIA tag of TYPE=SUBTITLES.
    struct Member: BitwiseCopyable {
        let group: Int
        let line: Span
        let name: Span
        let uri: Span
        /// Whether it is still the group's default as it is written.
        let isDefault: Bool
        /// Whether it was the default and is no longer.
        let losesDefault: Bool
    }

    /// A variable and its value (8216bis 4.4.2.3).
    struct Variable: BitwiseCopyable {
        let name: Span
        let value: Span
    }

    /// What every entry counts for besides its text.
    static var entryCost: Int { 64 }

    /// What every variable counts for besides: a reference is compared with all of them, so they must not be many.
    static var variableCost: Int { 960 }

    /// A track as it is in this playlist: both texts after variables have been put in.
    struct NamedTrack: BitwiseCopyable {
        let uri: Span
        /// NAME once it is unique.
        let name: Span
    }

    let tracks: SubtitleTracks
    let limits: SideloadLimits
    var text = ReusableBuffer<UInt8>()
    var groups = ReusableBuffer<Group>()
    var members = ReusableBuffer<Member>()
    var variables = ReusableBuffer<Variable>()
    /// What decides how much is going to be appended; of no use once a limit has been exceeded.
    var growth = Growth()
    /// The tracks, in their order, once the playlist has passed by.
    var namedTracks = ReusableBuffer<NamedTrack>()
    /// The group that was declared first, or -1: made groups get its members.
    private(set) var model = -1

    /// `,SUBTITLES="…"` for variants without one, once a group has been declared; nothing before.
    private var attribute = ReusableBuffer<UInt8>()

    /// Whether the playlist has named no group, and no variable that a track's values could refer to.
    var isEmpty: Bool { groups.isEmpty && variables.isEmpty }

    init(_ tracks: SubtitleTracks, _ limits: SideloadLimits) {
        self.tracks = tracks
        self.limits = limits
    }

    mutating func reset() {
        text.removeAll()
        groups.removeAll()
        members.removeAll()
        variables.removeAll()
        namedTracks.removeAll()
        growth = Growth()
        model = -1
        attribute.removeAll()
    }

    /// Notes what `line` says, and decides what becomes of it.
    mutating func take(_ line: SelectedLine, _ edits: inout LineEdits) {
        switch line.kind {
        case .tag(.streamInf) where !edits.areIgnored: takeVariant(line, &edits)
        case .tag(.media): takeRendition(line, &edits)
        case .tag(.define): takeVariable(line, &edits)
        default: return
        }
    }

    /// Joins the group of a variant that names one. Only variants that may are shown here.
    private mutating func takeVariant(_ line: SelectedLine, _ edits: inout LineEdits) {
        var attributes = line.attributes
        while let attribute = attributes.next() {
            guard attribute.hasValue, line.bytes[attribute.name] == "SUBTITLES" else { continue }
            let name = line.bytes[attribute.content(in: line.bytes)]
            if name.contains(ASCII.quote) { return }
            let before = extent
            let kept = keepResolved(name, upTo: limits.heldRenditions)
            if !isOverfull {
                if stopIfTooLong(kept, line, before, &edits) { return }
                _ = group(named: kept)
            }
            stopIfOverfull(line, before, &edits)
            return
        }
        edits.setStandingItem(on: line, nameCount: ByteView("SUBTITLES").count)
    }

    private mutating func takeRendition(_ line: SelectedLine, _ edits: inout LineEdits) {
        guard let fields = RenditionFields(line) else { return }
        noteFallback(uses: edits.standingUses)
        let before = extent
        let groupName = keepResolved(line.bytes[fields.groupID], upTo: limits.heldRenditions)
        if stopIfOverfull(line, before, &edits) { return }
        // In a mixed playlist no more groups are named, but renditions of those that are may follow: our own among them.
        if edits.areIgnored, !isKnown(groupName) {
            text.truncate(to: groupName.start)
            return
        }
        if stopIfTooLong(groupName, line, before, &edits) { return }
        let index = group(named: groupName)
        let uri = keepResolved(line.bytes[fields.uri], upTo: limits.heldRenditions)
        let name = keepResolved(line.bytes[fields.name], upTo: limits.heldRenditions)
        let losesDefault =
            fields.isDefault && tracks.replacesDefault && !edits.areIgnored && !isDefaultTrack(uri)
        let member = Member(
            group: index, line: keep(Self.withoutCarriageReturns(line.bytes)), name: name, uri: uri,
            isDefault: fields.isDefault && !losesDefault, losesDefault: losesDefault)
        members.append(member)
        growth.noteRendition(member, isOfModel: model < 0 || model == index)
        if !groups[index].isDeclared { growth.noteDeclaration(name: groups[index].name) }
        if stopIfOverfull(line, before, &edits) { return }
        groups[index].isDeclared = true
        if model < 0 {
            model = index
            setAttribute(groups[index].name)
            edits.standingItem = attribute.view
        }
        if losesDefault { edits.replace("DEFAULT".utf8, with: "NO".utf8) }
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
            let own = keepResolved(track.uri)
            let isSame = view(own) == view(uri)
            text.truncate(to: own.start)
            return isSame
        }
        return false
    }

    private mutating func takeVariable(_ line: SelectedLine, _ edits: inout LineEdits) {
        var name: Range<Int>?
        var value: Range<Int>?
        var attributes = line.attributes
        while let attribute = attributes.next() {
            guard attribute.hasValue else { continue }
            switch line.bytes[attribute.name] {
            case "NAME": name = name ?? attribute.content(in: line.bytes)
            case "VALUE": value = value ?? attribute.content(in: line.bytes)
            default: continue
            }
        }
        // A value with a quote in it could be put into no quoted string.
        guard let name, let value, !line.bytes[value].contains(ASCII.quote) else { return }
        let before = extent
        let keptName = keep(line.bytes[name])
        let variable = Variable(name: keptName, value: keepResolved(line.bytes[value], upTo: limits.heldRenditions))
        variables.append(variable)
        growth.noteVariable(variable)
        stopIfOverfull(line, before, &edits)
    }

    /// Counts the fallback group among the groups if any variant got it, which only those did before the first declared one.
    mutating func noteFallback(uses: Int) {
        if model < 0, uses > 0 { _ = group(named: keepResolved(tracks.fallbackGroup.view)) }
    }

    private mutating func setAttribute(_ group: Span) {
        attribute.append(ByteView(",SUBTITLES=\""))
        attribute.append(view(group))
        attribute.append(ASCII.quote)
    }

    private func isKnown(_ group: Span) -> Bool {
        for index in 0..<groups.count where view(groups[index].name) == view(group) { return true }
        return false
    }

    /// The group of that name, new or known.
    mutating func group(named name: Span) -> Int {
        for index in 0..<groups.count where view(groups[index].name) == view(name) {
            text.truncate(to: name.start)
            return index
        }
        groups.append(Group(name: name, isDeclared: false))
        growth.noteGroup(name: name)
        return groups.count - 1
    }

    /// The bytes of `span`, valid until `text` next grows.
    func view(_ span: Span) -> ByteView { text.view[span.start..<span.end] }

    /// Keeps a copy of `bytes`, which are not of `text`.
    mutating func keep(_ bytes: ByteView) -> Span {
        let start = text.count
        text.append(bytes)
        return Span(start: start, end: text.count)
    }
}
