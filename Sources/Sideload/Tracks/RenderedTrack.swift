internal import ByteScan

/// The parts that a track's EXT-X-MEDIA tag is put together from: all but the group, the unique name and the default
/// flag.
///
/// It may cross threads in ``SubtitleTracks``, which keeps the bytes it points to alive and never changes them.
struct RenderedTrack: @unchecked Sendable {
    /// NAME, before a number is added.
    let name: ByteView
    /// URI as written.
    let uri: ByteView
    /// `,LANGUAGE="…",ASSOC-LANGUAGE="…"`, as far as there are any.
    let languages: ByteView
    /// `,AUTOSELECT=…` and all that follows.
    let rest: ByteView
    /// The language, which ``languages`` has too; empty if there is none.
    let language: [UInt8]
    /// The group that the track names; empty if it names none.
    let group: [UInt8]
    /// Whether the track asks to be the default.
    let isDefault: Bool

    /// Checks `track`, which is the caller's number `index`, and renders it (8216bis 4.4.6.1). The bytes are kept in
    /// `storage`.
    init(_ track: SubtitleTrack, index: Int, storage: inout [StableBytes]) throws(SubtitleTrackError) {
        func keep(_ bytes: [UInt8]) -> ByteView {
            let kept = StableBytes(bytes)
            storage.append(kept)
            return kept.view
        }
        let check = FieldCheck(track: index, usesVariables: track.usesVariables)
        let uri = try check.uri(track.uri)
        name = keep(try check.required(track.name, .name))
        language = try check.language(track.language, .language)
        languages = keep(
            Self.attribute("LANGUAGE", language)
                + Self.attribute("ASSOC-LANGUAGE", try check.language(track.associatedLanguage, .associatedLanguage)))
        let stableID = try check.optional(track.stableRenditionID, .stableRenditionID)
        guard track.usesVariables || stableID.allSatisfy(FieldCheck.isStableIDByte) else {
            throw SubtitleTrackError(.invalidStableRenditionID, track: index, .stableRenditionID)
        }
        group = try check.optional(track.groupID, .groupID)
        isDefault = track.isDefault
        let characteristics = track.isForHardOfHearing ? Array(utf8: Self.sdhCharacteristics) : []
        let isAutoselected = track.isAutoselected || track.isDefault || track.isForHardOfHearing
        rest = keep(
            Array(utf8: isAutoselected ? ",AUTOSELECT=YES" : ",AUTOSELECT=NO")
                + Array(utf8: track.isForced ? ",FORCED=YES" : "")
                + Self.attribute("CHARACTERISTICS", characteristics)
                + Self.attribute("STABLE-RENDITION-ID", stableID) + Self.attribute("URI", uri))
        self.uri = keep(uri)
    }

    /// What Apple's HLS Authoring Specification 4.5 asks of subtitles for the deaf and hard of hearing.
    private static var sdhCharacteristics: String {
        "public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound"
    }

    /// `,NAME="value"`, or nothing if the value is empty.
    static func attribute(_ name: String, _ value: [UInt8]) -> [UInt8] {
        value.isEmpty ? [] : [ASCII.comma] + Array(utf8: name) + [ASCII.equals, ASCII.quote] + value + [ASCII.quote]
    }

    /// Adds all that is written of the track to `fingerprint`.
    func add(to fingerprint: inout Fingerprint) {
        for bytes in [name, uri, languages, rest] { fingerprint.add(bytes) }
        fingerprint.add(isDefault)
    }

    /// Writes the track's tag, without a line ending. The order of attributes is always the same.
    func write(into output: inout ReusableBuffer<UInt8>, group: ByteView, name: ByteView, isDefault: Bool) {
        output.append(ByteView("#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\""))
        output.append(group)
        output.append(ByteView("\",NAME=\""))
        output.append(name)
        output.append(ASCII.quote)
        output.append(languages)
        output.append(isDefault ? ByteView(",DEFAULT=YES") : ByteView(",DEFAULT=NO"))
        output.append(rest)
    }
}
