/// A group of audio renditions, one a language.
struct AudioGroup {
    let name: String
    let codec: String
    let channels: String

    static let all = [
        AudioGroup(name: "aac", codec: "mp4a.40.2", channels: "2"),
        AudioGroup(name: "ac3", codec: "ac-3", channels: "6"),
        AudioGroup(name: "ec3", codec: "ec-3", channels: "16/JOC"),
    ]

    /// Languages and their own names, some of which are not ASCII.
    static let languages = [("en", "English"), ("pt", "Português"), ("fr", "Français"), ("sv", "Svenska")]

    /// The EXT-X-MEDIA line of the rendition in the language at `index`.
    func rendition(_ index: Int) -> InputLine {
        let (language, title) = Self.languages[index]
        let isDefault = index == 0 ? "YES" : "NO"
        return """
            #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aud-\(name)",NAME="\(title)",LANGUAGE="\(language)",\
            DEFAULT=\(isDefault),AUTOSELECT=YES,CHANNELS="\(channels)",\
            URI="audio/\(name)/\(language)/prog_index.m3u8"
            """
    }
}
