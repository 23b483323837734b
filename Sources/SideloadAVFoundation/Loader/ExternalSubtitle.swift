#if canImport(AVFoundation) && !os(watchOS)
public import Encodings
public import Foundation
public import M3U8
public import Sideload
public import WebVTT

/// A subtitle track from somewhere else than the video: a WebVTT or SubRip file, or a subtitle playlist.
///
/// It can be decoded from what a catalogue tells, by the keys of a configuration:
///
///     let tracks = try JSONDecoder().decode([ExternalSubtitle].self, from: catalogue)
public struct ExternalSubtitle: Sendable {
    /// Where it is: http or https, or a file of this device. A relative URL is relative to the multivariant playlist's.
    public var url: URL

    /// What it is; nil if the end of its path tells: `.vtt`, `.webvtt`, `.srt`, `.m3u8`, `.m3u`.
    public var format: SubtitleFormat?

    /// How long its content plays, which spares a request; nil if that is to be found out.
    public var duration: DecimalSeconds?

    /// The encoding of the file, if it is not UTF-8; UTF-16 with a byte order mark needs none. Files of a subtitle
    /// playlist are in UTF-8.
    ///
    /// Such a file is always asked for whole.
    public var encoding: TextEncoding?

    /// How much later its cues are shown, or earlier if it is below zero, to the millisecond; not those of a subtitle
    /// playlist. What ``SubtitleLoaderOptions/shift`` says comes on top.
    public var shift = Duration.zero

    /// What the playlist says of it. Its URI is of no account.
    public var track: SubtitleTrack

    /// A track; all but its URL and name have the documented defaults of `SubtitleTrack`.
    public init(
        _ url: URL, language: String? = nil, name: String, isDefault: Bool = false, isForced: Bool = false,
        isSDH: Bool = false, format: SubtitleFormat? = nil, encoding: TextEncoding? = nil
    ) {
        self.url = url
        self.format = format
        self.encoding = encoding
        track = SubtitleTrack(
            uri: "", language: language, name: name, isDefault: isDefault, isForced: isForced, isSDH: isSDH)
    }

    /// The track that a configuration describes.
    ///
    /// - Throws: ``SubtitleLoaderError`` if the system makes no URL of its URI, or does not know its encoding.
    public init(_ configuration: TrackConfiguration) throws(SubtitleLoaderError) {
        let uri = Array(configuration.track.uri.utf8)
        let file = configuration.file.map { URL(fileURLWithPath: $0) }
        guard let url = file ?? URL(keeping: uri) else { throw SubtitleLoaderError(.noURL, uri) }
        self.url = url
        format = configuration.format
        duration = configuration.duration
        encoding = try configuration.textEncoding()
        shift = .milliseconds(configuration.shift)
        track = configuration.track
    }

    /// The track as the router wants it.
    func configuration() throws(SubtitleLoaderError) -> TrackConfiguration {
        var described = track
        described.uri = url.relativeString
        if url.baseURL != nil { described.uri = url.absoluteString }
        let told = format.map { TrackConfiguration(described, format: $0) } ?? TrackConfiguration(described)
        guard var configuration = told else {
            throw SubtitleLoaderError(.unknownFormat, Array(url.absoluteString.utf8))
        }
        configuration.duration = duration
        configuration.encoding = encoding?.name
        configuration.shift = shift.inMilliseconds
        if url.isFileURL { configuration.file = url.path }
        return configuration
    }
}

extension TrackConfiguration {
    /// The encoding that is named; nil if none is.
    ///
    /// - Throws: ``SubtitleLoaderError`` if the system does not know it.
    func textEncoding() throws(SubtitleLoaderError) -> TextEncoding? {
        guard let encoding else { return nil }
        do throws(UnknownEncodingError) {
            return try TextEncoding(encoding)
        } catch {
            throw SubtitleLoaderError(.encoding(error), Array(track.uri.utf8))
        }
    }
}

extension Duration {
    /// So many whole milliseconds, as far as a number has them.
    var inMilliseconds: Int64 {
        let (seconds, isTooLong) = components.seconds.multipliedReportingOverflow(by: 1000)
        guard !isTooLong else { return components.seconds < 0 ? .min : .max }
        let (sum, overflows) = seconds.addingReportingOverflow(components.attoseconds / 1_000_000_000_000_000)
        return overflows ? seconds : sum
    }
}

extension ExternalSubtitle: Decodable {
    /// Decodes a track by the keys of a configuration: `uri`, `language`, `name`, `default`, `type` and others.
    ///
    /// - Throws: What the decoder says, and ``SubtitleLoaderError``.
    public init(from decoder: any Decoder) throws { try self.init(TrackConfiguration(from: decoder)) }
}
#endif
