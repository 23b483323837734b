public import M3U8

extension EditProgram {
    /// What sideloading subtitles looks at; there are no edits of its own.
    ///
    /// The handler sees the lines of EXT-X-STREAM-INF and EXT-X-MEDIA that may hold `SUBTITLES`, name or value, and all
    /// of EXT-X-DEFINE. Lines of EXT-X-STREAM-INF without it get the appended attribute. Most tags of EXT-X-MEDIA begin
    /// with their TYPE, which tells at once whether they matter. Once a playlist is mixed, the handler goes on seeing
    /// lines, and what it decides is ignored.
    static let sideloading: EditProgram = {
        var compiler = EditCompiler(scope: .multivariant, absentAttribute: Array(utf8: "SUBTITLES"))
        compiler.readsMixed = true
        compiler.append(to: .streamInf)
        compiler.observeIfAttributeMayBeThere(.streamInf)
        compiler.observe(.media, ifValueStartsWith: ("TYPE=", "SUB"))
        compiler.observe(.define)
        compiler.skip(linesStartingWith: "#EXT-X-MEDIA:TYPE=AUDIO,")
        compiler.skip(linesStartingWith: "#EXT-X-I-FRAME-STREAM-INF:")
        return compiler.program()
    }()
}

// The limits that only sideloading has; SideloadLimits says what they bound.
extension LimitError.Limit {
    /// What is remembered of the playlist's subtitle renditions.
    public static let heldRenditions = LimitError.Limit(code: 1, "the subtitle renditions take more than the limit of")
    /// The length of the name of one subtitle group.
    public static let longestGroupID = LimitError.Limit(code: 2, "the group's name is longer than the limit of")
    /// What is to be appended to the playlist.
    public static let appendedTags = LimitError.Limit(code: 3, "the tags to append take more than the limit of")
}
