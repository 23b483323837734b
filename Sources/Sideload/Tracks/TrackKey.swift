package import M3U8
internal import WebVTT

// The keys of a track: one table, which every way to describe one reads.
//
//     SPEC, as in --track         uri=sv.vtt,language=sv,default     TrackConfiguration+Spec
//     JSON                        "default": true                    Delivery/Configuration
//     Codable                                                        TrackConfiguration+Codable
//     C, nginx and JavaScript     names and values                   SurtitleC/Configuration
//
// `--help`, the manual page and the completions of shells are printed from it too.
//
// To add a key: a row, the field that it sets, and what becomes of the field (RenderedTrack, if the playlist says it).

/// A key of a track: what it is called, what its value may be, and what it does.
package struct TrackKey: ConfigurationWord, Sendable {
    /// A field of a track: its value, after it has been set to the one that is given, if one is.
    package typealias Field<Value> = @Sendable (inout TrackFields, Value?) -> Value?

    /// What a value may be, and where it goes.
    package enum Form: Sendable {
        /// A text, which the help calls so.
        case text(StaticString, Field<String>)
        /// Yes or no, and which of them is the case unless it is said.
        case flag(Bool, Field<Bool>)
        /// A time above 0.
        case time(Field<DecimalSeconds>)
        /// A time by which cues are shifted, in milliseconds.
        case shift(Field<Int64>)
        /// Where cue time 0 is beside a live stream.
        case anchor(Field<TrackAnchor>)
        /// One of some words, by its number. There is none if the field is as it is unless it is said.
        case word([StaticString], Field<Int>)
    }

    /// What there is to know of a key.
    private struct Row: Sendable {
        let name: StaticString
        let form: Form
        #if !hasFeature(Embedded)
        let help: StaticString
        #endif

        init(_ name: StaticString, _ form: Form, _ help: StaticString) {
            self.name = name
            self.form = form
            #if !hasFeature(Embedded)
            self.help = help
            #endif
        }
    }

    /// Where its row is in the table: a row itself would be copied part by part.
    private let number: Int

    package var name: StaticString { Self.rows[number].name }

    package var form: Form { Self.rows[number].form }

    #if !hasFeature(Embedded)
    /// What it does, for the help.
    package var help: StaticString { Self.rows[number].help }
    #endif

    package static var allCases: [TrackKey] { all }

    /// All keys, in the order in which the help lists them.
    package static let all: [TrackKey] = rows.indices.map { TrackKey(number: $0) }

    private static let rows: [Row] = [
        Row(
            "uri", .text("URI") { exchange(&$0.configuration.track.uri, $1) },
            "of the .vtt file, or of its subtitle playlist (.m3u8); required without PATH, file and cues"),
        Row(
            "type",
            .word(SubtitleFormat.allCases.map { $0.name }) { fields, number in
                if let number { fields.configuration.format = SubtitleFormat.allCases[number] }
                let format = fields.configuration.format
                return format == SubtitleFormat(endOf: fields.configuration.track.uri) ? nil : Int(format.rawValue)
            }, "which of them, if the URI's end does not tell"),
        Row(
            "language", .text("TAG") { exchange(&$0.configuration.track.language, $1) },
            "BCP 47, such as en or pt-BR (or pt_BR); ISO 639-2 codes are mapped"),
        Row(
            "name", .text("TEXT") { exchange(&$0.configuration.track.name, $1) },
            "what players show; otherwise Svenska, Svenska (SDH) or Svenska (forced), or the file's name"),
        Row(
            "default", .flag(false) { exchange(&$0.configuration.track.isDefault, $1) },
            "whether players show it without being asked to"),
        Row(
            "forced", .flag(false) { exchange(&$0.configuration.track.isForced, $1) },
            "whether it is for what is said in another language alone"),
        Row(
            "sdh", .flag(false) { exchange(&$0.configuration.track.isSDH, $1) },
            "whether it is for the deaf and hard of hearing"),
        Row(
            "autoselect", .flag(true) { exchange(&$0.configuration.track.isAutoselected, $1) },
            "whether players may choose the track by language; yes"),
        Row(
            "file", .text("FILE") { exchange(&$0.configuration.file, $1) },
            "the local .vtt file for the URI, or one that becomes it"),
        Row(
            "encoding", .text("NAME") { exchange(&$0.configuration.encoding, $1) },
            "of the file, such as windows-1252, whatever it looks like; otherwise UTF-8, or what a byte order mark says"
        ),
        Row(
            "shift",
            .shift { fields, shift in
                if let shift { fields.configuration.shift = shift }
                return fields.configuration.shift == 0 ? nil : fields.configuration.shift
            }, "shows the file's cues that much later, or earlier if it is negative: -1.4 or 1:00"),
        Row(
            "duration", .time { exchange(&$0.configuration.duration, $1) },
            "how long the content plays: 634.567, 10:34.567 or 1:02:03.5"),
        Row(
            "live", .flag(true) { exchange(&$0.configuration.followsLiveStreams, $1) },
            "whether it follows the video where that is live; yes; with no it is one segment, as beside any other video"
        ),
        Row(
            "at", .anchor { exchange(&$0.configuration.anchor, $1) },
            "what the cues' time 0 is beside a live video: a date such as 2026-11-23T20:00:00Z, msn:NUMBER of a segment, or media, its own clock"
        ),
        Row(
            "then", .text("FILE@DATE[;…]") { exchange(&$0.configuration.then, $1) },
            "the files that follow the first one beside a live video, and when the cue time of each is 0; for surtitle-proxy"
        ),
        Row(
            "cues", .text("http|FILE") { exchange(&$0.configuration.cues, $1) },
            "where cues come from while the video goes on: a file that grows (.vtt, .srt, .jsonl), or http: sent to surtitle-proxy"
        ),
        Row(
            "kind",
            .word(["subtitles", "captions"]) { fields, number in
                if let number { fields.configuration.track.kind = number == 1 ? .captions : .subtitles }
                return fields.configuration.track.kind == .captions ? 1 : nil
            }, "captions means sdh"),
        Row(
            "assoc-language", .text("TAG") { exchange(&$0.configuration.track.associatedLanguage, $1) },
            "ASSOC-LANGUAGE"),
        Row(
            "group", .text("ID") { exchange(&$0.configuration.track.groupID, $1) },
            "the group that is made if there is none; subs"),
        Row(
            "stable-id", .text("ID") { exchange(&$0.configuration.track.stableRenditionID, $1) },
            "STABLE-RENDITION-ID"),
        Row(
            "mime-type", .text("TYPE") { exchange(&$0.mediaType, $1) },
            "the media type of the URI, such as text/vtt, if neither type nor its end tells"),
        Row(
            "variables", .flag(false) { exchange(&$0.configuration.track.usesVariables, $1) },
            "whether values may refer to variables of the playlist, {$name}"),
    ]

    /// What the value may be, as the help shows it: `URI`, `yes|no` or `subtitles|captions`.
    package var words: [StaticString] {
        switch form {
        case .text(let placeholder, _): [placeholder]
        case .flag: ["yes", "no"]
        case .time: ["SECONDS"]
        case .shift: ["[-]SECONDS"]
        case .anchor: ["DATE", "msn:NUMBER", "media"]
        case .word(let words, _): words
        }
    }

    /// Whether the key alone means yes.
    package var isFlag: Bool { if case .flag(false, _) = form { true } else { false } }

    private static func exchange<Value>(_ place: inout Value, _ value: Value?) -> Value? {
        if let value { place = value }
        return place
    }

    private static func exchange<Value>(_ place: inout Value?, _ value: Value?) -> Value? {
        if let value { place = value }
        return place
    }
}
