internal import ByteScan

/// A line of JSON that tells a cue.
struct GrowingObject {
    private var unit: GrowingConfiguration.Unit
    /// Times in millionths of whatever they are in.
    private var start: Int64?
    private var end: Int64?
    private var hasText = false
    private var isMalformed = false
    /// Whether the words will not change any more.
    private(set) var isFinal = true

    init(_ unit: GrowingConfiguration.Unit) { self.unit = unit }

    /// Whether it has what a cue must have, or is none.
    var isWhole: Bool { !isMalformed && (!isFinal || start != nil && hasText) }

    var startMilliseconds: Int64? { start.map(milliseconds) }
    var endMilliseconds: Int64? { end.map(milliseconds) }

    private func milliseconds(_ millionths: Int64) -> Int64 {
        let perMillisecond: Int64 = unit == .seconds ? 1000 : 1_000_000
        return max(0, (millionths + perMillisecond / 2) / perMillisecond)
    }

    private enum Member { case start, end, text, unit, final, other }

    /// Reads the object; its text goes to `words`, in place of what is there.
    mutating func read(_ line: ByteView, limit: Int, _ words: inout GrowingText) throws(JSONError) {
        var reader = JSONReader(line, limits: JSONLimits(bytes: limit))
        var (depth, member) = (0, Member.other)
        words.removeAll()
        while let event = try reader.next() {
            switch event {
            case .beginObject, .beginArray:
                if depth == 0, event != .beginObject { isMalformed = true }
                if depth == 1, member != .other { isMalformed = true }
                depth += 1
            case .endObject, .endArray: depth -= 1
            case .key(let key): if depth == 1 { member = Self.member(key) }
            default:
                if depth == 0 { isMalformed = true }
                if depth == 1 { take(event, of: member, &words) }
            }
        }
    }

    private static func member(_ key: ByteView) -> Member {
        switch key {
        case "start": .start
        case "end": .end
        case "text": .text
        case "unit": .unit
        case "final": .final
        default: .other
        }
    }

    private mutating func take(_ event: JSONEvent, of member: Member, _ words: inout GrowingText) {
        switch (member, event) {
        case (.start, .number(let digits)): start = time(digits)
        case (.end, .number(let digits)): end = time(digits)
        case (.end, .null): break
        case (.text, .string(let text)):
            words.append(text)
            hasText = true
        case (.final, .truth(let isFinal)): self.isFinal = isFinal
        case (.unit, .string(let text)):
            if text == "s" { unit = .seconds } else if text == "ms" { unit = .milliseconds } else { isMalformed = true }
        case (.other, _): break
        default: isMalformed = true
        }
    }

    /// A number of JSON, in millionths, of which fractions are cut off; nil and an error if it does not fit.
    private mutating func time(_ number: ByteView) -> Int64? {
        let time = Self.millionths(number)
        isMalformed = isMalformed || time == nil
        return time
    }

    private static func millionths(_ number: ByteView) -> Int64? {
        var reader = ByteReader(number)
        let isNegative = reader.skip("-")
        let (whole, fraction) = (reader.digits(), reader.skip(".") ? reader.digits() : ByteView())
        var exponent = 0
        if reader.skip("e") || reader.skip("E") {
            let isBelow = reader.skip("-")
            _ = reader.skip("+")
            guard let digits = Int(decimal: reader.digits()), digits < 100 else { return nil }
            exponent = isBelow ? -digits : digits
        }
        var (value, place): (Int64, Int) = (0, whole.count + exponent + 6)
        for digits in [whole, fraction] {
            for digit in digits where place > 0 {
                guard let next = value.times(10, plus: Int64(digit - ASCII.zero)), next < 1 << 55 else { return nil }
                (value, place) = (next, place - 1)
            }
        }
        while place > 0 {
            guard let next = value.times(10), next < 1 << 55 else { return nil }
            (value, place) = (next, place - 1)
        }
        return isNegative ? -value : value
    }
}

/// Words as WebVTT has them: what would be markup is escaped, and no line is blank.
struct GrowingText: ~Copyable {
    private var bytes = ReusableBuffer<UInt8>()
    private var lineStart = 0

    var view: ByteView {
        let text = bytes.view
        return text.last == ASCII.lineFeed ? text.prefix(upTo: text.count - 1) : text
    }

    mutating func removeAll() {
        bytes.removeAll()
        lineStart = 0
    }

    mutating func append(_ text: ByteView) {
        for byte in text {
            switch byte {
            case UInt8(ascii: "&"): bytes.append("&amp;")
            case UInt8(ascii: "<"): bytes.append("&lt;")
            case ASCII.greaterThan: bytes.append(isAfterHyphens ? "&gt;" : ">")
            case ASCII.lineFeed, ASCII.carriageReturn: endLine()
            case 0: bytes.append("\u{FFFD}")
            default: bytes.append(byte)
            }
        }
        endLine()
    }

    private var isAfterHyphens: Bool {
        let text = bytes.view
        return text.count >= 2 && text[text.count - 1] == ASCII.hyphen && text[text.count - 2] == ASCII.hyphen
    }

    /// Ends the line, unless it is blank.
    private mutating func endLine() {
        let line = bytes.view.suffix(from: lineStart)
        if line.allSatisfy({ $0 == ASCII.space || $0 == ASCII.tab }) {
            bytes.truncate(to: lineStart)
        } else {
            bytes.append(ASCII.lineFeed)
        }
        lineStart = bytes.count
    }
}
