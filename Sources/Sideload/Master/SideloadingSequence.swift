#if !hasFeature(Embedded)
internal import ByteScan
internal import M3U8

/// The chunks of a playlist with tracks sideloaded into them, as they arrive.
///
/// An element is what the rewriter hands out for one chunk, in an array of its own. The last one has the tracks' tags.
/// A chunk for which nothing is handed out yields no element.
public struct SideloadingSequence<Base: AsyncSequence>: AsyncSequence
where Base.Element: Collection, Base.Element.Element == UInt8 {
    /// The bytes that are handed out for one chunk.
    public typealias Element = [UInt8]

    let base: Base
    let tracks: SubtitleTracks
    let limits: SideloadLimits

    /// Rewrites the chunks of one playlist.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var base: Base.AsyncIterator
        /// In an object, since an iterator can be copied and a rewriter cannot.
        private let rewriter: ReusableRewriter
        private let policy: LineLimits.Policy
        private var isAtEnd = false
        /// What is thrown once the bytes before it have been handed out.
        private var failure: LimitError?

        init(_ base: Base.AsyncIterator, _ tracks: SubtitleTracks, _ limits: SideloadLimits) {
            self.base = base
            rewriter = ReusableRewriter(tracks, limits: limits, output: OutputPieces(mergingThreshold: .max))
            policy = limits.lines.policy
        }

        /// The bytes that are handed out for the next chunks, or nil at the end of the playlist.
        ///
        /// - Throws: What the base throws, and `LimitError` if a limit is exceeded whose policy says so. An error
        ///   ends the sequence. Before a `LimitError` the bytes received are handed out. After an error of the base
        ///   nothing is: what of the playlist has come has broken off, and no tags belong at its end.
        public mutating func next() async throws -> [UInt8]? {
            while !isAtEnd {
                if let chunk = try await nextChunk() {
                    do throws(LimitError) {
                        try unsafe ContiguousArray(chunk).withUnsafeBufferPointer { (elements) throws(LimitError) in
                            try unsafe rewriter.write(UnsafeRawBufferPointer(elements))
                        }
                    } catch {
                        isAtEnd = true
                        failure = error
                    }
                } else {
                    isAtEnd = true
                    rewriter.finish()
                    if policy == .fail { failure = rewriter.exceededLimit }
                }
                var output: [UInt8] = []
                for case .own(let bytes) in rewriter.output { unsafe output.append(contentsOf: bytes) }
                if !output.isEmpty { return output }
            }
            guard let failure else { return nil }
            self.failure = nil
            throw failure
        }

        /// The base's next chunk. If it throws, nothing comes after.
        private mutating func nextChunk() async throws -> Base.Element? {
            do {
                return try await base.next()
            } catch {
                isAtEnd = true
                throw error
            }
        }
    }

    /// Returns an iterator over what the chunks become.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base.makeAsyncIterator(), tracks, limits) }
}

extension SideloadingSequence: Sendable where Base: Sendable {}

extension AsyncSequence where Element: Collection, Element.Element == UInt8 {
    /// Returns the playlist whose chunks these are, with `tracks` sideloaded into it.
    public func sideloading(
        _ tracks: SubtitleTracks, limits: SideloadLimits = SideloadLimits()
    ) -> SideloadingSequence<Self> {
        SideloadingSequence(base: self, tracks: tracks, limits: limits)
    }
}

extension AsyncSequence where Element == UInt8 {
    /// Returns the playlist whose bytes these are, such as those of a file or of a response, with `tracks` sideloaded
    /// into it.
    ///
    /// As of a sequence of chunks, with a chunk for each ``ByteChunks/size`` bytes.
    public func sideloading(
        _ tracks: SubtitleTracks, limits: SideloadLimits = SideloadLimits()
    ) -> SideloadingSequence<ByteChunks<Self>> {
        ByteChunks(base: self).sideloading(tracks, limits: limits)
    }
}
#endif
