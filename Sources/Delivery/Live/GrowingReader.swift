internal import ByteScan
internal import WebVTT

// How bytes become cues, as early as may be.
//
//     WebVTT   the scanner of cues: a blank line ends a block
//     SubRip   bytes up to a blank line are a file of their own, which becomes WebVTT
//     JSON     a line is an object
//
// A cue never depends on where a chunk ends.

/// Reads cues as they come. It alone has the memory that its scanners keep, so it may cross threads.
struct GrowingReader: ~Copyable, @unchecked Sendable {
    /// What is found.
    enum Found {
        /// A style or a region.
        case block(ByteView)
        case cue(FoundCue)
    }

    /// A cue; what it refers to is valid during the call.
    struct FoundCue {
        var start: Int64
        /// Nil if nobody says.
        var end: Int64?
        var identifier = ByteView()
        var settings = ByteView()
        var text: ByteView
    }

    typealias Body = (Found) -> Void

    private let format: GrowingConfiguration.Format
    private let unit: GrowingConfiguration.Unit
    private let limit: Int
    private var scanner: CueScanner
    private var transcoder = SubRipTranscoder()
    private var validator = UTF8Validator()
    /// The line or block that is not whole, and where it begins.
    private var carried = ReusableBuffer<UInt8>()
    private var carriedPosition = 0
    /// Of SubRip: whether the line so far is blank, and whether the last byte was a carriage return.
    private var isBlankLine = true
    private var isAfterReturn = false
    private var converted = ReusableBuffer<UInt8>()
    private var words = GrowingText()

    /// How many bytes have come since the beginning, or the reset.
    private(set) var position = 0

    /// Why nothing more is read.
    private(set) var failure: GrowingError?

    init(_ configuration: GrowingConfiguration) {
        format = configuration.format
        unit = configuration.jsonUnit
        limit = configuration.limits.block
        scanner = CueScanner(limits: CueLimits(largestBlock: limit, policy: .fail))
    }

    var heldBytes: Int { carried.count + converted.count }

    mutating func reset() {
        scanner.reset()
        validator = UTF8Validator()
        carried.removeAll()
        (isBlankLine, isAfterReturn) = (true, false)
        (position, carriedPosition) = (0, 0)
        failure = nil
    }

    private mutating func fail(_ reason: GrowingError.Reason, at position: Int) {
        if failure == nil { failure = GrowingError(reason, at: position) }
    }

    mutating func scan(_ bytes: ByteView, _ body: Body) {
        guard failure == nil else { return }
        let progress = validator.scan(bytes)
        let good = progress.isMalformed ? bytes.prefix(upTo: max(progress.end, 0)) : bytes
        switch format {
        case .webVTT: scanText(good, body)
        case .subRip: scanBlocks(good, body)
        case .jsonLines: scanLines(good, body)
        }
        if progress.isMalformed { fail(.encoding, at: position + progress.end) }
        position += bytes.count
    }

    mutating func finish(_ body: Body) {
        guard failure == nil else { return }
        if validator.missingCount > 0 { return fail(.encoding, at: position) }
        switch format {
        case .webVTT: finishText(body)
        case .subRip: convert(body)
        case .jsonLines: readLine(carried.view, at: carriedPosition, body)
        }
        carried.removeAll()
    }

    // WebVTT.

    private mutating func scanText(_ bytes: ByteView, _ body: Body) {
        // What follows a block that is too long does not count, wherever chunks end.
        var isStopped = false
        do throws(CueLimitError) {
            try unsafe scanner.scan(bytes.buffer) { event in Self.handle(event, &isStopped, body) }
        } catch { fail(.blockTooLong(limit: limit), at: error.position) }
        if case .invalid = scanner.signature { fail(.notWebVTT, at: 0) }
    }

    private mutating func finishText(_ body: Body) {
        guard position > 0 else { return }
        var isStopped = false
        do throws(CueLimitError) {
            try scanner.finish { event in Self.handle(event, &isStopped, body) }
        } catch { fail(.blockTooLong(limit: limit), at: error.position) }
        guard case .valid = scanner.signature else { return fail(.notWebVTT, at: 0) }
    }

