internal import ByteScan
internal import Sideload
internal import WebVTT

/// The cues of one track of ``LiveTracks``: those of a whole file, once it is there, or those that come while the
/// stream goes on.
final class LiveCues {
    private enum Source {
        /// Whole files, of which one is to be fetched.
        case wanted
        /// It is being fetched.
        case awaited(LiveFetch)
        /// They are there.
        case whole
        /// The first could not be had, at that time: there are no cues.
        case missing(at: Int64)
        /// Somebody sends them while the stream goes on.
        case sent
        /// Somebody writes them to a file that grows.
        case followed
    }

    let track: Int
    private var source: Source
    /// The whole files, those that are there, and how many have been fetched.
    private let files: [LiveFile]
    private var indexes: [CueIndex] = []
    private var fetchedCount = 0
    /// Those that are sent; none if they come otherwise.
    var growing: GrowingCues
    /// Those of a file that grows; none if they come otherwise.
    var followed: FollowedCues
    /// Whether somebody sends cues.
    var isBeingWritten = false

    /// After how many milliseconds a file that could not be had is asked for again.
    private static var missingFor: Int64 { 10_000 }

    init(_ router: Router, _ track: Int, firstNumber: UInt64) {
        self.track = track
        let configuration = router.growingConfiguration(of: track, .jsonLines, firstNumber: firstNumber)
        growing = GrowingCues(configuration)
        followed = FollowedCues(configuration)
        let isFollowed = router.tracks[track].configuration.cuesFile != nil
        files = router.liveFiles(of: track)
        source = isFollowed ? .followed : files.isEmpty ? .sent : .wanted
    }

    /// Whether segments can be written.
    var isReady: Bool {
        switch source {
        case .wanted, .awaited: false
        case .whole, .missing, .sent, .followed: true
        }
    }

    /// Whether some have been sent that nobody else has, or more are to come.
    var holdsSent: Bool { isSent && (isBeingWritten || growing.cueCount > 0) }

    var isSent: Bool { if case .sent = source { true } else { false } }
    var isFollowed: Bool { if case .followed = source { true } else { false } }

    /// The file that is to be fetched.
    var wanted: LiveFile? { if case .wanted = source { files[fetchedCount] } else { nil } }

    /// What could not be had may be there later.
    func retry(at now: Int64) {
        guard case .missing(let since) = source, now - since >= Self.missingFor else { return }
        source = .wanted
    }

    /// Takes note that the file is being fetched.
    func await(_ fetch: LiveFetch) { source = .awaited(fetch) }

    func awaits(_ fetch: LiveFetch) -> Bool { if case .awaited(fetch) = source { true } else { false } }

    /// Takes what the fetch of a file has come to. One that follows others may be missing.
    func take(_ step: Fetch.Step, at now: Int64) {
        let naming = files[fetchedCount].naming
        if case .answer(.text(let text)) = step, let index = try? CueIndex(text.bytes, naming: naming) {
            indexes.append(index)
        } else if fetchedCount == 0 {
            source = .missing(at: now)
            return
        }
        fetchedCount += 1
        source = fetchedCount < files.count ? .wanted : .whole
    }

    /// Seals the segments that a version has brought.
    func seal(_ channel: borrowing LiveChannel) {
        switch source {
        case .sent: growing.seal(channel)
        case .followed: followed.seal(channel)
        case .wanted, .awaited, .whole, .missing: break
        }
    }

    /// The segment of `span`; without cues as long as they are not there.
    func segment(_ span: LiveSpan) -> [UInt8] {
        var output = OutputPieces()
        switch source {
        case .whole where indexes.count == 1:
            indexes[0].write(span.cues, into: &output)
            return output.bytes(of: indexes[0].file)
        case .whole: CueIndex.write(span.cues, of: indexes, into: &output)
        case .followed: followed.write(span, into: &output)
        case .sent, .wanted, .awaited, .missing: growing.write(span, into: &output)
        }
        return output.bytes(of: [])
    }
}

extension OutputPieces {
    /// All that has been collected, ranges being of `file`.
    func bytes(of file: [UInt8]) -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(byteCount)
        unsafe file.withUnsafeBytes { file in for piece in self { unsafe bytes += piece.bytes(in: file) } }
        return bytes
    }
}
