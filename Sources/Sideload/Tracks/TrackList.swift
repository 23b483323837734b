internal import ByteScan

/// Tracks as they are checked one by one and rendered to one text.
///
/// What contradicts an earlier track is found by trees of URIs and of languages, so that a thousand tracks cost no
/// more each than ten.
struct TrackList: ~Copyable {
    /// A track, and the next one of its language.
    private struct Entry: BitwiseCopyable {
        let places: RenderedTrack.Places
        var next: Int?
        /// The last one of the language that begins with this one; nil if it does not begin one.
        var last: Int?
    }

    /// All that is written of the tracks.
    private(set) var text = TextArena()
    private var entries = ReusableBuffer<Entry>()
    private var uris = NameTree()
    private var languages = NameTree()
    private var hasDefault = false
    /// The group that tracks name; nil if none does.
    private var group: TextArena.Span?

    /// Checks `track`, whose URI is that of its playlist unless it `namesFile`, and renders it.
    mutating func append(_ track: SubtitleTrack, namesFile: Bool = false) throws(SubtitleTrackError) {
        let index = entries.count
        let places = try RenderedTrack.Places(track, index: index, namesFile: namesFile, in: &text)
        let uri = text.view(places.uri)
        let closest = uris.closest(to: uri).map { text.view(entries[$0].places.uri) }
        guard closest != uri else { throw SubtitleTrackError(.duplicateURI, track: index) }
        uris.insert(index, named: uri, beside: closest)
        if places.isDefault {
            guard !hasDefault else { throw SubtitleTrackError(.secondDefault, track: index) }
            hasDefault = true
        }
        if places.group.count > 0 {
            guard text.view(group ?? places.group) == text.view(places.group) else {
                throw SubtitleTrackError(.conflictingGroup, track: index)
            }
            group = group ?? places.group
        }
        entries.append(Entry(places: places, next: nil, last: index))
        if places.language.count > 0 { join(index) }
    }

    /// Puts the track after the last one of its language, if there is one.
    private mutating func join(_ index: Int) {
        let language = text.view(entries[index].places.language)
        let first = languages.closest(to: language)
        let closest = first.map { text.view(entries[$0].places.language) }
        guard let first, closest == language, let last = entries[first].last else {
            return languages.insert(index, named: language, beside: closest)
        }
        entries[last].next = index
        entries[index].last = nil
        entries[first].last = index
    }

    static var attributeHead: ByteView { ByteView(",SUBTITLES=\"") }

    /// Checks the group for variants if the playlist declares none, writes `,SUBTITLES="…"` with it, or with the tracks'
    /// own, which comes first, and returns where the group stands in that.
    mutating func append(fallbackGroup: String) throws(SubtitleTrackError) -> TextArena.Span {
        let check = FieldCheck(track: nil, usesVariables: false)
        let fallback = try check.append(fallbackGroup, .groupID, to: &text)
        let name = Array(text.view(group ?? fallback))
        text.append(Self.attributeHead)
        let written = name.withView { text.append($0) }
        text.append(ASCII.quote)
        return written
    }

    /// The tracks: those of one language together, otherwise in the order in which they came.
    var order: [RenderedTrack.Places] {
        var order: [RenderedTrack.Places] = []
        order.reserveCapacity(entries.count)
        for index in 0..<entries.count where entries[index].last != nil {
            var next: Int? = index
            while let number = next {
                order.append(entries[number].places)
                next = entries[number].next
            }
        }
        return order
    }
}
