internal import Sideload

extension TrackFields {
    /// A key of a SPEC as a row of a table, which parsing, the help, the manual page and the completions of shells all are made
    /// from.
    struct Key {
        /// The key and its value as the help shows them: `uri=URI`, or `default[=yes|no]` for a flag.
        let label: String
        let form: ValueForm
        let text: String
        /// Reads the value, which for a flag without one is `yes`.
        let read: (inout TrackFields, String) throws(Failure) -> Void

        init(
            _ label: String, _ form: ValueForm, _ text: String,
            _ read: @escaping (inout TrackFields, String) throws(Failure) -> Void
        ) {
            self.label = label
            self.form = form
            self.text = text
            self.read = read
        }

        var name: String { label.pieces(at: "=")[0].pieces(at: "[")[0] }
        var isFlag: Bool { label.unicodeScalars.contains("[") }
    }

    private static let yesOrNo = ValueForm.words(["yes", "no"])

    /// All keys, in the order in which the help lists them.
    static var keys: [Key] {
        [
            Key("uri=URI", .free, "of the .vtt file, or of its subtitle playlist (.m3u8); required without PATH") {
                $0.spec.uri = $1
            },
            Key("type=vtt|m3u8", .words(["vtt", "m3u8"]), "which of the two, if the URI's end does not tell") {
                fields, value throws(Failure) in
                fields.type = try fields.choose("type", value, ("vtt", "m3u8")) ? .webVTT : .playlist
            },
            Key("language=TAG", .free, "BCP 47, such as en or pt-BR; ISO 639-2 codes are mapped") {
                $0.spec.language = $1
            },
            Key("name=TEXT", .free, "what players show; the language or the file's name otherwise") {
                $0.spec.name = $1
            },
            Key("default[=yes|no]", yesOrNo, "whether players show it without being asked to") {
                fields, value throws(Failure) in
                fields.spec.isDefault = try fields.yes("default", value)
            },
            Key("forced[=yes|no]", yesOrNo, "whether it is for what is said in another language alone") {
                fields, value throws(Failure) in
                fields.spec.isForced = try fields.yes("forced", value)
            },
            Key("sdh[=yes|no]", yesOrNo, "whether it is for the deaf and hard of hearing") {
                fields, value throws(Failure) in
                fields.isSDH = try fields.yes("sdh", value)
            },
            Key("autoselect=yes|no", yesOrNo, "whether players may choose the track by language; yes") {
                fields, value throws(Failure) in
                fields.spec.isAutoselected = try fields.yes("autoselect", value)
            },
            Key("file=FILE", .file, "the local .vtt file for the URI, or the .srt file that becomes it") {
                $0.spec.file = $1
            },
            Key("duration=SECONDS", .free, "how long the content plays: 634.567, 10:34.567 or 1:02:03.5") {
                fields, value throws(Failure) in
                fields.spec.duration = try MediaDuration(option: "track \(fields.number): duration", value)
            },
            Key("kind=subtitles|captions", .words(["subtitles", "captions"]), "captions means sdh") {
                fields, value throws(Failure) in
                fields.isCaptions = try !fields.choose("kind", value, ("subtitles", "captions"))
            },
            Key("assoc-language=TAG", .free, "ASSOC-LANGUAGE") { $0.spec.associatedLanguage = $1 },
            Key("group=ID", .free, "the group that is made if there is none; subs") { $0.spec.group = $1 },
            Key("stable-id=ID", .free, "STABLE-RENDITION-ID") { $0.spec.stableID = $1 },
        ]
    }

    /// What a SPEC may be.
    static var form: ValueForm {
        .fields(keys.map { ValueForm.Field(name: $0.name, isFlag: $0.isFlag, form: $0.form) })
    }
}
