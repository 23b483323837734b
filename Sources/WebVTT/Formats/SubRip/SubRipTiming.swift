import ByteScan

/// The two times of a SubRip timing line, read as leniently as files in the field need.
///
///     ws* TIME ws* '-->' ws* TIME rest          the rest, coordinates mostly, is left out
///     TIME = ['-'] [HOURS ':'] MINUTES ':' SECONDS [(',' | '.') [MILLISECONDS]]
///
/// White space may stand before every number and separator, and a byte order mark at the line's beginning. Seconds have
/// one or two digits, minutes too, or three if there are no hours; numbers above 59 carry over. Fewer than three digits
/// of milliseconds are a number of milliseconds, as players read them (`,5` is 5 ms, from writers that do not pad); of
/// more, only the first three count. A time before 0 is 0.
struct SubRipTiming {
    let start: Timestamp
    let end: Timestamp

    /// The times of `line`, or nil if it is no timing line.
    init?(_ line: ByteView) {
        var cursor = Cursor(line: line, offset: line.offsetAfterMark)
        guard let start = cursor.readTime(), cursor.skip(ASCII.hyphen), line.hasBytes("->", at: cursor.offset) else {
            return nil
        }
        cursor.offset &+= 2
        guard let end = cursor.readTime() else { return nil }
        (self.start, self.end) = (start, end)
    }

    /// Whether `line`, which is no timing line, would be one with another arrow: `->`, `- >`, `-- >`, any hyphens and
    /// white space before a `>`.
    ///
    /// Both times must have hours or a fraction: `10:15 -> 11:30` is text.
    static func hasBrokenArrow(_ line: ByteView) -> Bool {
        var cursor = Cursor(line: line, offset: line.offsetAfterMark)
        guard cursor.readTime() != nil, cursor.isExact, cursor.skip(ASCII.hyphen) else { return false }
        while cursor.skip(ASCII.hyphen) {}
        return cursor.skip(ASCII.greaterThan) && cursor.readTime() != nil && cursor.isExact
    }

    private struct Cursor {
        let line: ByteView
        var offset: Int
        /// Whether the time read last has hours or a fraction.
        private(set) var isExact = false

        private mutating func skipSpace() { offset = line.offsetAfterSpace(from: offset) }

        /// Goes past `byte` and any white space before it, and tells whether it was there.
        mutating func skip(_ byte: UInt8) -> Bool {
            skipSpace()
            guard line.has(byte, at: offset) else { return false }
            offset &+= 1
            return true
        }

        private mutating func readNumber() -> DigitRun {
            skipSpace()
            let number = DigitRun(in: line, from: offset)
            offset = number.end
            return number
        }

        mutating func readTime() -> Timestamp? {
            skipSpace()
            let isNegative = line.has(ASCII.hyphen, at: offset)
            if isNegative { offset &+= 1 }
            let first = readNumber()
            guard first.count > 0, skip(ASCII.colon) else { return nil }
            let second = readNumber()
            guard second.count == 1 || second.count == 2 else { return nil }

            var (hours, minutes, seconds) = (Int64(0), first, second)
            isExact = skip(ASCII.colon)
            if isExact {
                (hours, minutes, seconds) = (first.value, second, readNumber())
                guard seconds.count == 1 || seconds.count == 2 else { return nil }
            } else {
                guard first.count <= 3 else { return nil }
            }
            var milliseconds = (minutes.value &* 60 &+ seconds.value) &* 1000
            if skip(ASCII.comma) || skip(ASCII.period) {
                isExact = true
                milliseconds &+= readMilliseconds()
            }
            return isNegative ? Timestamp(milliseconds: 0) : Timestamp(hours: hours, milliseconds: milliseconds)
        }

        private mutating func readMilliseconds() -> Int64 {
            let digits = readNumber()
            let start = digits.end &- digits.count
            return DigitRun(in: line.prefix(upTo: min(digits.end, start &+ 3)), from: start).value
        }
    }
}

extension ByteView {
    /// The offset after the byte order marks that the view begins with: files that were joined have them inside, too.
    var offsetAfterMark: Int {
        var offset = 0
        while hasBytes("\u{FEFF}", at: offset) { offset &+= 3 }
        return offset
    }
}
