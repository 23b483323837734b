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

    /// What has room in memory of the caller's is one piece there; the rest goes to blocks.
    @Test(arguments: [0, 1, 5, 99, 100, 101, 250])
    func lentMemoryComesFirst(_ room: Int) {
        let bytes = (0..<250).map { UInt8($0) }
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: room, alignment: 1)
        defer { memory.deallocate() }
        var output = OutputPieces(mergingThreshold: .max, longestPiece: 64)
        for isLent in [true, false] {
            if isLent { output.lend(memory) }
            var writer = output.begin()
            for part in [bytes[..<100], bytes[100...]] {
                Array(part).withView { writer.append(OutputSlice(library: $0)) }
            }
            writer.end()
            var all: [UInt8] = []
            var inMemory = 0
            for case .own(let piece) in output {
                if piece.baseAddress == UnsafeRawPointer(memory.baseAddress), room > 0 { inMemory += piece.count }
                all += piece
            }
            #expect(all == bytes && output.byteCount == 250)
            #expect(inMemory == (isLent ? room : 0) && output.lentCount == inMemory)
        }
    }

    /// It is lent for one call, whether that writes to it or not.
    @Test func aLoanEndsWithTheCall() {
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: 64, alignment: 1)
        defer { memory.deallocate() }
        memory.initializeMemory(as: UInt8.self, repeating: 1)
        var output = OutputPieces(mergingThreshold: .max)
        for dropsPieces in [true, false] {
            output.lend(memory)
            if dropsPieces {
                output.removeAll()
            } else {
                var writer = output.begin()
                writer.end()
            }
            var writer = output.begin()
            [2, 3].withView { writer.append(OutputSlice(library: $0)) }
            writer.end()
            #expect(output.lentCount == 0 && output.byteCount == 2 && memory.allSatisfy { $0 == 1 })
        }
    }
}
