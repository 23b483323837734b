internal import ByteScan
public import M3U8

/// A whole playlist with tracks sideloaded into it, and what there is to know of it.
public struct SideloadedPlaylist: Equatable, Sendable {
    /// The playlist, in an array of exactly its length.
    public let bytes: [UInt8]

    /// What it is. Only a multivariant playlist is edited; a mixed one up to the first tag of the other kind.
    public let verdict: PlaylistVerdict

    /// The number of variants that could not be given a group, or whose group could not be read.
    public let uneditableLines: Int

    /// The position, in bytes, of the first such variant.
    public let firstUneditableLine: Int?

    /// The limit that was exceeded, if any; editing ended there.
    public let exceededLimit: LimitError?

    /// How many bytes of tags have been added at the end; 0 if every group had every track already.
    public let addedBytes: Int
}

extension SubtitleTracks {
    /// Sideloads the tracks into a whole playlist.
    ///
    /// What is not a multivariant playlist comes back as it is.
    ///
    /// - Throws: `LimitError` if a limit is exceeded whose policy says so.
    /// - Complexity: O(*n*) for a playlist of *n* bytes and what is appended; the playlist is read twice.
    public func sideloaded(
        into playlist: [UInt8], limits: SideloadLimits = SideloadLimits()
    ) throws(LimitError) -> SideloadedPlaylist {
        try unsafe playlist.withUnsafeBufferPointer { (elements) throws(LimitError) in
            try unsafe sideloaded(into: UnsafeRawBufferPointer(elements), limits)
        }
    }

    /// Sideloads the tracks into a whole playlist.
    ///
    /// - Throws: `LimitError` if a limit is exceeded whose policy says so.
    /// - Complexity: O(*n*) for a playlist of *n* bytes and what is appended; the playlist is read twice.
    public func sideloaded(
        into playlist: RawSpan, limits: SideloadLimits = SideloadLimits()
    ) throws(LimitError) -> SideloadedPlaylist {
        try unsafe playlist.withUnsafeBytes { (bytes) throws(LimitError) in
            try unsafe sideloaded(into: bytes, limits)
        }
    }

    #if !hasFeature(Embedded)
    /// Sideloads the tracks into a whole playlist.
    ///
    /// - Throws: `LimitError` if a limit is exceeded whose policy says so.
    /// - Complexity: O(*n*) for a playlist of *n* bytes and what is appended; the playlist is read twice.
    public func sideloaded(
        into playlist: some Collection<UInt8>, limits: SideloadLimits = SideloadLimits()
    ) throws(LimitError) -> SideloadedPlaylist {
        try unsafe playlist.withBytes { (bytes) throws(LimitError) in try unsafe sideloaded(into: bytes, limits) }
    }
    #endif

    private func sideloaded(
        into playlist: UnsafeRawBufferPointer, _ limits: SideloadLimits
    ) throws(LimitError) -> SideloadedPlaylist {
        var rewriter = MasterRewriter(self, limits: limits)
        let length = try unsafe rewriter.outputLength(of: playlist)
        var output: [UInt8] = []
        output.reserveCapacity(length)
        try unsafe rewriter.write(playlist) { unsafe output.append(contentsOf: $0.bytes) }
        rewriter.finish { unsafe output.append(contentsOf: $0.bytes) }
        if limits.lines.policy == .fail, let error = rewriter.exceededLimit { throw error }
        return SideloadedPlaylist(
            bytes: output, verdict: rewriter.verdict, uneditableLines: rewriter.uneditableLines,
            firstUneditableLine: rewriter.firstUneditableLine, exceededLimit: rewriter.exceededLimit,
            addedBytes: rewriter.addedBytes)
    }
}
