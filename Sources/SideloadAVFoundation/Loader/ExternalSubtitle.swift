#if canImport(AVFoundation) && !os(watchOS)
public import Delivery
public import Foundation
public import Sideload

/// A subtitle track from somewhere else than the video: a WebVTT or SubRip file, or a subtitle playlist.
public struct ExternalSubtitle: Sendable {
    /// Where it is: http or https, or a file of this device.
    public var url: URL

    /// What it is; nil if the end of its path tells: `.vtt`, `.webvtt`, `.srt`, `.m3u8`, `.m3u`.
    public var format: TrackConfiguration.Source?

    /// What the playlist says of it, and how long its content plays, which spares a request. Its URI is of no account.
    public var track: SubtitleTrack

    /// A track; all but its URL and name have the documented defaults of ``SubtitleTrack``.
    public init(
        _ url: URL, language: String? = nil, name: String, isDefault: Bool = false, isForced: Bool = false,
        isSDH: Bool = false, format: TrackConfiguration.Source? = nil
    ) {
        self.url = url
        self.format = format
        track = SubtitleTrack(
            uri: "", language: language, name: name, isDefault: isDefault, isForced: isForced, isSDH: isSDH)
    }

    /// The track as the router wants it.
    func configuration() throws(SubtitleLoaderError) -> TrackConfiguration {
        var described = track
        described.uri = url.absoluteString
        if let format { described.sourceType = format == .playlist ? .playlist : .webVTT }
        guard var configuration = TrackConfiguration(described) else {
            throw SubtitleLoaderError(.unknownFormat, Array(url.absoluteString.utf8))
        }
        if let format { configuration.source = format }
        if url.isFileURL { configuration.file = Array(url.path.utf8) }
        return configuration
    }
}
#endif
