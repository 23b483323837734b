import CReference
import M3U8
import Sideload

/// The library's rewriter: one for each run, reset for every playlist.
enum Sideloading {
    /// The tracks that all rewriters share.
    static let tracks: SubtitleTracks = {
        do {
            return try SubtitleTracks([
                SubtitleTrack(uri: "subs/en.m3u8", language: "en", name: "English", isDefault: true),
                SubtitleTrack(uri: "subs/sv.m3u8", language: "sv", name: "Svenska"),
            ])
        } catch {
            fatalError("the tracks are refused: \(error)")
        }
    }()

    /// Sideloads, and copies what comes out to `output`.
    static func copied(
        _ bytes: UnsafeRawBufferPointer, inChunksOf size: Int, into output: OutputBuffer, times: Int
    ) throws(LimitError) -> UInt64 {
        var output = output
        var rewriter = MasterRewriter(tracks)
        var sum: UInt64 = 0
        for _ in 0..<times {
            output.removeAll()
            try sideload(bytes, inChunksOf: size, &rewriter) { output.append($0.bytes) }
            Reference.keep(output.room.baseAddress)
            sum &+= UInt64(output.count)
        }
        return sum
    }

    /// Sideloads, and notes the slices that come out.
    ///
    /// Those of the library's own memory are noted like the others. A proxy sends them before it returns or copies
    /// them: 17 bytes a variant, and the tracks' lines.
    static func sliced(
        _ bytes: UnsafeRawBufferPointer, inChunksOf size: Int, to slices: SliceList, times: Int
    ) throws(LimitError) -> UInt64 {
        var slices = slices
        var rewriter = MasterRewriter(tracks)
        var sum: UInt64 = 0
        for _ in 0..<times {
            slices.removeAll()
            try sideload(bytes, inChunksOf: size, &rewriter) { slices.append($0.bytes) }
            sum &+= UInt64(slices.byteCount)
        }
        return sum
    }

    private static func sideload(
        _ bytes: UnsafeRawBufferPointer, inChunksOf size: Int, _ rewriter: inout MasterRewriter,
        _ body: PlaylistRewriter.Sink
    ) throws(LimitError) {
        rewriter.reset()
        for chunk in bytes.chunks(of: size) { try rewriter.write(chunk, body) }
        rewriter.finish(body)
    }

    /// What is wrong with the output for `bytes`, whole or in chunks, or nil.
    ///
    /// One rewriter does them all, so that a reset that leaves something behind shows too.
    static func fault(in bytes: UnsafeRawBufferPointer, expected: [UInt8], verdict: PlaylistVerdict) -> String? {
        var rewriter = MasterRewriter(tracks)
        for size in [bytes.count] + UnsafeRawBufferPointer.checkedChunks {
            var output = SlicedOutput(expected: expected)
            rewriter.reset()
            do {
                for chunk in bytes.chunks(of: size) {
                    try rewriter.write(chunk) { output.compare($0, of: chunk) }
                }
            } catch {
                return "in chunks of \(size) bytes: \(error)"
            }
            rewriter.finish { output.compare($0, of: UnsafeRawBufferPointer(start: nil, count: 0)) }
            if let fault = output.fault { return "in chunks of \(size) bytes: \(fault)" }
            if rewriter.verdict != verdict { return "in chunks of \(size) bytes: the verdict is \(rewriter.verdict)" }
            if size == bytes.count, output.forwardedCount != bytes.count {
                return "only \(output.forwardedCount) of \(bytes.count) bytes leave from where they came"
            }
        }
        return nil
    }
}
