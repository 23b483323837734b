internal import ByteScan
internal import M3U8

// What a server changes in the video's own media playlists where they pass through it, so that they agree with the
// renditions beside them.
//
//     #EXTM3U                                head and tags: as they are; without low latency its tags are left out
//     #EXTINF:6,                             a segment's lines, up to its URI. If segments are held back, each waits
//     video7.ts                              until so many others have come behind it
//     #EXT-X-RENDITION-REPORT:URI="en.m3u8"  at the end of a low-latency playlist

/// How the video's own media playlists are changed where they pass through a server that has subtitles beside them.
public struct VideoPlaylistEdits: Equatable, Sendable {
    /// With `strip`, tags of low latency are left out (8216bis 4.4.3.7, 4.4.3.8, 4.4.4.9, 4.4.5.3, 4.4.5.4).
    public var lowLatency: LiveConfiguration.LowLatency

    /// How many of the last segments are left out as long as the stream goes on, but never the only one. Low latency is
    /// left out then too.
    public var heldBack: Int

    /// The URIs of renditions that stand as far as the playlist does: each is reported at the end of a low-latency
    /// playlist, without numbers of its own (8216bis 4.4.5.4).
    public var reported: [[UInt8]]

    /// Edits; without arguments there are none.
    public init(lowLatency: LiveConfiguration.LowLatency = .mirror, heldBack: Int = 0, reported: [[UInt8]] = []) {
        self.lowLatency = lowLatency
        self.heldBack = max(heldBack, 0)
        self.reported = reported
    }

    /// Whether every playlist stays as it is.
    public var isEmpty: Bool { !strips && reported.isEmpty }

    fileprivate var strips: Bool { lowLatency == .strip || heldBack > 0 }
}

/// Edits one of the video's media playlists, in chunks of any size.
///
///     var editor = VideoPlaylistEditor(VideoPlaylistEdits(heldBack: 3))
///     for chunk in chunks { unsafe editor.write(chunk.span.bytes, into: &output) }
///     editor.finish(into: &output)
///
/// What is no media playlist stays as it is.
public struct VideoPlaylistEditor: ~Copyable {
    /// What the playlist is, as far as has come.
    public enum Verdict: Sendable {
        /// The lines that tell have not come yet.
        case undecided
        /// A media playlist: it is edited.
        case media
        /// Something else: it is not.
        case other
    }

    /// What the playlist is.
    public private(set) var verdict = Verdict.undecided

    private let edits: VideoPlaylistEdits
    /// What has come of a line that is not whole.
    private var line: [UInt8] = []
    /// The line under way is too long to be looked at: it goes by.
    private var isLongLine = false
    /// The lines of segments that are held back, in order, and where those of each end.
    private var held: [UInt8] = []
    private var heldEnds: [Int] = []
    private var hasSegment = false
    /// Whether whoever asks for what is not there yet is kept waiting.
    private var blocks = false
    private var isComplete = false

    /// A line of more bytes is not looked at, and of held lines no more are kept.
    private static var longestLine: Int { 64 << 10 }
    private static var mostHeld: Int { 1 << 20 }

    /// An editor for one playlist.
    public init(_ edits: VideoPlaylistEdits) { self.edits = edits }

    /// Edits the next chunk, and appends to `output` what is ready.
    public mutating func write(_ chunk: UnsafeRawBufferPointer, into output: inout [UInt8]) {
        unsafe write(ByteView(chunk), into: &output)
    }

    /// Edits the next chunk, and appends to `output` what is ready.
    public mutating func write(_ chunk: RawSpan, into output: inout [UInt8]) {
        unsafe chunk.withUnsafeBytes { unsafe write(ByteView($0), into: &output) }
    }

    private mutating func write(_ chunk: ByteView, into output: inout [UInt8]) {
        var start = 0
        while verdict != .other, let end = chunk.firstOffset(of: ASCII.lineFeed, from: start) {
            take(chunk[start..<end + 1], isWhole: true, &output)
            start = end + 1
        }
        let rest = chunk.suffix(from: start)
        if verdict == .other { return output += rest }
        guard rest.count > 0 else { return }
        take(rest, isWhole: false, &output)
    }

