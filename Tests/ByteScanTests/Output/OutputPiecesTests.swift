import Testing

@testable import ByteScan

@Suite struct OutputPiecesTests {
    @Test func theBytesOfPiecesAddUp() {
        let storage = PieceStorage(blockSize: 64)
        storage.append(chunkAt: 3, count: 5)
        #expect(storage.byteCount == 5)
        unsafe storage.append(UnsafeRawBufferPointer(rebasing: storage.nextBlock()[..<7]))
        storage.append(chunkAt: 8, count: 2)
        #expect(storage.count == 3 && storage.byteCount == 14)
        storage.removeAll()
        #expect(storage.count == 0 && storage.byteCount == 0)
    }
}
