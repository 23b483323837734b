#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery
public import Foundation

/// Writes the cues of a track while a live video plays: those of a typist, or of a recogniser.
///
/// It is had of ``SubtitleLoader/writer(of:as:)``, and may be used from any thread. A cue counts as soon as it is
/// whole: when its blank line is there, or the end of its line of JSON. It is in the next segment that the player asks
/// for, if it shows there and the segment was not listed before. A writer that goes away without ``finish()`` leaves
/// out a cue that is not whole.
public final class SubtitleWriter: Sendable {
    /// The number of the track, from 0.
    public let track: Int

    private let answers: LiveAnswers
    private let lock = NSLock()
    private nonisolated(unsafe) var hasEnded = false

    init(_ track: Int, _ answers: LiveAnswers) {
        self.track = track
        self.answers = answers
    }

    deinit { if unsafe !hasEnded { answers.abandonCues(of: track) } }

    /// Takes text, of any length, as it comes.
    ///
    /// - Throws: ``SubtitleLoaderError`` for what is no such text, for more than is kept, and once the loader is gone.
    ///   The cues before it count; the writer has ended.
    public func append(_ text: String) throws(SubtitleLoaderError) { try append(Array(text.utf8)) }

    /// Takes bytes, of any number, as they come: a chunk may end within a cue.
    ///
    /// - Throws: ``SubtitleLoaderError``, as for text.
    public func append(_ data: Data) throws(SubtitleLoaderError) { try append([UInt8](data)) }

    /// Ends the writer: a last cue counts though nothing follows it. Another one may begin.
    ///
    /// - Throws: ``SubtitleLoaderError`` if what is left is no cue, and once the loader is gone. The writer has ended
    ///   then too.
    public func finish() throws(SubtitleLoaderError) {
        try writing { () throws(SubtitleLoaderError) in
            unsafe hasEnded = true
            try answers.finishCues(of: track)
        }
    }

    private func append(_ bytes: [UInt8]) throws(SubtitleLoaderError) {
        try writing { () throws(SubtitleLoaderError) in
            try unsafe bytes.withUnsafeBufferPointer { (bytes) throws(SubtitleLoaderError) in
                try unsafe answers.appendCues(UnsafeRawBufferPointer(bytes), of: track)
            }
        }
    }

    /// One call after the other, and none after the end.
    private func writing(_ body: () throws(SubtitleLoaderError) -> Void) throws(SubtitleLoaderError) {
        lock.lock()
        defer { lock.unlock() }
        guard unsafe !hasEnded else { throw SubtitleLoaderError(.hasEnded, []) }
        do throws(SubtitleLoaderError) { try body() } catch {
            unsafe hasEnded = true
            throw error
        }
    }
}
#endif
