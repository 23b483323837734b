import Support
import Testing

@testable import ByteScan

/// What becomes of slices: copies in the open piece, or pieces of their own.
@Suite struct PieceWriterTests {
    /// What is written: bytes of the library's own, or a slice of the chunk; and where the output is cut.
    private enum Act {
        case own(Int)
        case chunk(Range<Int>)
        case cut(Int)
    }

    private struct Row: Sendable {
        let threshold: Int
        let acts: [Act]
        let pieces: [String]
        let why: String

        init(_ threshold: Int, _ acts: [Act], _ pieces: [String], _ why: String) {
            (self.threshold, self.acts, self.pieces, self.why) = (threshold, acts, pieces, why)
        }
    }

    /// Blocks of 64 bytes; pieces as `own 5` and `0..<4`.
    private static let rows = [
        Row(4, [], [], "nothing"),
        Row(4, [.own(9)], ["own 9"], "own bytes are copied, however many"),
        Row(4, [.chunk(0..<3)], ["own 3"], "below the threshold"),
        Row(4, [.chunk(0..<4)], ["0..<4"], "at the threshold"),
        Row(4, [.chunk(0..<3), .own(1), .chunk(5..<8)], ["own 7"], "short ones are one piece"),
        Row(4, [.own(2), .chunk(3..<9), .own(5)], ["own 2", "3..<9", "own 5"], "a range between two pieces"),
        Row(4, [.chunk(0..<5), .chunk(9..<20)], ["0..<5", "9..<20"], "ranges one after the other"),
        Row(0, [.own(2), .own(3), .chunk(4..<5)], ["own 2", "own 3", "4..<5"], "every slice is a piece"),
        Row(.max, [.chunk(0..<30), .own(3), .chunk(40..<50)], ["own 43"], "all is copied"),
        Row(.max, [.own(63), .own(1), .own(1)], ["own 64", "own 1"], "a block is filled up"),
        Row(.max, [.own(60), .own(9)], ["own 64", "own 5"], "a slice over the end of a block"),
        Row(.max, [.own(64)], ["own 64"], "a whole block"),
        Row(.max, [.own(130)], ["own 64", "own 64", "own 2"], "more than two"),
        Row(
            4, [.cut(0), .own(2), .cut(1), .cut(1), .own(1), .chunk(0..<9), .cut(3)], ["own 2", "own 1", "0..<9"],
            "cuts"),
    ]

    @Test func slicesBecomePieces() {
        let chunk = [UInt8](0..<64)
        for row in Self.rows {
            // Again with the blocks of the call before.
            var output = OutputPieces(mergingThreshold: row.threshold, longestPiece: 64)
            for round in 0..<2 {
                var expected: [UInt8] = []
                var writer = output.begin()
                let hasBlock = round > 0 && row.pieces.contains { $0.hasPrefix("own") }
                #expect(writer.left == (hasBlock ? 64 : 0), "\(row.why)")
                chunk.withView { view in
                    for act in row.acts {
                        switch act {
                        case .own(let count):
                            let bytes = (0..<count).map { UInt8(200 + $0 % 50) }
                            bytes.withView { writer.append(OutputSlice(library: $0)) }
                            expected += bytes
                        case .chunk(let range):
                            writer.append(OutputSlice(chunkAt: range.lowerBound, view[range]))
                            expected += chunk[range]
                        case .cut(let count): #expect(writer.cut() == count, "\(row.why)")
                        }
                    }
                }
                writer.end()
                #expect(output.map(Self.name) == row.pieces, "\(row.why)")
                #expect(output.flatMap { $0.bytes(in: chunk) } == expected, "\(row.why)")
                #expect(output.byteCount == expected.count && output.count == row.pieces.count, "\(row.why)")
            }
        }
    }

    private static func name(_ piece: OutputPiece) -> String {
        switch piece {
        case .chunk(let range): "\(range)"
        case .own(let bytes): "own \(bytes.count)"
        }
    }

    /// Both are copied, or neither is.
    @Test(arguments: [(2, 3, 5, true), (2, 3, 4, false), (3, 3, 6, true), (4, 1, 9, false), (3, 1, 4, true)])
    func aShortSliceWithBytesAfterIt(_ count: Int, _ ownCount: Int, _ room: Int, _ isTaken: Bool) {
        let (bytes, own) = ([UInt8](repeating: 1, count: count), [UInt8](repeating: 2, count: ownCount))
        let memory = WritableMemory(count: room)
        var output = OutputPieces(mergingThreshold: 4)
        output.lend(memory.buffer)
        var writer = output.begin()
        let answer = bytes.withView { bytes in own.withView { writer.appendShort(bytes, $0) } }
        #expect(answer == isTaken && writer.left == (isTaken ? room - count - ownCount : room))
        #expect(writer.openCount == (isTaken ? count + ownCount : 0))
        // What comes after goes on behind it.
        if writer.left > 0 { writer.append(3) }
        writer.end()
        let all = (isTaken ? bytes + own : []) + (isTaken && room == count + ownCount ? [] : [3])
        #expect(output.flatMap { $0.bytes(in: []) } == all)
    }

    /// Nothing is read or written past the end of what there is, which no page follows.
    @Test func slicesFillMemoryToTheLastByte() {
        for count in 1...140 {
            let bytes = (0..<count).map { UInt8($0) }
            let (source, memory) = (GuardedBytes(bytes), WritableMemory(count: count))
            var writer = PieceWriter(memory.buffer)
            writer.append(OutputSlice(library: ByteView(source.buffer)))
            #expect(writer.left == 0 && Array(memory.buffer) == bytes, "\(count) bytes")
        }
    }

    @Test func memoryOfTheCallersTakesAllSizes() {
        let memory = WritableMemory(count: 300)
        var writer = PieceWriter(memory.buffer)
        var expected: [UInt8] = []
        for count in [1, 7, 8, 15, 16, 31, 32, 63, 64, 63] {
            let bytes = (0..<count).map { UInt8($0) }
            bytes.withView { writer.append(OutputSlice(chunkAt: 0, $0)) }
            expected += bytes
            #expect(writer.openCount == expected.count && writer.left == 300 - expected.count)
        }
        #expect(writer.left == 0 && Array(memory.buffer) == expected && writer.cut() == 0)
    }
}
