internal import Sideload

/// What one `--track SPEC` says about a track.
struct TrackSpec: Equatable {
    /// What the track's URI refers to: a WebVTT file, or a subtitle playlist, to which the master refers directly.
    typealias Target = SubtitleTrack.SourceType

    var uri = ""
    var target = Target.webVTT
    var language: String?
    var associatedLanguage: String?
    var name = ""
    var isDefault = false
    var isAutoselected = true
    var isForced = false
    var isSDH = false
    var group: String?
    var stableID: String?
    /// The local file for the URI: WebVTT, or SubRip that becomes it.
    var file: String?
    var duration: MediaDuration?

    /// The track of a master playlist that refers to it by `uri`.
    func track(uri: String) -> SubtitleTrack {
        SubtitleTrack(
            uri: uri, language: language, name: name, isDefault: isDefault, isAutoselected: isAutoselected,
            isForced: isForced, isSDH: isSDH, associatedLanguage: associatedLanguage, stableRenditionID: stableID,
            groupID: group)
    }
}
