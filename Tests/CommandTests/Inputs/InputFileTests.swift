import Testing

@testable import surtitle

/// Files as input: ranges of them in chunks. One after the other, as the command opens them: what it has read it notes
/// in one place without a lock (``ReadFiles``).
@Suite(.serialized) struct InputFileTests {
    @Test(arguments: [0..<11, 2..<11, 3..<10, 5..<6, 4..<4], [1, 2, 3, 4, 5, 11, 100])
    func chunksOfARange(_ range: Range<Int>, _ size: Int) throws {
        let bytes = (0..<11).map { UInt8($0) }
        let scratch = try Scratch()
        try scratch.write("f", bytes)
        let file = try InputFile(scratch.folder.appendingPathComponent("f").path)
        var (found, sizes): ([UInt8], [Int]) = ([], [])
        try unsafe file.forEachChunk(in: range, of: size) { chunk in
            unsafe found += chunk
            sizes.append(chunk.count)
            return true
        }
        #expect(found == Array(bytes[range]))
        #expect(sizes.dropLast().allSatisfy { $0 == size } && sizes.allSatisfy { $0 > 0 })
    }
}
