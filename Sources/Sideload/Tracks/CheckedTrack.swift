internal import ByteScan

/// The fields of a track, each fit to be written (8216bis 4.4.6.1). Those that are left out are empty.
struct CheckedTrack {
    let uri: [UInt8]
    let name: [UInt8]
    let language: [UInt8]
    let associatedLanguage: [UInt8]
    let stableRenditionID: [UInt8]
    let groupID: [UInt8]
    let characteristics: [UInt8]
    let isDefault: Bool
    let isAutoselected: Bool
    let isForced: Bool

    /// Checks `track`, the one at `index` of the caller's.
    init(_ track: SubtitleTrack, index: Int) throws(SubtitleTrackError) {
        uri = try FieldSyntax.quotable(track.uri, .uri, of: track, index)
        name = try FieldSyntax.quotable(track.name, .name, of: track, index)
        language = try FieldSyntax.language(track.language, .language, of: track, index)
        associatedLanguage = try FieldSyntax.language(track.associatedLanguage, .associatedLanguage, of: track, index)
        stableRenditionID = try FieldSyntax.optional(track.stableRenditionID, .stableRenditionID, of: track, index)
        guard track.usesVariables || stableRenditionID.allSatisfy(FieldSyntax.isStableIDByte) else {
            throw .invalidStableRenditionID(track: index)
        }
        groupID = try FieldSyntax.optional(track.groupID, .groupID, of: track, index)
        characteristics = track.isSDH ? Array(Self.sdhCharacteristics.utf8) : []
        isDefault = track.isDefault
        isAutoselected = track.isAutoselected || track.isDefault || track.isSDH
        isForced = track.isForced
    }

    /// What Apple's HLS Authoring Specification 4.5 asks of subtitles for the deaf and hard of hearing.
    private static var sdhCharacteristics: String {
        "public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound"
    }
}
