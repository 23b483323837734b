package import ByteScan
internal import M3U8
internal import WebVTT

// A channel follows one media playlist of a live stream. It knows which span of cue time each segment is, and the clock
// of each time line.
//
//     take ── LiveVersion reads ── judge ─┬─ unchanged, stale, suspect, needsFull: nothing has changed
//                (+Judging)               └─ commit (+Taking) ── LiveChannel+Time: when new segments begin
//                                                   └─ LiveChannel+Probes: whose time stamp is wanted
//     playlist ── LiveChannel+Playlist        find ── LiveChannel+Names        save ── LiveChannel+State
//
//     past              current                         held of each
//     │ 1 2 3 4 │ 5 6 7 │                               24 bytes: when it was
//               │ 8 9 10 11 12 │ 13 (open, has parts)   40 bytes: what the playlist says, when it begins
//      clock 1 ────────── │ ── clock 2 ──────────
//
// A version is read into `incoming`, beside the one that holds; `commit` carries over what was given, and the two
// change places. So a version that is refused has changed nothing, and memory is used again.

/// A live stream, for all renditions beside it: bytes of its playlist in, names and spans of segments out.
///
///     var channel = LiveChannel(LiveConfiguration(anchor: .date(1_795_000_000_000_000_000)))
///     if try unsafe channel.take(playlist.span.bytes) == .stale { return }
///     while let want = channel.next() {
///         channel.take(mediaStart: try await media.firstTimestamp(of: want), of: want.segment)
///     }
///     channel.playlist(named: LiveNames(prefix: Array("en/".utf8)), into: &output)
///     if case .span(let span) = unsafe channel.find(name.span.bytes) { index.write(span.cues, into: &output) }
///
/// It does no input or output and reads no clock. Answers depend on the versions and time stamps alone that have come.
public struct LiveChannel: ~Copyable, Sendable {
    let configuration: LiveConfiguration

    /// The version that holds, and memory for the next one.
    var current = LiveVersion()
    var incoming = LiveVersion()

    /// Segments that no version has any more, up to the first of the current one.
    var past = ReusableBuffer<LivePast>()

    /// The clocks of what is held, in order.
    var clocks = ReusableBuffer<LiveClock>()

    /// What is to be fetched.
    var wants: [LiveWant] = []

    var state = State()

    /// All else that is remembered.
    struct State: BitwiseCopyable {
        /// Whether a version has been taken.
        var hasBegun = false
        /// How often the stream has begun anew.
        var life: UInt32 = 0
        /// The hash of the bytes that came last.
        var hash: UInt64 = 0
        /// The date of cue time 0, in nanoseconds after the beginning of 1970 in UTC, once it is known.
        var anchorDate: Int64?
        /// When the next segment begins if nothing else tells.
        var nextStart: Int64?
        /// What the next segment's span is to be longer than EXTINF says, in nanoseconds.
        var pendingAdjustment: Int64 = 0
        var notes = LiveNotes()
        /// What looks like another life of the stream.
        var suspect: Suspect?
        /// The most segments that a playlist has had.
        var longestWindow = 0
    }

    /// A version that has nothing in common with what is known.
    struct Suspect: BitwiseCopyable {
        var last: UInt64
        var segment: LiveSegment
    }

    /// A channel that has seen nothing yet.
    public init(_ configuration: LiveConfiguration = LiveConfiguration()) {
        self.configuration = configuration
        if case .date(let date) = configuration.anchor { state.anchorDate = date }
    }

    /// What whoever runs the channel should be told. It grows only.
    public var notes: LiveNotes { state.notes.union(current.facts.notes) }

    /// Whether a version has been taken.
    public var hasBegun: Bool { state.hasBegun }

    /// Whether the stream has ended (EXT-X-ENDLIST). It may go on nevertheless.
    public var isEnded: Bool { current.facts.isComplete }

    /// The target duration, in seconds.
    public var targetDuration: UInt64 { current.facts.targetDuration }

    /// The media sequence numbers of the segments that the playlist has; nil if it has none.
    public var listed: ClosedRange<UInt64>? { current.wholeCount > 0 ? current.facts.first...(current.end - 1) : nil }

    /// How many parts the segment has that is not whole yet.
    public var openPartCount: Int { current.partCount(of: current.end) }

    /// How many bytes are held: of the current version, of segments that have slid out, and of clocks. Memory for the
    /// next version takes as many as the current one.
    public var heldBytes: Int {
        current.byteCount + past.count * MemoryLayout<LivePast>.stride
            + clocks.count * MemoryLayout<LiveClock>.stride
            + wants.reduce(0) { $0 + $1.media.uri.count + ($1.initialization?.uri.count ?? 0) }
    }

    /// How many segments are held, those among them that have slid out.
    public var heldSegments: Int { current.segments.count + past.count }

    /// Takes a version of the video's playlist: a whole body.
    ///
    /// - Throws: ``LiveError``; then nothing has changed, and the version before holds.
    /// - Complexity: O(*n*); the same bytes again are only compared.
    public mutating func take(_ playlist: RawSpan) throws(LiveError) -> LiveChange {
        try unsafe playlist.withUnsafeBytes { (bytes) throws(LiveError) in try take(unsafe ByteView(bytes)) }
    }

    /// Takes a version of the video's playlist, as the form that takes a span.
    public mutating func take(_ playlist: UnsafeRawBufferPointer) throws(LiveError) -> LiveChange {
        try unsafe take(ByteView(playlist))
    }

    package mutating func take(_ playlist: ByteView) throws(LiveError) -> LiveChange {
        let hash = playlist.contentHash
        if state.hasBegun, hash == state.hash {
            state.suspect = nil
            wantTimeStamps(of: playlist)
            return .unchanged
        }
        try incoming.read(playlist, configuration.limits)
        incoming.holdBack(configuration.heldBack)
        let change = judge()
        switch change {
        case .stale, .needsFull, .suspect: return change
        default: break
        }
        commit(change)
        state.hash = hash
        wants.removeAll(keepingCapacity: true)
        wantTimeStamps(of: playlist)
        return change
    }

    /// The segment `number` of the current version, which has it.
    func segment(_ number: UInt64) -> LiveSegment { current.segments[Int(number - current.facts.first)] }

    /// The segment `number` of the next version, which has it.
    func nextSegment(_ number: UInt64) -> LiveSegment { incoming.segments[Int(number - incoming.facts.first)] }
}
