import ByteScan

/// Turns SubRip (.srt) into WebVTT while its bytes pass by: chunks of any size in, WebVTT out, in a single pass.
///
///     var transcoder = SubRipTranscoder()
///     try unsafe transcoder.write(chunk) { bytes in unsafe file.append(bytes) }
///     try unsafe transcoder.finish { bytes in unsafe file.append(bytes) }
///
/// SubRip has no specification, so the forms that are in use are read. The output is `WEBVTT`, a blank line and cues
/// with a blank line between them, lines ended by a line feed. Where a chunk ends never changes it.
///
/// - **Cues** begin at a timing line (see `SubRipTiming`): `1:2:3,4 --> 00:05.600 X1:1 …`. A line of digits directly
///   before it is the cue's counter, and so is one that has a blank line before it and only blank lines after it.
///   Either way the text before is ended, blank line or not. A counter becomes the cue's identifier as it stands.
/// - **Text** goes on after blank lines until the next cue; the blank lines themselves are left out, since they would
///   end a WebVTT cue. Text before the first cue is left out, and so is a counter that the file ends with, unless it is
///   all the text that its cue has. A cue without text is kept.
/// - **Markup**: `<b>`, `<i>`, `<u>` are kept, other tags and `{\…}` are left out, what else WebVTT would read as
///   markup is escaped (see `SubRipText`). `{\an1}` to `{\an9}` become cue settings (see `SubRipAlignment`) if they
///   stand at the very beginning of a cue's text, in any of the `{\…}` there; anywhere else they are left out.
/// - **Lines** end in LF, CRLF or CR. A line of white space is blank. White space at the end of a line is left out.
/// - **UTF-8** is required, with a byte order mark or without. UTF-16, UTF-32 and eight-bit encodings are refused by
///   name.
///
/// Memory is bounded by ``SubRipLimits``, and a transcoder that is reset and used again allocates nothing.
public struct SubRipTranscoder: ~Copyable {
    /// Receives some bytes of the output, which are valid during the call. They come in order and make up the whole
    /// output.
    public typealias Sink = (UnsafeRawBufferPointer) -> Void

    /// The same inside the library.
    typealias ViewSink = (ByteView) -> Void

    /// What is known of the file so far: all that a reset forgets, besides memory.
    struct Document {
        /// Bytes that are decoded together with those that follow: the file's first ones, or those of a character.
        var waiting = SIMD4<UInt8>()
        var waitingCount = 0
        /// Whether the first bytes have been looked at.
        var hasPassedHead = false
        var validator = UTF8Validator()
        /// The stream position at which the unfinished line begins.
        var linePosition = 0
        /// What the part of that line was that is no longer carried.
        var linePart = LinePart.none
        /// Whether the last byte was a carriage return: a line feed that follows belongs to it.
        var isAfterReturn = false
        /// Why the file is refused, once it is.
        var failure: TranscodingError?
        /// How many cues are left out for their arrows, and where the first timing line of these begins.
        var brokenArrowCount = 0
        var firstBrokenArrow: Int?
        var position = 0

        mutating func note(brokenArrowAt position: Int) {
            brokenArrowCount += 1
            firstBrokenArrow = firstBrokenArrow ?? position
        }
    }

    let limits: SubRipLimits

    var document = Document()

    /// What is carried of the line that goes on at the end of a chunk.
    var carry = ReusableBuffer<UInt8>()

    var cues = SubRipCueWriter()

    /// How many bytes have been written to the transcoder.
    public var position: Int { document.position }

    /// How many cues have been found; if it is 0 at the end, the file is hardly SubRip.
    public var cueCount: Int { cues.count }

    /// How many cues are left out because the arrow of their timing line is broken: `->`, `- >` or `-- >`, say.
    ///
    /// Such a line is one where a cue may begin, after a blank line or a number, and both of its times have hours or a
    /// fraction.
    public var brokenArrowCount: Int { document.brokenArrowCount }

    /// The stream position, in bytes, at which the first of these timing lines begins; nil if there is none.
    public var firstBrokenArrow: Int? { document.firstBrokenArrow }

    /// A transcoder for one file. Reset it to use it for another.
    public init(limits: SubRipLimits = SubRipLimits()) { self.limits = limits }

    /// Makes the transcoder as new; the memory it has is kept.
    public mutating func reset() {
        document = Document()
        carry.removeAll()
        cues.reset()
    }

    /// Transcodes the next chunk, of any size, and hands out what is decided.
    ///
    /// - Throws: ``TranscodingError`` at the first byte that is not UTF-8, or at a line longer than the limits allow,
    ///   if their policy says so. What came of the whole lines before has been handed out by then, and nothing more
    ///   ever is: every further call throws the same error, until the reset.
    public mutating func write(_ chunk: UnsafeRawBufferPointer, _ body: Sink) throws(TranscodingError) {
        scan(unsafe ByteView(chunk)) { unsafe body($0.buffer) }
        if let failure = document.failure { throw failure }
    }

    /// Transcodes the next chunk, of any size.
    ///
    /// - Throws: ``TranscodingError``, as the form that takes a buffer.
    public mutating func write(_ chunk: RawSpan, _ body: Sink) throws(TranscodingError) {
        try unsafe chunk.withUnsafeBytes { (chunk) throws(TranscodingError) in try unsafe write(chunk, body) }
    }

    /// Ends the file: hands out the rest.
    ///
    /// - Throws: ``TranscodingError``, as `write(_:_:)`, and if the file ends inside a character.
    public mutating func finish(_ body: Sink) throws(TranscodingError) {
        end { unsafe body($0.buffer) }
        if let failure = document.failure { throw failure }
    }

    private mutating func scan(_ chunk: ByteView, _ body: ViewSink) {
        if document.failure == nil { decodeHeadAndRest(of: chunk, body) }
        document.position += chunk.count
        cues.handOut(body)
    }

    private mutating func end(_ body: ViewSink) {
        if document.failure == nil, !document.hasPassedHead { decodeHead(body) }
        if document.failure == nil, document.waitingCount > 0 {
            refuse(.encoding(.eightBit), at: position - document.waitingCount)
        }
        if document.failure == nil { finishLines() }
        cues.handOut(body)
    }
}

extension SubRipTranscoder {
    /// The WebVTT that a whole SubRip file becomes.
    ///
    /// - Throws: ``TranscodingError``, as `write(_:_:)` and ``finish(_:)``.
    public static func transcode(
        _ file: UnsafeRawBufferPointer, limits: SubRipLimits = SubRipLimits()
    ) throws(TranscodingError) -> [UInt8] {
        var transcoder = SubRipTranscoder(limits: limits)
        var output: [UInt8] = []
        output.reserveCapacity(file.count &+ file.count / 8)
        try unsafe transcoder.write(file) { unsafe output.append(contentsOf: $0) }
        try unsafe transcoder.finish { unsafe output.append(contentsOf: $0) }
        return output
    }

    /// The WebVTT that a whole SubRip file becomes.
    ///
    /// - Throws: ``TranscodingError``, as `write(_:_:)` and ``finish(_:)``.
    public static func transcode(
        _ file: RawSpan, limits: SubRipLimits = SubRipLimits()
    ) throws(TranscodingError) -> [UInt8] {
        try unsafe file.withUnsafeBytes { (file) throws(TranscodingError) in try unsafe transcode(file, limits: limits)
        }
    }
}
