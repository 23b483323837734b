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

    /// As many bytes as are allowed are read, and one more is refused.
    @Test(arguments: [0, 1, 65_536, 100_000]) func wholeFilesAreBounded(_ count: Int) throws {
        let bytes = (0..<count).map { UInt8(truncatingIfNeeded: $0 / 251) }
        let scratch = try Scratch()
        try scratch.write("f", bytes)
        let path = scratch.folder.appendingPathComponent("f").path
        #expect(try InputFile(path).whole(upTo: count, otherwise: "") == bytes && InputFile(path).size == count)
        guard count > 0 else { return }
        let error = #expect(throws: Failure.self) {
            try InputFile(path).whole(upTo: count - 1, otherwise: "give another")
        }
        #expect(error?.message == "\(path): at byte \(count - 1): more than \(count - 1) bytes; give another")
    }

    /// A range that ends behind the file is refused, and the last byte is not behind it.
    @Test func textOfARange() throws {
        let scratch = try Scratch(["f": "0123456789"])
        let path = scratch.folder.appendingPathComponent("f").path
        var found: [UInt8] = []
        try unsafe InputFile(path).forEachTextChunk(in: 3..<10) { unsafe found += $0 }
        try unsafe InputFile(path).forEachTextChunk(in: nil) { unsafe found += $0 }
        #expect(found == Array("34567890123456789".utf8))
        let error = #expect(throws: Failure.self) {
            try unsafe InputFile(path).forEachTextChunk(in: 3..<11) { _ in }
        }
        #expect(error?.message == "\(path): has fewer bytes than EXT-X-BYTERANGE says, which ends at 11")
    }

    @Test func oneOperandMayBeStandardInput() throws {
        try InputFile.requireOnePipe(("A", "-"), ("B", nil), ("C", "a"))
        let error = #expect(throws: Failure.self) { try InputFile.requireOnePipe(("A", "-"), ("B", "b"), ("C", "-")) }
        #expect(error?.message == "A and C cannot both be standard input; name a file for one of them")
    }
}
