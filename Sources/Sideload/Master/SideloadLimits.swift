public import M3U8

/// How much a ``MasterRewriter`` may remember, and how much it may add.
///
/// At the line that exceeds one of these limits, the policy of ``lines`` decides. Groups that were named before that
/// line are still declared.
public struct SideloadLimits: Sendable {
    /// The limits of the lines of EXT-X-STREAM-INF, EXT-X-MEDIA and EXT-X-DEFINE, and the policy for all limits.
    public var lines: LineLimits

    /// How many bytes may be remembered of the playlist's own subtitle renditions, groups and variables.
    ///
    /// The default is 256 KiB. A group or a rendition counts 64 bytes besides its text, which covers the tables that
    /// find it; a variable counts 1 KiB.
    public var heldRenditions: Int

    /// The longest name of a subtitle group, in bytes, after variables have been put in. The default is 256.
    ///
    /// Every variant without a group gets such a name, so this bounds how much a line grows.
    public var longestGroupID: Int

    /// How many bytes of tags may be appended to the playlist, and collected for that. The default is 4 MiB.
    ///
    /// Every group gets every track. One that is used but not declared also gets the renditions of the first declared
    /// group: a small playlist can have many of both. After each line the bytes are estimated as if the playlist ended
    /// there, and never too low. The tags of one group are appended whatever the limit, so that no variant is left with
    /// a group that is not declared.
    public var appendedTags: Int

    /// Limits with the documented defaults.
    public init(
        lines: LineLimits = LineLimits(), heldRenditions: Int = 256 << 10, longestGroupID: Int = 256,
        appendedTags: Int = 4 << 20
    ) {
        self.lines = lines
        self.heldRenditions = heldRenditions
        self.longestGroupID = longestGroupID
        self.appendedTags = appendedTags
    }
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
