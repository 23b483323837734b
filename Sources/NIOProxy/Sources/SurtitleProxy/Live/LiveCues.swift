import ByteScan
import Delivery
import WebVTT

/// The cues of a track beside a live stream: a whole file, or those that come while the stream goes on.
final class LiveCues {
    private enum File {
        /// It is on its way.
        case awaited
        case whole(CueIndex)
        /// It could not be had: there are no cues.
        case missing
        /// There is none: cues come while the stream goes on.
        case growing
    }

    private var file: File
    private var growing: GrowingCues

    init(_ router: Router, _ track: Int) {
        file = router.liveFile(of: track) == nil ? .growing : .awaited
        growing = GrowingCues(router.growingConfiguration(of: track, .jsonLines))
    }

    /// Whether segments can be written.
    var isReady: Bool { if case .awaited = file { false } else { true } }

    var isGrowing: Bool { if case .growing = file { true } else { false } }

    var isMissing: Bool { if case .missing = file { true } else { false } }

    /// Takes what the fetch of the file has come to.
    func take(_ step: Fetch.Step, naming: CueIndex.Naming) {
        if case .answer(.text(let text)) = step, let index = try? CueIndex(text.bytes, naming: naming) {
            file = .whole(index)
        } else {
            file = .missing
        }
    }

    /// Seals the segments that a version of the video's playlist has brought.
    func seal(_ channel: borrowing LiveChannel) { if isGrowing { growing.seal(channel) } }

    /// The segment of `span`.
    func segment(_ span: LiveSpan) -> [UInt8] {
        var output = OutputPieces()
        switch file {
        case .whole(let index):
            index.write(span.cues, into: &output)
            return output.bytes(of: index.file)
        case .growing:
            growing.write(span, into: &output)
            return output.bytes(of: [])
        case .awaited, .missing:
            var head = Array("WEBVTT\n".utf8)
            if let map = span.cues.map { head += map.headerLine + [0x0A] }
            return head + [0x0A]
        }
    }
}
