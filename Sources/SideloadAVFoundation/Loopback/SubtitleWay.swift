#if canImport(AVFoundation) && !os(watchOS)
public import Foundation

/// How a track's WebVTT files reach the player.
///
/// The segments beside a live video are nowhere else than here: where they would go by a URL of their own, or by a
/// redirect to one, they go by ``loopback``.
public enum SubtitleWay: Sendable {
    /// By the file's own URL where the file need not change and its origin wants no header fields of the app's, and
    /// else by ``loopback``. Where ``SubtitleLoaderOptions/policies`` say another way for WebVTT, that counts.
    case automatic
    /// By the file's own URL, whatever there would be to change.
    case direct
    /// By http from this device, at 127.0.0.1: with the map, as WebVTT, and with an empty file in place of a missing
    /// one.
    case loopback
    /// By the resource loader, as bytes. Nobody has proved that AVPlayer takes WebVTT so.
    case bytes
    /// By a redirect of the resource loader's to the file's own URL.
    case redirect
    /// Below the base that the closure returns, with a slash at its end, where the app serves what
    /// ``SubtitleLoader/resource(for:)`` gives. It is asked for each playlist: a receiver of AirPlay needs this
    /// device's address in its own network, and a new item when the route changes. Nil: as ``automatic``.
    case served(base: @Sendable () -> URL?)
}
#endif