    private static func handle(_ event: CueEvent, _ isStopped: inout Bool, _ body: Body) {
        if case .skipped = event { isStopped = true }
        if isStopped { return }
        switch event {
        case .cue(let cue):
            let (start, end) = (cue.start.milliseconds, cue.end.milliseconds)
            body(
                .cue(
                    FoundCue(
                        start: start, end: end, identifier: cue.identifier.bytes, settings: cue.settingsText.bytes,
                        text: cue.text.bytes)))
        case .style(let block): body(.block(block.bytes.withoutLastLineEnd))
        case .region(let block): body(.block(block.bytes.withoutLastLineEnd))
        case .header, .note, .unparsed, .skipped: break
        }
    }

    // SubRip.

    private mutating func scanBlocks(_ bytes: ByteView, _ body: Body) {
        for offset in 0..<bytes.count {
            let byte = bytes[offset]
            if carried.isEmpty { carriedPosition = position + offset }
            let isSecondOfPair = isAfterReturn && byte == ASCII.lineFeed
            isAfterReturn = byte == ASCII.carriageReturn
            guard carried.count < limit else { return fail(.blockTooLong(limit: limit), at: carriedPosition) }
            carried.append(byte)
            if isSecondOfPair { continue }
            switch byte {
            case ASCII.lineFeed, ASCII.carriageReturn:
                if isBlankLine { convert(body) }
                isBlankLine = true
            case ASCII.space, ASCII.tab: break
            default: isBlankLine = false
            }
            if failure != nil { return }
        }
    }

    /// Makes cues of the block that is carried.
    private mutating func convert(_ body: Body) {
        transcoder.reset()
        converted.removeAll()
        Self.convert(carried.view, &transcoder, &converted)
        carried.removeAll()
        var scanner = CueScanner()
        var isStopped = false
        try? unsafe scanner.scan(converted.view.buffer) { event in Self.handle(event, &isStopped, body) }
        try? scanner.finish { event in Self.handle(event, &isStopped, body) }
    }

    private static func convert(
        _ block: ByteView, _ transcoder: inout SubRipTranscoder, _ output: inout ReusableBuffer<UInt8>
    ) {
        // What is no SubRip makes no cue.
        try? unsafe transcoder.write(block.buffer) { unsafe output.append(ByteView($0)) }
        try? unsafe transcoder.finish { unsafe output.append(ByteView($0)) }
    }

    // JSON lines.

    private mutating func scanLines(_ bytes: ByteView, _ body: Body) {
        var start = 0
        while start < bytes.count, failure == nil {
            if carried.isEmpty { carriedPosition = position + start }
            let end = bytes.firstOffset(of: ASCII.lineFeed, from: start)
            let part = bytes[start..<(end ?? bytes.count)]
            guard part.count <= limit - carried.count else {
                return fail(.blockTooLong(limit: limit), at: carriedPosition)
            }
            carried.append(part)
            guard let end else { return }
            readLine(carried.view, at: carriedPosition, body)
            carried.removeAll()
            start = end + 1
        }
    }

    private mutating func readLine(_ line: ByteView, at position: Int, _ body: Body) {
        if line.allSatisfy({ $0 == ASCII.space || $0 == ASCII.tab || $0 == ASCII.carriageReturn }) { return }
        var object = GrowingObject(unit)
        do throws(JSONError) {
            try object.read(line, limit: limit, &words)
        } catch { return fail(.malformedLine, at: position) }
        guard object.isWhole else { return fail(.malformedLine, at: position) }
        guard object.isFinal, let start = object.startMilliseconds else {
            if object.isFinal { fail(.malformedLine, at: position) }
            return
        }
        body(.cue(FoundCue(start: start, end: object.endMilliseconds, text: words.view)))
    }
}

extension ByteView {
    /// The view without the line's end that it ends with.
    fileprivate var withoutLastLineEnd: ByteView {
        var count = count
        while count > 0, self[count - 1] == ASCII.lineFeed || self[count - 1] == ASCII.carriageReturn { count -= 1 }
        return prefix(upTo: count)
    }
}
