import Inputs
import M3U8

// What is done to the lines of playlists and cues by rule.
extension Row {
    /// An attribute of the lines of a tag.
    struct EditedAttribute: Sendable {
        let tag: String
        let name: String
        /// What takes the value's place; nil removes the attribute.
        let value: String?
        /// Whether lists get the attribute that lack it.
        var isSet = false

        var edit: PlaylistEdit {
            let selector = TagSelector(spelling: tag.utf8)
            guard let value else { return .remove(selector, name) }
            return isSet ? .set(selector, name, to: value) : .replace(selector, name, with: value)
        }
    }

    /// An attribute on one tag, and one on all that a master playlist has many of.
    private static let edits: [(key: String, words: String, attributes: [EditedAttribute])] = [
        ("replace", "1"), ("remove", nil),
    ]
    .flatMap { verb, value in
        let all = [
            EditedAttribute(tag: "EXT-X-STREAM-INF", name: "AVERAGE-BANDWIDTH", value: value),
            EditedAttribute(tag: "EXT-X-I-FRAME-STREAM-INF", name: "AVERAGE-BANDWIDTH", value: value),
            EditedAttribute(tag: "EXT-X-MEDIA", name: "CHANNELS", value: value.map { "\"\($0)\"" }),
        ]
        return [
            ("edits-\(verb)-one", ": \(verb)d, one tag", Array(all.prefix(1))),
            ("edits-\(verb)-all", ": \(verb)d, all tags", all),
        ]
    }

    /// What nearly every list lacks, though some of its bytes look like it; and that beside other edits.
    private static let setting: [(key: String, words: String, attributes: [EditedAttribute])] = [
        ("edits-set", ": set, one tag", [name]),
        (
            "edits-several", ": several, one tag",
            [
                EditedAttribute(tag: "EXT-X-STREAM-INF", name: "FRAME-RATE", value: "25"), name,
                EditedAttribute(tag: "EXT-X-STREAM-INF", name: "AVERAGE-BANDWIDTH", value: nil),
            ]
        ),
    ]
    private static let name = EditedAttribute(tag: "EXT-X-STREAM-INF", name: "NAME", value: "\"hd\"", isSet: true)

    static let edited: [Entry] =
        (edits + setting).map { edit -> Entry in
            (edit.key, { @Sendable in editing(edit.key, edit.words, edit.attributes) })
        }
        + others

    private static let others: [Entry] = [
        ("variants-filtered", { filtering("variants-filtered", .largeMaster) }),
        ("cues-shifted", { shifting("cues-shifted", .largeCues) }),
        ("cues-plain-shifted", { shifting("cues-plain-shifted", .plainCues) }),
    ]

    private static func editing(_ key: String, _ words: String, _ attributes: [EditedAttribute]) -> Row {
        slices(key, .largeMaster, words, by: { Editing(attributes.map(\.edit)) }) { Expected.edited($0, attributes) }
    }

    private static func filtering(_ key: String, _ input: Input) -> Row {
        slices(key, input, by: { Filtering(keeping: "RESOLUTION<=720") }) { Expected.filtered($0, height: 720) }
    }

    private static func shifting(_ key: String, _ input: Input) -> Row {
        slices(key, input, by: { Shifting(byMilliseconds: 1_400) }) { Expected.shifted($0, byMilliseconds: 1_400) }
    }
}
