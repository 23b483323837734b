#if canImport(AVFoundation) && !os(watchOS)
/// How a track's files were sent on their way.
public struct SubtitleDelivery: Equatable, Sendable {
    /// A way that was taken.
    public enum Means: Sendable {
        /// The file's own URL.
        case direct
        /// http from this device.
        case loopback
        /// Bytes of the resource loader.
        case bytes
        /// A redirect.
        case redirect
        /// A server of the app's.
        case served
    }

    /// What the file should have become, and did not, since the way that was chosen forbids it or there was no answer.
    public enum Undone: Sendable {
        /// It has no X-TIMESTAMP-MAP of the video's.
        case map
        /// It is no WebVTT in UTF-8, and was not converted.
        case conversion
        /// Its cues are not shifted.
        case shift
        /// Nothing takes its place if it is missing.
        case cover
        /// It is asked for without the app's header fields, which its origin may want.
        case headers
    }

    /// The track's number, from 0.
    public let track: Int

    /// The way that was taken.
    public let means: Means

    /// What was not done.
    public let undone: [Undone]

    /// A track's delivery.
    public init(track: Int, means: Means, undone: [Undone] = []) {
        self.track = track
        self.means = means
        self.undone = undone
    }
}

extension SubtitleDelivery: CustomStringConvertible {
    /// The way, and what was not done, in words.
    public var description: String { "track \(track + 1) \(words)" }

    var words: String { "by \(means)" + undone.map { ", without \($0)" }.joined() }
}
#endif
