import Delivery
import NIOCore

/// Somebody who sends cues of a track beside a live stream.
final class CuesWriter {
    private let tracks: LiveTracks
    private let track: Int
    /// How many cues have come in the present second, and when that began.
    var lately = (count: 0, since: NIODeadline.now())

    /// How many cues are taken in a second.
    static let mostInASecond = 100

    /// Begins to send cues in this form.
    init(_ track: Int, of tracks: LiveTracks, _ format: GrowingConfiguration.Format) throws(CuesRefusal) {
        guard tracks.beginCues(format, of: track) else { throw .isWritten }
        self.tracks = tracks
        self.track = track
    }

    /// Takes bytes of cues. What is refused ends the writer; the cues before it count.
    func append(_ bytes: UnsafeRawBufferPointer) throws(CuesRefusal) {
        do throws(GrowingError) { note(try tracks.appendCues(bytes, of: track)) } catch { throw CuesRefusal(error) }
        guard lately.count <= Self.mostInASecond else {
            abandon()
            throw .tooFast
        }
    }

    /// Ends the writer: a last cue counts though nothing follows it.
    func finish() throws(CuesRefusal) {
        do throws(GrowingError) { try tracks.finishCues(of: track) } catch { throw CuesRefusal(error) }
    }

    /// Ends the writer: a cue that is not whole is none.
    func abandon() { tracks.abandonCues(of: track) }

    private func note(_ count: Int) {
        let now = NIODeadline.now()
        if now - lately.since >= .seconds(1) { lately = (0, now) }
        lately.count += count
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
