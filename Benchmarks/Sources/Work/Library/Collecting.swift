import CReference
import M3U8
import Sideload

/// The library's rewriter with its output collected, beside the closure that only counts it.
enum Collecting {
    /// Sideloads and counts what comes out, slice by slice.
    static func counted(_ bytes: UnsafeRawBufferPointer, times: Int) throws(LimitError) -> UInt64 {
        var rewriter = MasterRewriter(Sideloading.tracks)
        var sum = 0
        for _ in 0..<times {
            rewriter.reset()
            try rewriter.write(bytes) { sum &+= $0.count }
            rewriter.finish { sum &+= $0.count }
        }
        return UInt64(sum)
    }

    /// Sideloads and counts what comes out, slice by slice, and copies `output` to `memory`.
    static func countedAndCopied(
        _ bytes: UnsafeRawBufferPointer, _ output: UnsafeRawBufferPointer, to memory: UnsafeMutableRawBufferPointer,
        times: Int
    ) throws(LimitError) -> UInt64 {
        var rewriter = MasterRewriter(Sideloading.tracks)
        var sum = 0
        for _ in 0..<times {
            rewriter.reset()
            try rewriter.write(bytes) { sum &+= $0.count }
            rewriter.finish { sum &+= $0.count }
            _ = Reference.copy(output.baseAddress, output.count, into: memory.baseAddress)
        }
        return UInt64(sum)
    }

    /// Sideloads, collects what comes out in pieces, and goes over them.
    static func collected(
        _ bytes: UnsafeRawBufferPointer, inChunksOf size: Int, times: Int
    ) throws(LimitError) -> UInt64 {
        var rewriter = MasterRewriter(Sideloading.tracks)
        var output = M3U8.OutputPieces()
        var sum = 0
        for _ in 0..<times {
            rewriter.reset()
            for chunk in bytes.chunks(of: size) {
                try rewriter.write(chunk, into: &output)
                for piece in output { sum &+= piece.count }
            }
            rewriter.finish(into: &output)
            for piece in output { sum &+= piece.count }
        }
        return UInt64(sum)
    }

    /// Sideloads, and has what comes out copied to `memory`.
    static func buffered(
        _ bytes: UnsafeRawBufferPointer, inChunksOf size: Int, to memory: UnsafeMutableRawBufferPointer, times: Int
    ) throws(M3U8.OutputError<LimitError>) -> UInt64 {
        var rewriter = MasterRewriter(Sideloading.tracks)
        var output = M3U8.OutputBuffer(memory)
        var sum = 0
        for _ in 0..<times {
            rewriter.reset()
            output.removeAll()
            for chunk in bytes.chunks(of: size) { try rewriter.write(chunk, into: &output) }
            try rewriter.finish(into: &output)
            Reference.keep(memory.baseAddress)
            sum &+= output.count
        }
        return UInt64(sum)
    }

    /// What is wrong with the pieces for `bytes`, whole or in chunks, or nil.
    static func fault(in bytes: UnsafeRawBufferPointer, expected: [UInt8]) -> String? {
        var rewriter = MasterRewriter(Sideloading.tracks)
        var output = M3U8.OutputPieces()
        for size in [bytes.count] + UnsafeRawBufferPointer.checkedChunks {
            var (collected, pieces): ([UInt8], Int) = ([], 0)
            rewriter.reset()
            for chunk in bytes.chunks(of: size) {
                do throws(LimitError) {
                    try rewriter.write(chunk, into: &output)
                } catch {
                    return "in chunks of \(size) bytes: \(error)"
                }
                for piece in output { collected += piece.bytes(in: chunk) }
                pieces += output.count
            }
            rewriter.finish(into: &output)
            for piece in output { collected += piece.bytes(in: UnsafeRawBufferPointer(start: nil, count: 0)) }
            pieces += output.count
            if collected != expected { return "in chunks of \(size) bytes: the pieces are not the expected output" }
            if size == bytes.count, pieces > expected.count / 8192 + 2 { return "\(pieces) pieces" }
        }
        return nil
    }
}
