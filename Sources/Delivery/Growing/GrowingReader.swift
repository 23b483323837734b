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

    /// Why a scanner's blocks do not count any more.
    private enum Stop {
        case none
        /// A block was too long.
        case skipped
        /// There is no room for the block at that position.
        case full(at: Int)
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

    /// Takes what is found; false if there is no room for it, and nothing that follows counts.
    typealias Body = (Found) -> Bool

    private let format: GrowingConfiguration.Format
    private let unit: GrowingConfiguration.Unit
    private let limit: Int
    /// The limit that is told of where there is no room.
    private let kept: Int
    private var scanner: CueScanner
    private var transcoder = SubRipTranscoder()
    private var validator = UTF8Validator()
    /// The first bytes of a character that is not whole: nothing sees them before it is.
    private var character = ReusableBuffer<UInt8>()
    /// The line or block that is not whole, and where it begins.
    private var carried = ReusableBuffer<UInt8>()
    private var carriedPosition = 0
    /// Of SubRip: whether the line so far is blank, and whether the last byte was a carriage return.
    private var isBlankLine = true
    private var isAfterReturn = false
    private var converted = ReusableBuffer<UInt8>()
    private var words = GrowingText()

    /// How many bytes of whole characters have come since the beginning, or the reset.
    private(set) var position = 0

    /// Why nothing more is read.
    private(set) var failure: GrowingError?

    init(_ configuration: GrowingConfiguration) {
        format = configuration.format
        unit = configuration.jsonUnit
        limit = configuration.limits.block
        kept = configuration.limits.kept
        scanner = CueScanner(limits: CueLimits(largestBlock: limit, policy: .fail))
    }

    var heldBytes: Int { carried.count + converted.count }

    mutating func reset() {
        scanner.reset()
        validator = UTF8Validator()
        character.removeAll()
        carried.removeAll()
        (isBlankLine, isAfterReturn) = (true, false)
        (position, carriedPosition) = (0, 0)
        failure = nil
    }

    private mutating func fail(_ reason: GrowingError.Reason, at position: Int) {
        if failure == nil { failure = GrowingError(reason: reason, position: position) }
    }

    mutating func scan(_ bytes: ByteView, _ body: Body) {
        guard failure == nil else { return }
        let progress = validator.scan(bytes)
        let whole = max(progress.end, 0)
        if progress.end > 0 {
            scanCharacters(character.view, body)
            character.removeAll()
            scanCharacters(bytes.prefix(upTo: whole), body)
        }
        if progress.isMalformed { return fail(.encoding, at: position) }
        character.append(bytes.suffix(from: whole))
    }

    private mutating func scanCharacters(_ bytes: ByteView, _ body: Body) {
        guard failure == nil, !bytes.isEmpty else { return }
        switch format {
        case .webVTT: scanText(bytes, body)
        case .subRip: scanBlocks(bytes, body)
        case .jsonLines: scanLines(bytes, body)
        }
        position += bytes.count
    }

    mutating func finish(_ body: Body) {
        guard failure == nil else { return }
        if validator.missingCount > 0 { return fail(.encoding, at: position) }
        switch format {
        case .webVTT: if position > 0 { scanText(nil, body) }
        case .subRip: convert(body)
        case .jsonLines: readLine(carried.view, at: carriedPosition, body)
        }
        carried.removeAll()
    }

    // WebVTT.

    /// Scans the next bytes, or ends the file if that is nil. What follows a block that is too long, or that there is
    /// no room for, does not count, wherever chunks end.
    private mutating func scanText(_ bytes: ByteView?, _ body: Body) {
        var (stop, tooLong) = (Stop.none, CueLimitError?.none)
        do throws(CueLimitError) {
            if let bytes {
                try unsafe scanner.scan(bytes.buffer) { event in Self.handle(event, &stop, body) }
            } else {
                try scanner.finish { event in Self.handle(event, &stop, body) }
            }
        } catch { tooLong = error }
        if case .full(let position) = stop { fail(.tooMuchKept(limit: kept), at: position) }
        if let tooLong { fail(.blockTooLong(limit: limit), at: tooLong.position) }
        switch scanner.signature {
        case .valid: break
        case .needsMoreBytes: if bytes == nil { fail(.notWebVTT, at: 0) }
        case .invalid: fail(.notWebVTT, at: 0)
        }
    }

    private static func handle(_ event: CueEvent, _ stop: inout Stop, _ body: Body) {
        if case .none = stop {} else { return }
        switch event {
        case .cue(let cue):
            let found = FoundCue(
                start: cue.start.milliseconds, end: cue.end.milliseconds, identifier: cue.identifier.bytes,
                settings: cue.settingsText.bytes, text: cue.text.bytes)
            if !body(.cue(found)) { stop = .full(at: cue.position) }
        case .style(let block):
            if !body(.block(block.bytes.withoutLastLineEnd)) { stop = .full(at: block.position) }
        case .region(let block):
            if !body(.block(block.bytes.withoutLastLineEnd)) { stop = .full(at: block.position) }
        case .skipped: stop = .skipped
        case .header, .note, .unparsed: break
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
        var stop = Stop.none
        try? unsafe scanner.scan(converted.view.buffer) { event in Self.handle(event, &stop, body) }
        try? scanner.finish { event in Self.handle(event, &stop, body) }
        if case .full = stop { fail(.tooMuchKept(limit: kept), at: carriedPosition) }
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
        let found = FoundCue(start: start, end: object.endMilliseconds, text: words.view)
        if !body(.cue(found)) { fail(.tooMuchKept(limit: kept), at: position) }
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
