public import M3U8

/// How much a ``MasterRewriter`` may hold, and how much it may add.
///
/// Past any of these limits the policy of ``lines`` decides, at the line that is too much. Groups that were named before
/// it are still declared.
public struct SideloadLimits: Sendable {
    /// The limits of the lines of EXT-X-STREAM-INF, EXT-X-MEDIA and EXT-X-DEFINE, and the policy for all limits.
    public var lines: LineLimits

    /// How many bytes may be remembered of the playlist's own subtitle renditions, groups and variables.
    ///
    /// 256 KiB unless said otherwise. Every group and rendition counts 64 bytes on top of its text, a variable 1 KiB.
    public var heldRenditions: Int

    /// The longest name of a subtitle group, in bytes after variables have been put in. 256 unless said otherwise.
    ///
    /// Every variant without a group gets one such name, so this bounds by how much lines grow.
    public var longestGroupID: Int

    /// How many bytes of tags may be appended to the playlist, and are held for that. 4 MiB unless said otherwise.
    ///
    /// Every group gets every track, and one that is used but not declared also the renditions of the first declared one:
    /// a small playlist can have many of both. The bytes are reckoned line by line as though the playlist ended there, and never
    /// too low. The tags of one group are appended whatever the limit, so that no variant is left with a group that is not declared.
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
