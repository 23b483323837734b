internal import M3U8
internal import Sideload
internal import WebVTT

/// Writes segments into an output directory as they come from a segmenter.
///
/// ``handle(_:)`` throws nothing, so that it can be a segmenter's sink. The first error stops all writing, and
/// ``check()`` throws it.
final class SegmentFiles {
    private let names: SegmentNames
    private let output: OutputDirectory
    /// How many files were staged before the first segment.
    private let countBefore: Int

    /// The file of the segment that has begun.
    private var writer: ByteWriter?
    private var failure: Failure?

    /// The segments with which a timeline of the video begins.
    var discontinuities: Set<Int> = []

    /// The segments that are whole.
    private(set) var segments: [Segment] = []

    /// Segments with these names in `output`.
    init(_ names: SegmentNames, in output: OutputDirectory) {
        self.names = names
        self.output = output
        countBefore = output.stagedCount
    }

    /// Discards all segments so far.
    func discard() {
        writer = nil
        segments = []
        output.discard(allBut: countBefore)
    }

    /// Writes what a segmenter hands out.
    func handle(_ event: SegmentEvent) {
        guard failure == nil else { return }
        do throws(Failure) {
            switch event {
            case .began(let index): writer = try output.open(names.steps(index))
            case .bytes(let slice): writer?.write(slice.view)
            case .ended(let segment):
                try writer?.finish()
                writer = nil
                segments.append(segment)
            }
        } catch {
            failure = error
        }
    }

    /// Throws the first error, if there was one.
    func check() throws(Failure) {
        if let failure { throw failure }
        try writer?.check()
    }

    /// The segments' playlist.
    func playlist(_ options: SubtitlePlaylist.Options) throws(SubtitlePlaylistError) -> SubtitlePlaylist {
        let segments = segments.map { segment in
            let duration = MediaDuration(nanoseconds: segment.duration)
            var listed = SubtitlePlaylist.Segment(uri: names.uri(segment.index), duration: duration)
            listed.isDiscontinuous = discontinuities.contains(segment.index)
            return listed
        }
        return try SubtitlePlaylist(segments: segments, options: options)
    }
}
