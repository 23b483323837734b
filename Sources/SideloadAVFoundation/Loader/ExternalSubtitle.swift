#if canImport(AVFoundation) && !os(watchOS)
public import Foundation
public import M3U8
public import Sideload
public import WebVTT

/// A subtitle track from somewhere else than the video: a WebVTT or SubRip file, or a subtitle playlist.
public struct ExternalSubtitle: Sendable {
    /// Where it is: http or https, or a file of this device.
    public var url: URL

    /// What it is; nil if the end of its path tells: `.vtt`, `.webvtt`, `.srt`, `.m3u8`, `.m3u`.
    public var format: SubtitleFormat?

    /// How long its content plays, which spares a request; nil if that is to be found out.
    public var duration: DecimalSeconds?

    /// What the playlist says of it. Its URI is of no account.
    public var track: SubtitleTrack

    /// A track; all but its URL and name have the documented defaults of ``SubtitleTrack``.
    public init(
        _ url: URL, language: String? = nil, name: String, isDefault: Bool = false, isForced: Bool = false,
        isSDH: Bool = false, format: SubtitleFormat? = nil
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
        let told = format.map { TrackConfiguration(described, format: $0) } ?? TrackConfiguration(described)
        guard var configuration = told else {
            throw SubtitleLoaderError(.unknownFormat, Array(url.absoluteString.utf8))
        }
        configuration.duration = duration
        if url.isFileURL { configuration.file = url.path }
        return configuration
    }
}
#endif
