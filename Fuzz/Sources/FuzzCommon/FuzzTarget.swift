/// A public surface of the library, or the command's arguments, and what must be true of it for every input.
public struct FuzzTarget: Sendable, CustomStringConvertible {
    /// The name of its folders in Corpus and Regressions.
    public let name: String
    /// What its texts are made of.
    public let grammar: Grammar
    private let check: @Sendable (inout FuzzInput, inout Faults) -> Void

    /// A surface whose answers `check` checks.
    public init(
        _ name: String, _ grammar: Grammar, _ check: @escaping @Sendable (inout FuzzInput, inout Faults) -> Void
    ) {
        self.name = name
        self.grammar = grammar
        self.check = check
    }

    /// The name, for the test's report.
    public var description: String { name }

    /// What is wrong with the library's answers to `input`, in words.
    public func faults(of input: [UInt8]) -> [String] {
        var input = FuzzInput(input)
        var faults = Faults()
        check(&input, &faults)
        return faults.found
    }

    /// Every target.
    public static let all = [
        kernels, lines, attributes, rewriter, sideload, pipeline, finalCue, cues, timestampMap, segmenter, subRip, uris,
        expressions, shift, tracks, mediaStart, json, command, http, router, fetch,
        live, liveStream, growing,
    ]

    /// The kernels of CByteScan in every form, on playlists.
    public static let kernels = FuzzTarget("FuzzKernels", .playlist, KernelCheck.run)
    /// Lines of a playlist, by `LineScanner`.
    public static let lines = FuzzTarget("FuzzLines", .playlist, LineCheck.run)
    /// Attribute lists: how they are read and edited.
    public static let attributes = FuzzTarget("FuzzAttributes", .attributes, AttributeCheck.run)
    /// Playlists edited by `PlaylistRewriter`.
    public static let rewriter = FuzzTarget("FuzzRewriter", .playlist, RewriterCheck.run)
    /// Multivariant playlists with tracks sideloaded.
    public static let sideload = FuzzTarget("FuzzSideload", .master, SideloadCheck.run)
    /// Playlists that are edited and get tracks, by `PlaylistPipeline`.
    public static let pipeline = FuzzTarget("FuzzPipeline", .master, PipelineCheck.run)
    /// The final cue's end, of a whole file and from its tail.
    public static let finalCue = FuzzTarget("FuzzFinalCue", .webVTT, FinalCueCheck.run)
    /// The blocks of a WebVTT file, by `CueScanner`.
    public static let cues = FuzzTarget("FuzzCues", .webVTT, CueCheck.run)
    /// WebVTT files that get an X-TIMESTAMP-MAP.
    public static let timestampMap = FuzzTarget("FuzzTimestampMap", .webVTT, TimestampMapCheck.run)
    /// WebVTT files whose cues are shifted, by `CueShifter`.
    public static let shift = FuzzTarget("FuzzShift", .webVTT, ShiftCheck.run)
    /// WebVTT files cut into segments, by `Segmenter`.
    public static let segmenter = FuzzTarget("FuzzSegmenter", .webVTT, SegmenterCheck.run)
    /// SubRip that becomes WebVTT.
    public static let subRip = FuzzTarget("FuzzSubRip", .subRip, SubRipCheck.run)
    /// URIs: parsed, resolved, edited and mapped in playlists.
    public static let uris = FuzzTarget("FuzzURIs", .uris, URICheck.run)
    /// Conditions on variants, and the filter that applies them.
    public static let expressions = FuzzTarget("FuzzExpressions", .expressions, ExpressionCheck.run)
    /// The fields of tracks, language tags among them, and subtitle playlists.
    public static let tracks = FuzzTarget("FuzzTracks", .words, TrackCheck.run)
    /// The first time stamp of a media segment.
    public static let mediaStart = FuzzTarget("FuzzMediaStart", .media, MediaStartCheck.run)
    /// JSON texts, and configurations.
    public static let json = FuzzTarget("FuzzJSON", .json, JSONCheck.run)
    /// What the command makes of its arguments: descriptions of tracks, and lists of options.
    public static let command = FuzzTarget("FuzzCommand", .words, CommandCheck.run)
    /// What is asked for and made of what comes, by `Fetch`.
    public static let fetch = FuzzTarget("FuzzFetch", .webVTT, FetchCheck.run)
    /// Versions of a live playlist, by `LiveChannel`.
    public static let live = FuzzTarget("FuzzLive", .playlist, LiveCheck.run)
    /// Who asks a live stream, and what comes of its fetches, by `LiveStream`.
    public static let liveStream = FuzzTarget("FuzzLiveStream", .playlist, LiveStreamCheck.run)
    /// Cues that come one by one, by `GrowingCues`.
    public static let growing = FuzzTarget("FuzzGrowing", .webVTT, GrowingCheck.run)
    /// The headers of requests and responses, by `HTTPRules`.
    public static let http = FuzzTarget("FuzzHTTP", .http, HTTPCheck.run)
    /// Plans and answers of `Router`, ranges of a `Resource`, and `ResourceCache`.
    public static let router = FuzzTarget("FuzzRouter", .routes, RouterCheck.run)
}
