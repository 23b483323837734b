internal import ByteScan
internal import M3U8

// What a playlist has said of its subtitle groups, renditions and variables.
//
// An entry is added once it is known to fit the limits. Its texts come first, because their length decides that: the
// text after the checkpoint belongs to no entry yet, and is dropped if the line exceeds a limit. So nothing else ever
// has to be undone.
//
//     text    g1│#EXT-X-MEDIA:…│English│en.m3u8│g2│Svens
//                                              ▲ checkpoint
//
// A group is known by its name after variables have been put in (8216bis 4.3). Its renditions are a list, in the order
// of the playlist: the group knows the first and the last one, a rendition knows the next.
struct RenditionLedger: ~Copyable {
    typealias Span = TextArena.Span

    /// An EXT-X-MEDIA tag of TYPE=SUBTITLES.
    struct Rendition: BitwiseCopyable {
        let line: Span
        let name: Span
        let uri: Span
        /// The next one of the same group.
        fileprivate(set) var next: Int?
        let role: Role
    }

    /// Whether a rendition is the default of its group.
    enum Role: BitwiseCopyable {
        case ordinary
        case groupDefault
        /// It was the default, and DEFAULT=NO has been written in its line.
        case formerDefault
    }

    /// The first and the last rendition of a group, or neither: then the playlist uses the group without declaring it.
    private struct Members: BitwiseCopyable {
        var first: Int
        var last: Int
    }

    /// All that ``removeAll()`` forgets besides the entries.
    private struct Document {
        var checkpoint = 0
        var templateGroup: Int?
    }

    /// What every entry counts for besides its text.
    static var entryCost: Int { 64 }

    var text = TextArena()
    private var groupNames = NameTable()
    private var members = ReusableBuffer<Members?>()
    private(set) var renditions = ReusableBuffer<Rendition>()
    var variables = PlaylistVariables()
    private var document = Document()

    /// How many bytes everything counts for.
    var cost: Int { text.count + (members.count + renditions.count) * Self.entryCost + variables.cost }

    var groupCount: Int { members.count }

    /// Whether the playlist has named no group, and no variable that a track's values could refer to.
    var isEmpty: Bool { members.isEmpty && variables.isEmpty }

    /// The group that was declared first: its renditions are copied into groups that nobody declares.
    var templateGroup: Int? { document.templateGroup }

    mutating func removeAll() {
        text.truncate(to: 0)
        groupNames.removeAll()
        members.removeAll()
        renditions.removeAll()
        variables.removeAll()
        document = Document()
    }

    /// Drops the texts that belong to no entry.
    mutating func rollBack() { text.truncate(to: document.checkpoint) }

    // MARK: Groups and renditions

    func group(named name: Span) -> Int? { groupNames.number(of: text.view(name), in: text) }

    func name(ofGroup group: Int) -> Span { groupNames[group] }

    func isDeclared(group: Int) -> Bool { members[group] != nil }

    /// The first rendition of `group`; the others follow by ``Rendition/next``.
    func firstRendition(of group: Int) -> Int? { members[group]?.first }

    /// Adds a group that the ledger does not have yet, and returns its number.
    mutating func addGroup(_ name: Span) -> Int {
        groupNames.append(name, in: text)
        members.append(nil)
        document.checkpoint = text.count
        return members.count - 1
    }

    mutating func add(_ rendition: Rendition, to group: Int) {
        let number = renditions.count
        renditions.append(rendition)
        if let known = members[group] { renditions[known.last].next = number }
        members[group] = Members(first: members[group]?.first ?? number, last: number)
        if document.templateGroup == nil { document.templateGroup = group }
        document.checkpoint = text.count
    }

    /// Appends `bytes` to the text, with the values of known variables in place of their references (8216bis 4.3).
    ///
    /// References to variables that are not known here, imported ones for instance, stay as they are written. Nothing
    /// is added once the text is longer than `limit`: values made of values grow with every line, however short the
    /// lines.
    mutating func resolve(_ bytes: ByteView, upTo limit: Int = .max) -> Span {
        text.append(bytes, with: variables, upTo: limit)
    }
}
