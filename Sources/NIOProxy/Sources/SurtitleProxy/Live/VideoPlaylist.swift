import Delivery
import NIOConcurrencyHelpers
import NIOCore
import NIOHTTP1

// What becomes of the video's own playlists on their way to players, so that they agree with the renditions beside
// them. Which they are their first lines tell, before which the head does not go out.

/// A response that may be one of the video's media playlists, edited as it comes.
final class VideoPlaylist {
    /// The origin's head, without what it says of its bytes: that does not hold for others.
    let head: HTTPResponseHead
    private static let fieldsOfBytes = [
        "ETag", "Last-Modified", "Accept-Ranges", "Content-MD5", "Digest", "Content-Digest", "Repr-Digest",
    ]

    /// Of lines that do not tell what it is no more bytes are held: with more it stays as it is.
    private static let mostUndecided = 16 << 10

    private var editor: VideoPlaylistEditor
    private var output: [UInt8] = []

    /// Nil if `head`, which answers `request`, is not that of a playlist that can be read.
    init?(_ head: HTTPResponseHead, to request: HTTPRequestHead, _ edits: @autoclosure () -> VideoPlaylistEdits) {
        guard head.status == .ok, request.method == .GET,
            request.uri.prefix(while: { $0 != "?" }).hasSuffix(".m3u8")
                || head.headers.first(name: "Content-Type")?.lowercased().contains("mpegurl") ?? false,
            head.headers.first(name: "Content-Encoding")?.isField("identity") ?? true
        else { return nil }
        let edits = edits()
        guard !edits.isEmpty else { return nil }
        editor = VideoPlaylistEditor(edits)
        var head = head
        for name in Self.fieldsOfBytes { head.headers.remove(name: name) }
        self.head = head
    }

    /// Whether it is a media playlist, and edited.
    var isEdited: Bool { editor.verdict == .media }

    /// Takes what has come; what is ready then goes on. Nothing is before the first lines have told what it is.
    func take(_ bytes: ByteBuffer) -> ByteBuffer {
        bytes.withUnsafeReadableBytes { editor.write($0, into: &output) }
        guard editor.verdict == .undecided else { return taken() }
        return output.count > Self.mostUndecided ? abandon() : ByteBuffer()
    }

    /// The rest of it.
    func finish() -> ByteBuffer {
        editor.finish(into: &output)
        return taken()
    }

    /// Leaves it as it is, since its head has gone: no byte has.
    func abandon() -> ByteBuffer {
        editor.abandon(into: &output)
        return taken()
    }

    private func taken() -> ByteBuffer {
        defer { output.removeAll(keepingCapacity: true) }
        return ByteBuffer(bytes: output)
    }
}

/// Which renditions stand as far as which of the video's playlists, for all workers.
final class ReportedRenditions: Sendable {
    private let all = NIOLockedValueBox<[[UInt8]: [[UInt8]]]>([:])

    /// Those beside the playlist at `url`, which has no delivery directives.
    subscript(url: [UInt8]) -> [[UInt8]] { all.withLockedValue { $0[url] ?? [] } }

    /// Says which they are; none is not kept.
    func set(_ renditions: [[UInt8]], beside url: [UInt8]) {
        all.withLockedValue { $0[url] = renditions.isEmpty ? nil : renditions }
    }

    var isEmpty: Bool { all.withLockedValue { $0.isEmpty } }
}
