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
        unsafe storage.append(UnsafeRawBufferPointer(rebasing: storage.nextBlock()[..<0]))
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

    @Test func aCopyKeepsItsPieces() {
        var output = OutputPieces(mergingThreshold: -1, longestPiece: 1)
        #expect(output.mergingThreshold == 0 && OutputPieces().mergingThreshold == 1024)
        #expect(output.isEmpty && output.count == 0 && output.underestimatedCount == 0)
        Self.write(["ab", "c"], to: &output)
        let copy = output
        var iterator = output.makeIterator()
        Self.write(["d"], to: &output)
        #expect(!output.isEmpty && output.underestimatedCount == 1 && Self.texts(output) == ["d"])
        #expect(Self.texts(copy) == ["ab", "c"] && copy.byteCount == 3)
        #expect(iterator.next()?.count == 2 && iterator.next()?.count == 1 && iterator.next() == nil)
        output.removeAll()
        #expect(output.isEmpty && output.byteCount == 0 && Self.texts(copy) == ["ab", "c"])
    }

    /// A piece has 64 bytes at least before another begins, whatever is asked for, and 32 KiB unless asked for.
    @Test(arguments: [(1, 64), (64, 64), (65, 65), (nil, 32768)] as [(Int?, Int)])
    func piecesOfOneLength(_ longest: Int?, _ length: Int) {
        var output = longest.map { OutputPieces(longestPiece: $0) } ?? OutputPieces()
        Self.write([String(repeating: "x", count: length + 1)], to: &output)
        #expect(output.map(\.count) == [length, 1])
    }

    /// The blocks of the calls before are used again, in their order.
    @Test func memoryIsKept() {
        var output = OutputPieces(mergingThreshold: .max, longestPiece: 64)
        let text = String(repeating: "x", count: 100)
        Self.write([text], to: &output)
        let places = Self.places(output)
        #expect(Set(places).count == 2)
        for _ in 0..<2 {
            Self.write([text], to: &output)
            #expect(Self.places(output) == places)
            output.removeAll()
        }
        // A copy keeps them for itself.
        Self.write([text], to: &output)
        let copy = output
        Self.write([text], to: &output)
        #expect(Self.places(copy) == places && Set(places).isDisjoint(with: Self.places(output)))
    }

    @Test func slicesAndPiecesAreTheSame() {
        let chunk = Array("0123456789".utf8)
        chunk.withUnsafeBytes { bytes in
            let slice = OutputSlice(.chunk(2..<5), in: bytes)
            #expect(slice.source == .chunk(2..<5) && slice.view == "234" && slice.count == 3)
            #expect(slice.bytes.baseAddress == bytes.baseAddress.map { $0 + 2 })
            let first = OutputSlice(.chunk(0..<1), in: bytes)
            #expect(first.source == .chunk(0..<1) && first.view == "0")
            let own = OutputSlice(.own(UnsafeRawBufferPointer(rebasing: bytes[7...])), in: bytes)
            #expect(own.source == .library && own.view == "789")
        }
        let span = chunk.span.bytes
        let (range, own) = (OutputPiece.chunk(3..<6), ByteView("own"))
        #expect(range.count == 3 && range.bytes(in: chunk) == Array("345".utf8))
        #expect(range.bytes(in: chunk[1...]) == Array("456".utf8))
        #expect(range.withBytes(in: span) { $0.byteCount } == 3)
        #expect(range.withBytes(in: span) { $0.unsafeLoad(fromByteOffset: 0, as: UInt8.self) } == UInt8(ascii: "3"))
        let piece = OutputPiece.own(own.buffer)
        #expect(piece.count == 3 && piece.bytes(in: chunk) == Array("own".utf8))
        #expect(piece.withBytes(in: span) { $0.unsafeLoad(fromByteOffset: 2, as: UInt8.self) } == UInt8(ascii: "n"))
    }

    private static func write(_ texts: [String], to output: inout OutputPieces) {
        var writer = output.begin()
        for text in texts { text.withView { writer.append(OutputSlice(library: $0)) } }
        writer.end()
    }

    private static func texts(_ output: OutputPieces) -> [String] {
        output.map { String(decoding: $0.bytes(in: []), as: UTF8.self) }
    }

    private static func places(_ output: OutputPieces) -> [UnsafeRawPointer?] {
        output.map { if case .own(let bytes) = $0 { bytes.baseAddress } else { nil } }
    }
}
