internal import ByteScan
internal import M3U8
internal import Sideload
internal import WebVTT

/// Segments as they come from a segmenter, put into an output directory.
///
/// Nothing is thrown while segments are handed over; the first error stops all writing and is thrown by ``check()``.
final class SegmentFiles {
    private let names: SegmentNames
    private let makeOutput: () throws(Failure) -> OutputDirectory
    private var openedOutput: OutputDirectory?
    private var writer: ByteWriter?
    private var failure: Failure?
    /// How many files were staged before.
    private var countBefore = 0

    /// The file that is cut, which must not be overwritten.
    private(set) var source: FileStatus.Identity?

    /// The segments that are whole.
    private(set) var segments: [Segment] = []

    /// Files with these names in the directory that `output` makes when the first is there to be written.
    init(_ names: SegmentNames, in output: @escaping () throws(Failure) -> OutputDirectory) {
        self.names = names
        makeOutput = output
    }

    /// Begins with the segments of the file `source`.
    func begin(_ source: FileStatus) { self.source = source.identity }

    /// Forgets the segments that have come.
    func discard() {
        writer = nil
        segments = []
        openedOutput?.discard(allBut: countBefore)
    }

    /// Takes what a segmenter hands out.
    func take(_ event: SegmentEvent) {
        guard failure == nil else { return }
        do throws(Failure) {
            switch event {
            case .began(let index): writer = try open(names.steps(index))
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

    /// Throws what has gone wrong so far.
    func check() throws(Failure) {
        if let failure { throw failure }
        try writer?.check()
    }

    private func open(_ steps: [String]) throws(Failure) -> ByteWriter {
        let output = try output()
        if let source, try output.status(of: steps)?.identity == source {
            throw .refused(steps.joined(separator: "/"), "is the file that is cut; give another directory with -o")
        }
        return try output.open(steps)
    }

    private func output() throws(Failure) -> OutputDirectory {
        if let openedOutput { return openedOutput }
        let output = try makeOutput()
        countBefore = output.stagedCount
        openedOutput = output
        return output
    }

    /// The segments' playlist.
    func playlist(_ options: SubtitlePlaylist.Options) throws(SubtitlePlaylistError) -> SubtitlePlaylist {
        let segments = segments.map {
            SubtitlePlaylist.Segment(uri: names.uri($0.index), duration: MediaDuration(nanoseconds: $0.duration))
        }
        return try SubtitlePlaylist(segments: segments, options: options)
    }
}
