public import ByteScan
internal import WebVTT

/// How cues that come one by one are read and shown.
public struct GrowingConfiguration: Equatable, Sendable {
    /// What the bytes are.
    public enum Format: UInt8, CaseIterable, Sendable {
        /// WebVTT, which begins with its signature.
        case webVTT
        /// SubRip; a blank line ends a cue.
        case subRip
        /// A JSON object a line: `{"start":1.5,"end":3,"text":"Hello"}`. With `"final":false` it is left out; with
        /// `"unit":"ms"` times are in milliseconds, and else in `jsonUnit`.
        ///
        /// Without `end` a cue goes on until the next one begins, 30 s at most. Other members say nothing.
        case jsonLines
    }

    /// What the times of JSON lines are in.
    public enum Unit: UInt8, Sendable {
        case seconds
        case milliseconds
    }

    /// What becomes of a cue that comes when all segments are sealed in which it would show.
    public enum Late: UInt8, Sendable {
        /// The segment that is sealed next has it with its own times, if it is no older than two target durations:
        /// players are three behind the live edge. One that is older is shifted.
        case spoken
        /// It shows from the beginning of the segment that is sealed next, for 1 to 7 s.
        case shift
        /// It is left out.
        case drop
    }

    /// The name of the track: cues' identifiers begin with it.
    public var name: [UInt8]

    /// The number of the first cue. Where a writer begins anew and players know the cues before, it must be a higher
    /// one: they leave out cues whose identifiers they know.
    public var firstNumber: UInt64

    /// What the bytes are.
    public var format: Format

    /// What the times of JSON lines are in.
    public var jsonUnit: Unit

    /// What becomes of cues that come late.
    public var late: Late

    /// How long after it was said a cue comes, in milliseconds, if its times say nothing: then it shows from that much
    /// before the live edge, for as long as its times tell. Nil if its times are cue times.
    public var latency: Int64?

    /// How much is kept.
    public var limits: GrowingLimits

    /// A configuration.
    public init(
        name: [UInt8], firstNumber: UInt64 = 1, format: Format = .webVTT, jsonUnit: Unit = .seconds,
        late: Late = .spoken, latency: Int64? = nil, limits: GrowingLimits = GrowingLimits()
    ) {
        self.name = name
        self.firstNumber = firstNumber
        self.format = format
        self.jsonUnit = jsonUnit
        self.late = late
        self.latency = latency
        self.limits = limits
    }
}

extension GrowingConfiguration.Format {
    /// The form of files whose names end in a period and `suffix`: `vtt`, `srt` or `jsonl`, in any case. Nil if there
    /// is none.
    public init?(suffix: ByteView) {
        self.init(isJSON: suffix.equalsIgnoringCase("jsonl"), otherwise: SubtitleFormat(suffix: suffix))
    }

    /// The form of the media type `type`: `text/vtt`, `application/x-subrip`, `application/jsonl` or
    /// `application/x-ndjson`. Nil if there is none.
    ///
    /// Case and parameters count for nothing (RFC 9110 8.3.1).
    public init?(mediaType type: ByteView) {
        let name = type.prefix(upTo: type.firstOffset(of: ASCII.semicolon) ?? type.count).trimmed
        let isJSON = name.equalsIgnoringCase("application/jsonl") || name.equalsIgnoringCase("application/x-ndjson")
        self.init(isJSON: isJSON, otherwise: SubtitleFormat(mediaType: name))
    }

    private init?(isJSON: Bool, otherwise format: SubtitleFormat?) {
        switch format {
        case _ where isJSON: self = .jsonLines
        case .webVTT: self = .webVTT
        case .subRip: self = .subRip
        default: return nil
        }
    }
}

/// How much of growing cues is kept. What is below 1 counts as 1.
public struct GrowingLimits: Equatable, Sendable {
    /// The most bytes of a cue, or a line, as it comes. 64 KiB unless said otherwise.
    public let block: Int

    /// The most bytes of cues that are kept until their segments have slid out. 4 MiB unless said otherwise.
    ///
    /// However short they are, no more cues are kept than a 64th of that number, and one.
    public let kept: Int

    /// Limits with the documented defaults.
    public init(block: Int = 64 << 10, kept: Int = 4 << 20) {
        self.block = min(max(block, 1), 1 << 30)
        self.kept = max(kept, 1)
    }
}

/// Bytes of cues were refused. Those before them count, and nothing that follows, until the reset.
public struct GrowingError: Error, Equatable, Sendable {
    /// Why. The set is open: later versions may tell more reasons apart.
    @nonexhaustive
    public enum Reason: Equatable, Sendable {
        /// What should be WebVTT has no signature.
        case notWebVTT
        /// The bytes are not UTF-8.
        case encoding
        /// A line is no JSON object with `start` and `text`, or a time in it has no meaning.
        case malformedLine
        /// A cue, or a line, is longer than the limit in bytes.
        case blockTooLong(limit: Int)
        /// The cues that must be kept are longer than the limit in bytes.
        case tooMuchKept(limit: Int)
    }

    /// Why.
    public let reason: Reason

    /// The position in bytes, since the beginning or the last reset, of the line or block that is to blame.
    public let position: Int
}

extension GrowingError: Described {
    /// What is wrong, where, and what to do, in one line.
    public var message: Message { "at byte \(position): \(reason)" }
}

extension GrowingError.Reason: Described {
    /// What is wrong and what to do.
    public var message: Message {
        switch self {
        case .notWebVTT: "no WEBVTT signature; begin with one, or say that these are JSON lines or SubRip"
        case .encoding: "the bytes are not UTF-8"
        case .malformedLine:
            "the line is no JSON object of a cue, such as {\"start\":1,\"end\":2,\"text\":\"a\"}"
        case .blockTooLong(let limit): "the cue is longer than the limit of \(limit) bytes; break it up"
        case .tooMuchKept(let limit): "the cues that wait are longer than the limit of \(limit) bytes; send them later"
        }
    }
}
