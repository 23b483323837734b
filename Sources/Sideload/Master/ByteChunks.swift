#if !hasFeature(Embedded)
/// The bytes that come one by one, in chunks.
public struct ByteChunks<Base: AsyncSequence>: AsyncSequence where Base.Element == UInt8 {
    /// A chunk: ``size`` bytes, and of the last one what is left.
    public typealias Element = [UInt8]

    /// How many bytes a chunk has. A call for each byte costs far more than a call for each chunk.
    public static var size: Int { 4096 }

    let base: Base

    /// Goes over the chunks of one sequence.
    public struct AsyncIterator: AsyncIteratorProtocol {
        private var base: Base.AsyncIterator
        private var isAtEnd = false

        init(_ base: Base.AsyncIterator) { self.base = base }

        /// The next chunk, or nil at the end.
        ///
        /// - Throws: What the base throws; the bytes that have come for the chunk are dropped then.
        public mutating func next() async throws -> [UInt8]? {
            var chunk: [UInt8] = []
            while !isAtEnd, chunk.count < ByteChunks.size {
                guard let byte = try await base.next() else {
                    isAtEnd = true
                    break
                }
                if chunk.isEmpty { chunk.reserveCapacity(ByteChunks.size) }
                chunk.append(byte)
            }
            return chunk.isEmpty ? nil : chunk
        }
    }

    /// Returns an iterator over the chunks.
    public func makeAsyncIterator() -> AsyncIterator { AsyncIterator(base.makeAsyncIterator()) }
}

extension ByteChunks: Sendable where Base: Sendable {}
#endif
