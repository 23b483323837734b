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

    /// The lines about SPEC in the help of the commands that add tracks.
    static let help = """
        SPEC describes a track: comma-separated key=value, a comma in a value after a backslash.
          PATH                  alone or before others: the local .srt or .vtt file, of which the URI is made
                                (movie.sv.vtt for subs/movie.sv.srt); its name tells the language, whose own
                                name (Svenska) is shown, and with .sdh, .cc or .forced after it those flags
          uri=URI               of the .vtt file, or of its subtitle playlist (.m3u8); required without PATH
          type=vtt|m3u8         which of the two, if the URI's end does not tell
          language=TAG          BCP 47, such as en or pt-BR; ISO 639-2 codes are mapped
          name=TEXT             what players show; the language or the file's name otherwise
          default forced sdh    flags, or =yes|no; sdh is for the deaf and hard of hearing
          autoselect=yes|no     whether players may choose the track by language; yes
          file=FILE             the local .vtt file for the URI, or the .srt file that becomes it
          duration=SECONDS      how long the content plays: 634.567, 10:34.567 or 1:02:03.5
          kind=subtitles|captions  captions means sdh
          assoc-language=TAG  group=ID  stable-id=ID
                                ASSOC-LANGUAGE, the group made if there is none (subs), STABLE-RENDITION-ID
        """
}
