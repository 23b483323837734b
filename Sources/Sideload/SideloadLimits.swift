public import M3U8

/// How much a ``MasterRewriter`` may hold.
public struct SideloadLimits: Sendable {
    /// The limits of the lines of EXT-X-STREAM-INF, EXT-X-MEDIA and EXT-X-DEFINE, and the policy for all limits.
    public var lines: LineLimits

    /// How many bytes may be remembered of the playlist's own subtitle renditions, groups and variables.
    ///
    /// 256 KiB unless said otherwise. Every entry counts 64 bytes on top of its text.
    public var heldRenditions: Int

    /// Limits with the documented defaults.
    public init(lines: LineLimits = LineLimits(), heldRenditions: Int = 256 << 10) {
        self.lines = lines
        self.heldRenditions = heldRenditions
    }
}
