internal import ByteScan
internal import M3U8
public import Sideload
internal import WebVTT

/// A track, and where a player finds what belongs to it.
public struct RoutedTrack: Sendable {
    /// What the router calls it in addresses: its language in lower case, or `track`, with a number if others are
    /// called so.
    public let name: [UInt8]

    /// Its fields.
    public let configuration: TrackConfiguration

    /// Where its file or playlist is at the origin, absolute; nil for a local file.
    public let url: [UInt8]?

    /// The URI that the multivariant playlist has for it.
    public let rendition: [UInt8]

    /// The URI of its WebVTT file in the subtitle playlist that is made for it: the file's own where it may stay as it
    /// is, or an address of ours. Nil if its playlist is somebody else's.
    public let file: [UInt8]?

    /// What stands for ``file`` where the file may be missing.
    let address: [UInt8]?

    /// Whether requests for its file are redirected to the origin.
    package let isRedirected: Bool

    /// Whether requests to the origin for it have header fields of the app's, which the player does not know.
    package let hasAppHeaders: Bool

    /// Whether it has a playlist of ours beside a live stream too.
    var followsLiveStreams: Bool { file != nil && configuration.followsLiveStreams }

    /// The track as it is fetched; a local file is at ``FetchTrack/localURL``.
    package var fetched: FetchTrack {
        FetchTrack(
            configuration, at: url ?? FetchTrack.localURL,
            format: url == nil ? configuration.fileFormat : configuration.format)
    }

    /// The track as it is written into the multivariant playlist.
    var sideloaded: SubtitleTrack {
        var track = configuration.track
        track.uri = String(utf8: rendition)
        return track
    }
}

/// Finds names for tracks that no two have.
struct TrackNames {
    private var taken: [[UInt8]] = []

    /// A name for a track of `language`.
    mutating func next(_ language: [UInt8]?) -> [UInt8] {
        let letters = (language ?? []).map { byte in
            let letter = ASCII.lowercased(byte)
            let isPlain = letter &- UInt8(ascii: "a") < 26 || ASCII.digit(letter) != nil
            return isPlain ? letter : ASCII.hyphen
        }
        let stem = letters.isEmpty ? Array(ByteView("track")) : letters
        var name = stem
        var number: UInt64 = 1
        while taken.contains(name) {
            number += 1
            name = stem + [ASCII.hyphen] + Array(DecimalDigits(number))
        }
        taken.append(name)
        return name
    }
}
