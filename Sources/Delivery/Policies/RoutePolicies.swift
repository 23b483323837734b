public import Sideload
public import WebVTT

/// How each kind of request is answered; all but what is said here has its documented default.
public struct RoutePolicies: Equatable, Sendable {
    /// How a request for two bytes and the content's information is answered, with which AVPlayer begins.
    public enum Probe: Spelling, ConfigurationWord, Sendable {
        /// `redirect`: it is redirected to the origin. The player then knows the length of the unedited resource, so
        /// every later request for the URL is answered whole, whatever its length. What has no origin is answered as
        /// ``information`` has it.
        case redirect
        /// `information`: it gets the length of what was edited, and not the two bytes. Later requests get exactly
        /// their ranges.
        case information
        /// `exact-range`: it gets the length of what was edited, and the two bytes.
        case exactRange = "exact-range"
        /// `data-only`: information is left alone, and every request gets its range.
        case dataOnly = "data-only"
    }

    /// What becomes of the URIs of segments in a media playlist that is mapped.
    public enum Segments: Spelling, ConfigurationWord, Sendable {
        /// `absolute`: they are made absolute, so that the player fetches them itself.
        case absolute
        /// `redirect`: they get an address of ours, and requests for it are redirected (302).
        case redirect
    }

    /// What becomes of the URIs of variants and renditions in the multivariant playlist.
    public enum Variants: Spelling, ConfigurationWord, Sendable {
        /// `absolute`: they are made absolute, so that the player fetches them itself.
        case absolute
        /// `redirect`: they get an address of ours, and requests for it are redirected (302).
        case redirect
        /// `mapped`: they get an address of ours; the playlist is fetched, and its URIs are mapped.
        case mapped
    }

    /// Who fetches keys.
    public enum Keys: Spelling, ConfigurationWord, Sendable {
        /// `player`: their URIs are made absolute, so that the player fetches them itself.
        case player
        /// `fetch`: they get an address of ours, are fetched, and handed over.
        case fetch
        /// `redirect`: they get an address of ours, and requests for it are redirected (302).
        case redirect
        /// `decline`: they get an address of ours, and requests for it are left to the app.
        case decline
    }

    /// How WebVTT files reach the player.
    public enum WebVTT: Equatable, Sendable {
        /// `auto`: by the file's own URL where file and policies need no change, and as bytes otherwise.
        case automatic
        /// `direct`: by the file's own URL: no map, no SubRip, nothing in place of a missing file.
        case direct
        /// `bytes`: the file is fetched, made fit and handed over.
        case bytes
        /// `redirect`: requests are redirected (302) to the origin's own file: no map, no SubRip, nothing in place of a
        /// missing file.
        case redirect
        /// `{"served": BASE}`: the subtitle playlist refers to files below an http base that ends in a slash, where the
        /// app or a proxy serves them from the same router.
        case served(base: [UInt8])
    }

    /// What is done about a track whose file or playlist is missing at the origin.
    public enum MissingTrack: Spelling, ConfigurationWord, Sendable {
        /// `leave-out`: the multivariant playlist does not get it, if that is known in time; if it is not, the track is
        /// empty.
        case leaveOut = "leave-out"
        /// `empty`: it gets a valid WebVTT file without cues.
        case empty
        /// `fail`: the player's request fails.
        case fail
    }

    /// Which requests to an origin have the app's own header fields, and those of the player that may be credentials:
    /// all but User-Agent, Accept and Accept-Language.
    public enum AppHeaders: Spelling, ConfigurationWord, Sendable {
        /// `master`: those to the scheme, host and port of the multivariant playlist.
        case masterOrigin = "master"
        /// `everywhere`: all, whatever host a playlist or an address names.
        case everywhere
    }

    /// How the first, short request is answered.
    public var probe = Probe.information

    /// What becomes of segments' URIs.
    public var segments = Segments.absolute

    /// What becomes of variants' and renditions' URIs. `variantsInEffect` says what is done.
    public var variants = Variants.absolute

    /// Who fetches keys.
    public var keys = Keys.player

    /// How WebVTT files reach the player.
    public var webVTT = WebVTT.automatic

    /// What is done about a missing track.
    public var missingTrack = MissingTrack.leaveOut

    /// Where header fields go that may be credentials.
    public var appHeaders = AppHeaders.masterOrigin

    /// Which X-TIMESTAMP-MAP WebVTT files get. None unless said otherwise: one costs the fetch of a segment, and files
    /// that could stay as they are.
    public var map = TimestampMapChoice.none

    /// The documented defaults.
    public init() {}

    /// Whether a request to `url` may have header fields that are credentials, where `master` is the multivariant
    /// playlist.
    func sendsAppHeaders(to url: [UInt8], of master: [UInt8]) -> Bool {
        appHeaders == .everywhere || RouteOrigin.isShared(url, master)
    }

    /// What becomes of variants' and renditions' URIs: they are mapped if keys or segments are to get an address of
    /// ours, since these are in media playlists.
    package var variantsInEffect: Variants { keys != .player || segments == .redirect ? .mapped : variants }
}
