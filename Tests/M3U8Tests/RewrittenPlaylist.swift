import M3U8
import Support

/// What a rewriter makes of `playlist` when it comes in the chunks of `split`, with a fresh handler from `decide`.
func rewritten(
    _ playlist: [UInt8], _ edits: PlaylistEdits, split: [Range<Int>], deciding decide: PlaylistRewriter.Handler
) -> [UInt8] {
    var rewriter = PlaylistRewriter(edits)
    var output: [UInt8] = []
    playlist.withUnsafeBytes { playlist in
        for range in split {
            let chunk = UnsafeRawBufferPointer(rebasing: playlist[range])
            try? rewriter.write(chunk, deciding: decide, { output.append(contentsOf: $0.bytes) })
        }
    }
    rewriter.finish(deciding: decide, { output.append(contentsOf: $0.bytes) })
    return output
}
