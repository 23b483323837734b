import M3U8
import Sideload
import WebVTT

/// Two tracks put beside master playlists.
struct Sideloader: ChunkedJob, ~Copyable {
    static let words = "Sideload"
    private var rewriter: MasterRewriter

    init(_ tracks: SubtitleTracks = Sideloading.tracks) { rewriter = MasterRewriter(tracks) }

    mutating func reset() { rewriter.reset() }
    mutating func write(_ chunk: UnsafeRawBufferPointer, _ sink: Sink) throws {
        try rewriter.write(chunk) { sink($0.bytes) }
    }
    mutating func finish(_ sink: Sink) { rewriter.finish { sink($0.bytes) } }
}

/// URIs made absolute, with another host.
struct Mapper: ChunkedJob, ~Copyable {
    static let words = "URIs mapped: base-host"
    private var rewriter = PlaylistRewriter(Mapping.edits)
    private var mapper = URIMapper(Mapping.mapping(.baseAndHost))

    mutating func reset() {
        rewriter.reset()
        mapper.reset()
    }
    mutating func write(_ chunk: UnsafeRawBufferPointer, _ sink: Sink) throws {
        try rewriter.write(chunk, mapping: &mapper) { sink($0.bytes) }
    }
    mutating func finish(_ sink: Sink) { rewriter.finish(deciding: { mapper.map($0, &$1) }) { sink($0.bytes) } }
}

/// SubRip made WebVTT.
struct Transcoder: ChunkedJob, ~Copyable {
    static let words = "SubRip to WebVTT"
    private var transcoder = SubRipTranscoder()

    mutating func reset() { transcoder.reset() }
    mutating func write(_ chunk: UnsafeRawBufferPointer, _ sink: Sink) throws {
        try transcoder.write(chunk) { sink($0) }
    }
    mutating func finish(_ sink: Sink) { try? transcoder.finish { sink($0) } }
}
