extension URIMapper {
    /// How much a mapper may remember of a playlist's variables, and how long they may make a URI.
    ///
    /// At the line that exceeds one of these limits the rewriter stops editing, or throws, as the policy of its
    /// ``LineLimits`` says.
    public struct Limits: Sendable {
        /// How many bytes may be remembered of EXT-X-DEFINE: names and values, and 1 KiB for each variable. 256 KiB
        /// unless said otherwise.
        public var heldVariables: Int

        /// The longest URI, in bytes, once the values of variables have been put in. 64 KiB unless said otherwise.
        public var longestURI: Int

        /// Limits with the documented defaults.
        public init(heldVariables: Int = 256 << 10, longestURI: Int = 64 << 10) {
            self.heldVariables = heldVariables
            self.longestURI = longestURI
        }
    }
}

extension LimitError.Limit {
    /// What is remembered of the playlist's variables.
    public static let heldVariables = LimitError.Limit(code: 4, "the variables take more than the limit of")
    /// The length of one URI with the values of its variables.
    public static let longestURI = LimitError.Limit(
        code: 5, "with its variables' values the URI is longer than the limit of")
}
