package import ByteScan

/// What a WebVTT file says of its times, told by one read of it: chunks of any size in.
///
///     var facts = SubtitleFacts()
///     unsafe facts.write(chunk)
///     facts.finish()
///     let end = facts.latestEnd
///
/// A header line is all that is remembered besides the facts. Where a chunk ends never changes them.
package struct SubtitleFacts: Sendable {
    /// What the first bytes say: of a file without a signature nothing is told.
    package var signature: WebVTTSignature { scanner.signature }
    /// The file's own X-TIMESTAMP-MAP; nil if it has none that can be read.
    package var map: TimestampMap? { header.map }
    /// Whether ``map`` is known, whatever follows.
    package var hasPassedHeader: Bool { header.hasEnded }

    /// When the last cue in the file ends; nil if there is no cue.
    package var finalEnd: Timestamp? { times.finalEnd }
    /// When the cue ends that ends last, of those that ever show; nil if none does.
    package var latestEnd: Timestamp? { times.latestEnd }
    /// Whether no cue starts before the one above it.
    package var isInOrder: Bool { times.isInOrder }

    private struct Times {
        var finalEnd: Timestamp?
        var latestEnd: Timestamp?
        var lastStart: Timestamp?
        var isInOrder = true

        mutating func note(_ cue: CueTiming) {
            finalEnd = cue.end
            if cue.isShown { latestEnd = max(latestEnd ?? cue.end, cue.end) }
            if let lastStart, cue.start < lastStart { isInOrder = false }
            lastStart = cue.start
        }
    }

    private var header = HeaderMap()
    private var scanner = CueTimingScanner()
    private var times = Times()

    /// The facts of a file of which nothing has been read.
    package init() {}

    /// Reads the next chunk.
    ///
    /// - Complexity: O(*n*), 64 bytes a step after the header.
    package mutating func write(_ chunk: UnsafeRawBufferPointer) {
        header.write(unsafe ByteView(chunk))
        var times = times
        unsafe scanner.scan(chunk) { times.note($0) }
        self.times = times
    }

    /// Ends the file.
    package mutating func finish() {
        header.finish()
        var times = times
        scanner.finish { times.note($0) }
        self.times = times
    }
}

/// Reads the X-TIMESTAMP-MAP in the header of a WebVTT file: the first that can be read.
///
///     WEBVTT
///     Kind: captions
///     X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:900000       a line longer than 64 KiB is no map
///                                                            ends the header, and so does a line with an arrow
package struct HeaderMap: Sendable {
    /// The map; nil if there is none, or if its line has not ended.
    package private(set) var map: TimestampMap?
    /// Whether the header, or what of it matters, has ended.
    package private(set) var hasEnded = false

    private static var longestLine: Int { 64 << 10 }

    private var signature = SignatureReader()
    /// What has come of the line, up to the limit and a byte more.
    private var line: [UInt8] = []
    /// Whether the last byte was a CR, to whose terminator an LF may belong.
    private var isAfterReturn = false

    /// A reader of a file of which nothing has been read.
    package init() {}

    /// The own map of the whole `file`.
    package static func own(of file: ByteView) -> TimestampMap? {
        var header = HeaderMap()
        header.write(file)
        header.finish()
        return header.map
    }

    /// Reads the next chunk.
    package mutating func write(_ chunk: ByteView) {
        var offset = 0
        if !hasEnded, !signature.hasPassedLine {
            guard let end = signature.lineEnd(in: chunk) else { return hasEnded = signature.answer == .invalid }
            isAfterReturn = chunk[end] == ASCII.carriageReturn
            offset = end &+ 1
        }
        while !hasEnded, offset < chunk.count {
            let byte = chunk[offset]
            if !ASCII.isLineEnd(byte) {
                if line.count <= Self.longestLine { line.append(byte) }
            } else if byte != ASCII.lineFeed || !isAfterReturn {
                endLine()
            }
            isAfterReturn = byte == ASCII.carriageReturn
            offset &+= 1
        }
    }

    /// Ends the file.
    package mutating func finish() {
        if !hasEnded, signature.hasPassedLine { endLine() }
        hasEnded = true
    }

    private mutating func endLine() {
        unsafe line.withUnsafeBytes { bytes in
            let line = unsafe ByteView(bytes)
            hasEnded = line.isEmpty || line.lastArrow(before: line.count) != nil
            if !hasEnded, line.count <= Self.longestLine { map = TimestampMap(headerLine: line) }
        }
        if map != nil { hasEnded = true }
        line.removeAll(keepingCapacity: true)
    }
}
