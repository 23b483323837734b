internal import ByteScan
public import M3U8

extension SubtitleTracks {
    /// A whole playlist with the tracks sideloaded, in an array of exactly its length.
    ///
    /// What is not a multivariant playlist comes back as it is.
    ///
    /// - Throws: ``LimitError`` where a limit is exceeded whose policy says so.
    public func sideloaded(
        into playlist: [UInt8], limits: SideloadLimits = SideloadLimits()
    ) throws(LimitError) -> [UInt8] {
        let bytes = unsafe playlist.span.bytes
        return try unsafe bytes.withUnsafeBytes { (bytes) throws(LimitError) in
            var rewriter = MasterRewriter(self, limits: limits)
            let length = try unsafe rewriter.outputLength(of: bytes)
            var output: [UInt8] = []
            output.reserveCapacity(length)
            try unsafe rewriter.write(bytes) { unsafe output.append(contentsOf: $0.bytes) }
            rewriter.finish { unsafe output.append(contentsOf: $0.bytes) }
            if limits.lines.policy == .fail, let error = rewriter.exceededLimit { throw error }
            return output
        }
    }
}
