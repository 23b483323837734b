#if canImport(AVFoundation) && !os(watchOS)
internal import ByteScan
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

    /// What time 0 of its cues is beside a live video: a date, a media sequence number, or the video's own clock.
    ///
    /// Nil: where an EVENT stream began with segment 0; beside any other a file has no cues then. Cues that the app
    /// writes are shown when they come. Beside a complete video it is of no account.
    public var anchor: TrackAnchor?

    /// Whether it follows the video where that is live or an EVENT. If not, it is one segment there too.
    public var followsLiveVideo = true

    /// Whether the app writes its cues while a live video plays, by ``SubtitleLoader/writer(of:as:)``.
    public let isGrowing: Bool

    /// What the playlist says of it. Its URI is of no account.
    public var track: SubtitleTrack

    /// A track; all but its URL and name have the documented defaults of `SubtitleTrack`.
    public init(
        _ url: URL, language: String? = nil, name: String, isDefault: Bool = false, isForced: Bool = false,
        isSDH: Bool = false, format: SubtitleFormat? = nil, encoding: TextEncoding? = nil,
        at anchor: TrackAnchor? = nil,
        live: Bool = true
    ) {
        self.url = url
        self.format = format
        self.encoding = encoding
        self.anchor = anchor
        followsLiveVideo = live
        isGrowing = false
        track = SubtitleTrack(
            uri: "", language: language, name: name, isDefault: isDefault, isForced: isForced, isSDH: isSDH)
    }

    /// A track whose cues the app writes while a live video plays.
    ///
    /// - Parameters:
    ///   - name: What players show.
    ///   - language: A BCP 47 tag, such as `sv`; nil if it is not known.
    ///   - isDefault: Whether it shows unasked.
    ///   - isSDH: Whether it is for the deaf and hard of hearing.
    ///   - anchor: What time 0 of its cues is; nil if they are shown when they come.
    public init(
        growing name: String, language: String? = nil, isDefault: Bool = false, isSDH: Bool = false,
        at anchor: TrackAnchor? = nil
    ) {
        // It names nothing: there is no file.
        url = URL(fileURLWithPath: "/cues.vtt")
        format = .webVTT
        self.anchor = anchor
        isGrowing = true
        track = SubtitleTrack(uri: "", language: language, name: name, isDefault: isDefault, isSDH: isSDH)
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
        anchor = configuration.anchor
        followsLiveVideo = configuration.followsLiveStreams
        if let file = configuration.cuesFile { throw SubtitleLoaderError(.cuesFile, Array(file.utf8)) }
        isGrowing = configuration.takesCuesByHTTP
        track = configuration.track
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
        configuration.encoding = encoding?.name
        configuration.shift = shift.inMilliseconds
        configuration.anchor = anchor
        configuration.followsLiveStreams = followsLiveVideo
        if isGrowing {
            configuration.cues = "http"
        } else if url.isFileURL {
            configuration.file = url.path
        }
        return configuration
    }
}

extension TrackAnchor {
    /// This moment, which EXT-X-PROGRAM-DATE-TIME of the video's playlist tells.
    public static func date(_ date: Date) -> TrackAnchor {
        let nanoseconds = (date.timeIntervalSince1970 * 1000).rounded() * 1_000_000
        return .date(Int64(exactly: nanoseconds) ?? (nanoseconds < 0 ? .min : .max))
    }
}

extension TrackConfiguration {
    /// The encoding that is named; nil if none is.
    ///
    /// - Throws: ``SubtitleLoaderError`` if the system does not know it.
    func textEncoding() throws(SubtitleLoaderError) -> TextEncoding? {
        guard let encoding else { return nil }
        return try refusing(try TextEncoding(encoding)) { SubtitleLoaderError(.encoding($0), Array(track.uri.utf8)) }
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
