import M3U8
import Sideload
import Support

/// Tracks and limits that an input chooses, and what the judge must know of them.
struct SideloadRequest {
    let tracks: SubtitleTracks
    let limits: SideloadLimits
    let judge: NaiveSideload

    private static let pool: [(track: SubtitleTrack, tag: NaiveSideload.Track)] = [
        (
            SubtitleTrack(uri: "en.m3u8", language: "en", name: "English"),
            NaiveSideload.Track(uri: "en.m3u8", name: "English", languages: ",LANGUAGE=\"en\"")
        ),
        (
            SubtitleTrack(uri: "sv.m3u8", language: "swe", name: "Svenska", associatedLanguage: "fi"),
            NaiveSideload.Track(
                uri: "sv.m3u8", name: "Svenska", languages: ",LANGUAGE=\"sv\",ASSOC-LANGUAGE=\"fi\"")
        ),
        (
            SubtitleTrack(
                uri: "x.m3u8", language: "en", name: "English", isAutoselected: false, isForced: true,
                stableRenditionID: "a/b"),
            NaiveSideload.Track(
                uri: "x.m3u8", name: "English", languages: ",LANGUAGE=\"en\"",
                rest: ",AUTOSELECT=NO,FORCED=YES,STABLE-RENDITION-ID=\"a/b\"")
        ),
        (
            SubtitleTrack(uri: "y.m3u8", name: "English 2", isAutoselected: false, isSDH: true),
            NaiveSideload.Track(
                uri: "y.m3u8", name: "English 2",
                rest: ",AUTOSELECT=YES,CHARACTERISTICS=\"public.accessibility.transcribes-spoken-dialog,"
                    + "public.accessibility.describes-music-and-sound\"")
        ),
    ]

    init?(_ choices: inout Choices, for text: [UInt8]) {
        let mask = choices.byte()
        let flags = choices.byte()
        var chosen = Self.pool.indices.filter { mask >> $0 & 1 == 1 }.map { Self.pool[$0] }
        if chosen.isEmpty { chosen = [Self.pool[0]] }
        if flags & 1 == 1 {
            let number = Int(flags >> 1) % chosen.count
            chosen[number].track.isDefault = true
            chosen[number].tag.isDefault = true
            chosen[number].tag.rest.replace("AUTOSELECT=NO", with: "AUTOSELECT=YES")
        }
        let fallback = flags & 8 != 0 ? "grün" : "subs"
        let prefers = flags & 16 != 0
        if flags & 32 != 0 { chosen.reverse() }
        let tracks = try? SubtitleTracks(
            chosen.map(\.track), fallbackGroup: fallback, defaultPolicy: prefers ? .prefersTracks : .keepsExisting)
        guard let tracks else { return nil }
        self.tracks = tracks
        // Tracks of one language stand together.
        var tags: [NaiveSideload.Track] = []
        for (track, tag) in chosen {
            let neighbour = tags.lastIndex { track.language != nil && $0.languages == tag.languages }
            tags.insert(tag, at: neighbour.map { $0 + 1 } ?? tags.count)
        }
        var judge = NaiveSideload(tags)
        judge.fallbackGroup = fallback
        judge.prefersTracks = prefers
        self.judge = judge
        let longest = choices.lineLimit(for: text)
        let room = choices.byte()
        limits = SideloadLimits(
            lines: LineLimits(longestLine: longest, policy: flags & 64 != 0 ? .fail : .passThrough),
            heldRenditions: room < 128 ? 256 << 10 : (Int(room) - 128) * 8)
    }
}
