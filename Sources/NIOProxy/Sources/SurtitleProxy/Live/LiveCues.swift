import ByteScan
import Delivery
import Foundation
import NIOCore
import WebVTT

/// The cues of a track beside a live stream: a whole file, or those that come while the stream goes on.
final class LiveCues {
    private enum File {
        /// It is on its way.
        case awaited
        case whole(CueIndex)
        /// It and those that follow it are there, in one cue time.
        case several([CueIndex])
        /// It could not be had: there are no cues.
        case missing
        /// There is none: cues come while the stream goes on, from whoever sends them.
        case growing
        /// They are appended to a file.
        case followed(CuesFile)
    }

    private var file: File
    private var growing: GrowingCues
    /// Whether somebody sends cues.
    private(set) var isBeingWritten = false
    /// How many cues have come in the present second, and when that began.
    private var lately = (count: 0, since: NIODeadline.now())

    /// How many cues are taken in a second.
    static let mostInASecond = 100

    init(_ router: Router, _ track: Int) {
        // Cues that players know already have lower numbers, whatever has become of this proxy since: there were at most 100 in a second.
        let number = UInt64(max(Date().timeIntervalSince1970, 0) * Double(Self.mostInASecond))
        growing = GrowingCues(router.growingConfiguration(of: track, .jsonLines, firstNumber: number))
        if let path = router.tracks[track].configuration.cuesFile {
            let configuration = router.growingConfiguration(of: track, .jsonLines, firstNumber: number)
            file = .followed(CuesFile(path, configuration))
        } else {
            file = router.liveFile(of: track) == nil ? .growing : .awaited
        }
    }

    /// Whether segments can be written.
    var isReady: Bool { if case .awaited = file { false } else { true } }

    /// Whether cues are kept that would be lost.
    var isGrowing: Bool {
        switch file {
        case .growing, .followed: true
        case .awaited, .whole, .several, .missing: false
        }
    }

    /// Whether cues come, so that versions are to be followed though no player is there.
    var isComing: Bool { if case .followed(let file) = file { file.isComing } else { isBeingWritten } }

    var isMissing: Bool { if case .missing = file { true } else { false } }

    /// Takes what the fetch of the file has come to.
    func take(_ step: Fetch.Step, naming: CueIndex.Naming) {
        file = Self.index(of: step, naming).map { .whole($0) } ?? .missing
    }

    /// Takes what the fetch of another file has come to, which follows those that are there.
    func takeNext(_ step: Fetch.Step, naming: CueIndex.Naming) {
        guard let next = Self.index(of: step, naming) else { return }
        switch file {
        case .whole(let first): file = .several([first, next])
        case .several(let files): file = .several(files + [next])
        default: break
        }
    }

    private static func index(of step: Fetch.Step, _ naming: CueIndex.Naming) -> CueIndex? {
        guard case .answer(.text(let text)) = step else { return nil }
        return try? CueIndex(text.bytes, naming: naming)
    }

    // MARK: Cues that are sent

    /// Lets somebody send cues in this form.
    func open(_ format: GrowingConfiguration.Format) throws(CuesRefusal) {
        guard !isBeingWritten else { throw .isWritten }
        isBeingWritten = true
        growing.begin(format)
    }

    /// Takes bytes of cues. What is refused ends the writer; the cues before it count.
    func append(_ bytes: UnsafeRawBufferPointer) throws(CuesRefusal) {
        try ending { (growing) throws(GrowingError) in try growing.append(bytes) }
        guard lately.count <= Self.mostInASecond else {
            abandon()
            throw .tooFast
        }
    }

    /// Ends the writer: a last cue counts though nothing follows it.
    func finish() throws(CuesRefusal) {
        try ending { (growing) throws(GrowingError) in try growing.finish() }
        isBeingWritten = false
    }

    /// Ends the writer: a cue that is not whole is none.
    func abandon() {
        growing.abandon()
        isBeingWritten = false
    }

    private func ending(_ body: (inout GrowingCues) throws(GrowingError) -> Void) throws(CuesRefusal) {
        let count = growing.cueCount
        defer { note(growing.cueCount - count) }
        do throws(GrowingError) { try body(&growing) } catch {
            abandon()
            throw CuesRefusal(error)
        }
    }

    private func note(_ count: Int) {
        let now = NIODeadline.now()
        if now - lately.since >= .seconds(1) { lately = (0, now) }
        lately.count += count
    }

    // MARK: Segments

    /// Reads what a file has got by now.
    func read() { if case .followed(let file) = file { file.read() } }

    /// Seals the segments that a version of the video's playlist has brought.
    func seal(_ channel: borrowing LiveChannel) {
        switch file {
        case .growing: growing.seal(channel)
        case .followed(let file):
            file.read()
            file.seal(channel)
        case .awaited, .whole, .several, .missing: break
        }
    }

    /// The segment of `span`.
    func segment(_ span: LiveSpan) -> [UInt8] {
        var output = OutputPieces()
        switch file {
        case .whole(let index):
            index.write(span.cues, into: &output)
            return output.bytes(of: index.file)
        case .several(let files):
            CueIndex.write(span.cues, of: files, into: &output)
            return output.bytes(of: [])
        case .growing:
            growing.write(span, into: &output)
            return output.bytes(of: [])
        case .followed(let file):
            file.write(span, into: &output)
            return output.bytes(of: [])
        case .awaited, .missing:
            var head = Array("WEBVTT\n".utf8)
            if let map = span.cues.map { head += map.headerLine + [0x0A] }
            return head + [0x0A]
        }
    }
}

extension CuesRefusal {
    init(_ error: GrowingError) {
        let status =
            switch error.reason {
            case .blockTooLong, .tooMuchKept: 413
            default: 400
            }
        self.init(status: status, reason: "\(error)")
    }
}
