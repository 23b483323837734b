internal import ByteScan
internal import CByteScan

extension LineInterest {
    /// Lines of tags that are selected and of those that change `verdict`; URIs too where they are selected. What is of
    /// interest with a later verdict is so with an earlier one.
    init(in tags: TagTable, with verdict: PlaylistVerdict, selectsURIs: Bool) {
        self.init(
            sign: selectsURIs ? .anyLine : Self.needsOnlyExtX(tags, verdict) ? .extXTag : .tag,
            tellsPassed: verdict == .undecided || verdict == .multivariant,
            passes: verdict == .multivariant,
            hashes: selectsURIs ? .max : tags.hashesOfInterest(verdict),
            // The first line that matters mostly settles the verdict, and fewer are of interest then.
            room: verdict == .undecided ? 1 : LineWalk.capacity)
    }

    /// Whether no line is of interest but tags that begin with `EXT-X-`: EXTINF need not be looked at where it is not selected
    /// and does not change the verdict.
    private static func needsOnlyExtX(_ tags: TagTable, _ verdict: PlaylistVerdict) -> Bool {
        (verdict == .media || verdict == .mixed)
            && tags.patterns.allSatisfy { !$0.isSelected || $0.head.hasBytes("#EXT-X-", at: 0) }
    }
}

extension BytePair {
    /// The sign of any line: its line end.
    fileprivate static var anyLine: BytePair { BytePair(first: ASCII.lineFeed, second: ASCII.lineFeed, distance: 0) }
    /// A line end before a tag or a comment.
    fileprivate static var tag: BytePair { BytePair(first: ASCII.lineFeed, second: ASCII.hash, distance: 1) }
    /// A line end with the first hyphen of `#EXT-X-` behind it.
    fileprivate static var extXTag: BytePair { BytePair(first: ASCII.lineFeed, second: ASCII.hyphen, distance: 5) }
}
