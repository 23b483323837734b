#if canImport(AVFoundation) && !os(watchOS)
public import Foundation

/// How a track's WebVTT files reach the player.
public enum SubtitleWay: Sendable {
    /// By the file's own URL where the file need not change, and else by ``loopback``. Where ``SubtitleLoaderOptions/policies`` say another
    /// way for WebVTT, that counts.
    case automatic
    /// By the file's own URL, whatever there would be to change.
    case direct
    /// By http from this device, at 127.0.0.1: with the map, as WebVTT, and with an empty file in place of a missing one.
    case loopback
    /// By the resource loader, as bytes. Nobody has proved that AVPlayer takes WebVTT so.
    case bytes
    /// By a redirect of the resource loader's to the file's own URL.
    case redirect
    /// Below the base that the closure returns, with a slash at its end, where the app serves what ``SubtitleLoader/resource(for:)`` gives. It
    /// is asked for each playlist: a receiver of AirPlay needs this device's address in its own network, and a new item when the route
    /// changes. Nil: as ``automatic``.
    case served(base: @Sendable () -> URL?)
}

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
        /// It is no WebVTT, and was not converted.
        case conversion
        /// Nothing takes its place if it is missing.
        case cover
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
