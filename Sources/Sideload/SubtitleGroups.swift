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

    let heldBytes: Int
    var text = ReusableBuffer<UInt8>()
    var groups = ReusableBuffer<Group>()
    var members = ReusableBuffer<Member>()
    var variables = ReusableBuffer<Variable>()
    /// The tracks' names once they are unique, in the tracks' order.
    var trackNames = ReusableBuffer<Span>()

    /// `,SUBTITLES="…"` for variants without one, once a group has been declared; nothing before.
    private var attribute = ReusableBuffer<UInt8>()

    /// Whether the playlist has named no group.
    var isEmpty: Bool { groups.isEmpty }

    init(heldBytes: Int) { self.heldBytes = heldBytes }

    mutating func reset() {
        text.removeAll()
        groups.removeAll()
        members.removeAll()
        variables.removeAll()
        trackNames.removeAll()
        attribute.removeAll()
    }

    /// Notes what `line` says, and decides what becomes of it.
    mutating func take(_ line: SelectedLine, _ tracks: SubtitleTracks, _ edits: inout LineEdits) {
        switch line.kind {
        case .tag(.streamInf): takeVariant(line, &edits)
        case .tag(.media): takeRendition(line, tracks, &edits)
        case .tag(.define): takeVariable(line)
        default: return
        }
        if isOverfull { edits.stop(LimitError(.heldRenditions, bytes: heldBytes, position: line.position)) }
    }

    private var isOverfull: Bool {
        text.count + (groups.count + members.count + variables.count) * Self.entryCost > heldBytes
    }

    /// Joins the group of a variant that names one. Only variants that may are shown here.
    private mutating func takeVariant(_ line: SelectedLine, _ edits: inout LineEdits) {
        var attributes = line.attributes
        guard let existing = attributes.first(named: ByteView("SUBTITLES")) else {
            edits.setStandingItem(nameCount: ByteView("SUBTITLES").count)
            return
        }
        let name = line.bytes[existing.content(in: line.bytes)]
        if !name.contains(ASCII.quote) { _ = group(named: keepResolved(name)) }
    }

    private mutating func takeRendition(_ line: SelectedLine, _ tracks: SubtitleTracks, _ edits: inout LineEdits) {
        guard let fields = RenditionFields(line) else { return }
        noteFallback(tracks, uses: edits.standingUses)
        let name = keepResolved(line.bytes[fields.groupID])
        let index = group(named: name)
        if !groups[index].isDeclared {
            groups[index].isDeclared = true
            if attribute.isEmpty {
                setAttribute(groups[index].name)
                edits.standingItem = attribute.view
            }
        }
        let uri = keepResolved(line.bytes[fields.uri])
        let isTrack = tracks.rendered.contains { $0.uri == view(uri) }
        let losesDefault = fields.isDefault && tracks.replacesDefault && !isTrack
        if losesDefault { edits.replace("DEFAULT".utf8, with: "NO".utf8) }
        members.append(
            Member(
                group: index, line: keep(line.bytes), name: keepResolved(line.bytes[fields.name]), uri: uri,
                isDefault: fields.isDefault && !losesDefault, losesDefault: losesDefault))
    }

    private mutating func takeVariable(_ line: SelectedLine) {
        var name: Range<Int>?
        var value: Range<Int>?
        var attributes = line.attributes
        while let attribute = attributes.next() {
            switch line.bytes[attribute.name] {
            case "NAME": name = name ?? attribute.content(in: line.bytes)
            case "VALUE": value = value ?? attribute.content(in: line.bytes)
            default: continue
            }
        }
        guard let name, let value else { return }
        variables.append(Variable(name: keep(line.bytes[name]), value: keepResolved(line.bytes[value])))
    }

    /// Counts the fallback group among the groups if any variant got it, which only those did before the first declared one.
    mutating func noteFallback(_ tracks: SubtitleTracks, uses: Int) {
        if attribute.isEmpty, uses > 0 { _ = group(named: keep(tracks.fallbackGroup.view)) }
    }

    private mutating func setAttribute(_ group: Span) {
        attribute.append(ByteView(",SUBTITLES=\""))
        attribute.append(view(group))
        attribute.append(ASCII.quote)
    }

    /// The group of that name, new or known.
    mutating func group(named name: Span) -> Int {
        for index in 0..<groups.count where view(groups[index].name) == view(name) {
            text.truncate(to: name.start)
            return index
        }
        groups.append(Group(name: name, isDeclared: false))
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
