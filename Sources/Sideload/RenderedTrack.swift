internal import ByteScan

/// A track as its EXT-X-MEDIA tag is put together from: everything but the group, the unique name and the default flag.
struct RenderedTrack: Sendable {
    /// NAME before it is made unique.
    let name: StableBytes
    /// URI as written.
    let uri: StableBytes
    /// LANGUAGE as written, or nothing.
    let language: [UInt8]
    /// Whether the track asks to be the default.
    let isDefault: Bool
    /// The group the track names.
    let groupID: [UInt8]?

    /// `,LANGUAGE="…",ASSOC-LANGUAGE="…"`, so far as there are any.
    let languages: StableBytes
    /// `,AUTOSELECT=…` and all that follows.
    let rest: StableBytes

    init(_ track: SubtitleTrack, index: Int) throws(SubtitleTrackError) {
        let name = try FieldSyntax.quotable(track.name, .name, of: track, index)
        let uri = try FieldSyntax.quotable(track.uri, .uri, of: track, index)
        var language: [UInt8] = []
        var languages: [UInt8] = []
        if let field = track.language {
            language = try FieldSyntax.language(field, .language, of: track, index)
            languages += FieldSyntax.attribute("LANGUAGE", language)
        }
        if let field = track.associatedLanguage {
            languages += FieldSyntax.attribute(
                "ASSOC-LANGUAGE", try FieldSyntax.language(field, .associatedLanguage, of: track, index))
        }
        let isAutoselected = track.isAutoselected || track.isDefault || track.isSDH
        var rest = Array((isAutoselected ? ",AUTOSELECT=YES" : ",AUTOSELECT=NO").utf8)
        if track.isForced { rest += Array(",FORCED=YES".utf8) }
        if track.isSDH { rest += FieldSyntax.attribute("CHARACTERISTICS", Array(Self.sdhCharacteristics.utf8)) }
        if let field = track.stableRenditionID {
            let identifier = try FieldSyntax.quotable(field, .stableRenditionID, of: track, index)
            guard track.usesVariables || identifier.allSatisfy(FieldSyntax.isStableIDByte) else {
                throw .invalidStableRenditionID(track: index)
            }
            rest += FieldSyntax.attribute("STABLE-RENDITION-ID", identifier)
        }
        rest += FieldSyntax.attribute("URI", uri)
        var groupID: [UInt8]?
        if let field = track.groupID { groupID = try FieldSyntax.quotable(field, .groupID, of: track, index) }

        self.name = StableBytes(name)
        self.uri = StableBytes(uri)
        self.language = language
        self.languages = StableBytes(languages)
        self.rest = StableBytes(rest)
        self.groupID = groupID
        isDefault = track.isDefault
    }

    private static var sdhCharacteristics: String {
        "public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound"
    }

    /// Writes the track's tag, without a line ending. The order of attributes is always the same.
    func write(into output: inout ReusableBuffer<UInt8>, group: ByteView, name: ByteView, isDefault: Bool) {
        output.append(ByteView("#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\""))
        output.append(group)
        output.append(ByteView("\",NAME=\""))
        output.append(name)
        output.append(ASCII.quote)
        output.append(languages.view)
        output.append(isDefault ? ByteView(",DEFAULT=YES") : ByteView(",DEFAULT=NO"))
        output.append(rest.view)
    }
}