    /// Ends the playlist.
    public mutating func finish(into output: inout [UInt8]) {
        guard verdict == .media else { return release(&output) }
        if !line.isEmpty {
            line.append(ASCII.lineFeed)
            endLine(&output)
        }
        // Of those that are held back the first goes if there is no other.
        if edits.heldBack == 0 || isComplete || !hasSegment && heldEnds.isEmpty {
            release(&output)
        } else if !hasSegment {
            output += held.prefix(heldEnds[0])
        }
        guard blocks, !edits.strips, !isComplete else { return }
        for uri in edits.reported {
            output += Array(ByteView("#EXT-X-RENDITION-REPORT:URI=\"")) + uri + Array(ByteView("\"\n"))
        }
    }

    /// Hands out all that has come, as it came: the playlist has broken off.
    public mutating func abandon(into output: inout [UInt8]) {
        verdict = .other
        release(&output)
    }

    private mutating func release(_ output: inout [UInt8]) {
        output += held
        output += line
        (held, heldEnds, line) = ([], [], [])
    }

    /// Takes bytes of a line, with its line feed if it is whole then.
    private mutating func take(_ bytes: ByteView, isWhole: Bool, _ output: inout [UInt8]) {
        line += bytes
        if isLongLine || line.count > Self.longestLine {
            // It belongs to the segment that is under way.
            keep(&output)
            isLongLine = !isWhole
        } else if isWhole {
            endLine(&output)
        }
    }

    private mutating func endLine(_ output: inout [UInt8]) {
        let (kind, control) = line.withView { Self.look(at: $0) }
        switch kind {
        case .uri:
            keep(&output)
            return endSegment(&output)
        case .tag(let tag) where tag.scope == .multivariant:
            verdict = .other
            return release(&output)
        case .tag(let tag):
            if tag.scope == .media { verdict = .media }
            if tag == .endList { isComplete = true }
            if let control { blocks = blocks || control.blocks }
            if edits.strips, Self.isOfLowLatency(tag) { line = control?.rest ?? [] }
        case .blank, .comment, .otherTag: break
        }
        keep(&output)
        if isComplete { release(&output) }
    }

    /// Keeps the line for as long as its segment is held back, or hands it out.
    private mutating func keep(_ output: inout [UInt8]) {
        if edits.heldBack > 0, !isComplete || verdict == .undecided {
            held += line
            line.removeAll(keepingCapacity: true)
            // There is an end to what is kept, and so to how much is held back.
            if held.count > Self.mostHeld { release(&output) }
        } else {
            release(&output)
        }
    }

    /// Hands out the segments behind which enough others have come.
    private mutating func endSegment(_ output: inout [UInt8]) {
        guard edits.heldBack > 0, !isComplete else { return hasSegment = true }
        heldEnds.append(held.count)
        while heldEnds.count > edits.heldBack {
            let end = heldEnds.removeFirst()
            output += held.prefix(end)
            held.removeFirst(end)
            for index in heldEnds.indices { heldEnds[index] -= end }
            hasSegment = true
        }
    }

    // MARK: Lines

    /// What EXT-X-SERVER-CONTROL says.
    private struct Control {
        let blocks: Bool
        /// The tag without low latency, with its line feed; empty if nothing is left.
        let rest: [UInt8]
    }

    private static func look(at line: ByteView) -> (PlaylistLine.Kind, Control?) {
        var lines = WholeLines(line)
        guard let range = lines.next() else { return (.blank, nil) }
        let line = lines.line(in: range)
        guard line.kind == .tag(.serverControl) else { return (line.kind, nil) }
        var (blocks, rest) = (false, [UInt8]())
        var attributes = line.attributes
        while let attribute = attributes.next() {
            let value = line.bytes[attribute.content(in: line.bytes)]
            if line.bytes[attribute.name] == "CAN-BLOCK-RELOAD" { blocks = value == "YES" }
            // How far players keep from the end holds without low latency too.
            if line.bytes[attribute.name] == "HOLD-BACK" {
                rest = Array(ByteView("#EXT-X-SERVER-CONTROL:HOLD-BACK=")) + value + [ASCII.lineFeed]
            }
        }
        return (line.kind, Control(blocks: blocks, rest: rest))
    }

    private static func isOfLowLatency(_ tag: TagName) -> Bool {
        switch tag {
        case .part, .partInf, .preloadHint, .renditionReport, .serverControl: true
        default: false
        }
    }
}
