import Testing

@testable import Sideload

/// Bytes that come one by one, in chunks.
@Suite struct ByteChunksTests {
    /// So many bytes, and then an end that may be asked for once.
    private struct Bytes: AsyncSequence, AsyncIteratorProtocol {
        var left: Int

        func makeAsyncIterator() -> Bytes { self }

        mutating func next() async -> UInt8? {
            left -= 1
            if left < -1 { Issue.record("asked behind the end") }
            return left < 0 ? nil : UInt8(truncatingIfNeeded: left)
        }
    }

    @Test(
        arguments: [
            (0, []), (1, [1]), (4095, [4095]), (4096, [4096]), (4097, [4096, 1]), (8192, [4096, 4096]),
            (8193, [4096, 4096, 1]),
        ])
    func areOf4096Bytes(count: Int, sizes: [Int]) async throws {
        var iterator = ByteChunks(base: Bytes(left: count)).makeAsyncIterator()
        var chunks: [[UInt8]] = []
        while let chunk = try await iterator.next() { chunks.append(chunk) }
        #expect(chunks.map(\.count) == sizes)
        #expect(chunks.joined().elementsEqual((0..<count).reversed().map { UInt8(truncatingIfNeeded: $0) }))
        #expect(try await iterator.next() == nil)
    }
}
