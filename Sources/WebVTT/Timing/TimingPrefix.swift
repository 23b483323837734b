import ByteScan

/// The part of a timing line before its arrow, read from right to left one byte at a time.
///
///     (CR | LF) ws* [digits ':'] dd ':' dd '.' ddd ws*        then the arrow
///
/// It keeps nothing but where it is, so the bytes may come in blocks of any size and a line may be of any length. The
/// first line of a file has no line terminator before it and never matches, as it should: it is the signature's.
struct TimingPrefix {
    enum Verdict {
        /// All bytes so far fit; the line goes on to the left.
        case needsEarlierBytes
        /// The byte just read ended the line before, and the whole prefix fits.
        case matched
        /// The byte just read does not fit.
        case rejected
    }

    /// The part of the line that the next byte belongs to or ends.
    private enum Part { case spaceBeforeArrow, fraction, seconds, minutes, hours, spaceBeforeTime }

    private var part = Part.spaceBeforeArrow

    /// How many digits of the part are read; of hours, 1 stands for any number.
    private var digitCount = 0

    /// Reads the byte to the left of all bytes read before.
    mutating func read(_ byte: UInt8) -> Verdict {
        if let digit = ASCII.digit(byte) { return read(digit: digit) }
        switch part {
        case .spaceBeforeArrow: return ASCII.isLineSpace(byte) ? .needsEarlierBytes : .rejected
        case .fraction: return byte == ASCII.period && digitCount == 3 ? next(.seconds) : .rejected
        case .seconds: return byte == ASCII.colon && digitCount == 2 ? next(.minutes) : .rejected
        case .minutes:
            guard digitCount == 2 else { return .rejected }
            return byte == ASCII.colon ? next(.hours) : readBeforeTime(byte)
        case .hours: return digitCount > 0 ? readBeforeTime(byte) : .rejected
        case .spaceBeforeTime: return readBeforeTime(byte)
        }
    }

    private mutating func read(digit: UInt8) -> Verdict {
        switch part {
        case .spaceBeforeArrow:
            part = .fraction
            digitCount = 1
        case .fraction:
            guard digitCount < 3 else { return .rejected }
            digitCount += 1
        case .seconds, .minutes:
            // The second digit from the right is the tens: 59 at most.
            guard digitCount == 0 || digitCount == 1 && digit <= 5 else { return .rejected }
            digitCount += 1
        case .hours: digitCount = 1
        case .spaceBeforeTime: return .rejected
        }
        return .needsEarlierBytes
    }

    private mutating func readBeforeTime(_ byte: UInt8) -> Verdict {
        if ASCII.isLineEnd(byte) { return .matched }
        return ASCII.isLineSpace(byte) ? next(.spaceBeforeTime) : .rejected
    }

    private mutating func next(_ part: Part) -> Verdict {
        self.part = part
        digitCount = 0
        return .needsEarlierBytes
    }
}
