internal import ByteScan
internal import Delivery

/// The video as the tracks of one anchor see it: a channel, and the first time stamps that it asks for.
final class FollowedVideo {
    private(set) var channel: LiveChannel
    /// The video's media playlist, against which its references are resolved.
    private let playlist: String
    /// Why a time stamp could not be read, for a note.
    private var failure: UnknownMediaStart?
    private var told: LiveNotes = []

    /// The video whose media playlist is at the path `playlist`.
    init(playlist: String, _ configuration: LiveConfiguration) {
        channel = LiveChannel(configuration)
        self.playlist = playlist
    }

    /// Takes a version of the media playlist, and reads the time stamps that it needs.
    func take(_ version: [UInt8]) throws(LiveError) -> LiveChange {
        let change = try take(bytes: version)
        guard change.isNew else { return change }
        // Where a segment tells none, the same version asks for that of another.
        while channel.next() != nil {
            while let want = channel.next() { read(want) }
            _ = try take(bytes: version)
        }
        return change
    }

    private func take(bytes: [UInt8]) throws(LiveError) -> LiveChange {
        try bytes.withView { (bytes) throws(LiveError) in try channel.take(bytes) }
    }

    private func read(_ want: LiveWant) {
        let parts = [want.initialization, want.media].compactMap { $0?.part }
        do throws(UnknownMediaStart) {
            channel.take(mediaStart: try MediaStartReading.ticks(of: parts, in: playlist), of: want.segment)
        } catch {
            channel.noMediaStart(of: want.segment)
            failure = error
        }
    }

    /// Tells what is new of what whoever runs this should know.
    func tellNotes() {
        for (note, words) in LiveNotes.all where channel.notes.contains(note) && !told.contains(note) {
            told.insert(note)
            let reason = note == .noTimestamp ? failure.map { ": \($0.reason)" } ?? "" : ""
            Console.tell("note: \(playlist): \(words)\(reason)")
        }
    }
}
