public import ByteScan

/// A form of paths that lead to playlists: literal bytes, and `*` for any bytes, none and slashes among them.
///
///     *.m3u8                          /video/master.m3u8
///     */manifest(*format=m3u8-*)      /a.ism/manifest(format=m3u8-aapl)
///
/// It is held against the whole path, from the first slash up to `?` or `#`. Letters match in any case, and escapes are
/// decoded first (RFC 3986 2.1), reserved characters too: whether a path is likely decides nothing that cannot be asked
/// again.
public struct PathPattern: Sendable {
    private let bytes: StableBytes
    /// Where the literal bytes after the last star begin.
    private let tail: Int
    /// The last eight bytes of paths that end so, or as many as there are after the last star, and which of their bits
    /// tell: not those of a letter's case. Whether these are all that are there.
    private let ending: (bits: UInt64, mask: UInt64, isWhole: Bool)
    /// A byte, no letter, that a path of this form has between two stars; nil if there is none.
    private let middle: UInt8?

    /// A pattern.
    ///
    /// - Throws: ``PathPatternError`` for one that is empty, or that has `?` or `#`, which no path has.
    public init(_ pattern: String) throws(PathPatternError) { try self.init(Array(utf8: pattern)) }

    /// A pattern.
    ///
    /// - Throws: ``PathPatternError`` for one that is empty, or that has `?` or `#`, which no path has.
    public init(_ pattern: [UInt8]) throws(PathPatternError) {
        if pattern.isEmpty { throw PathPatternError(reason: .empty, position: 0) }
        if let position = pattern.firstIndex(where: { $0 == ASCII.questionMark || $0 == ASCII.hash }) {
            throw PathPatternError(reason: .notInPath, position: position)
        }
        self.init(checked: pattern)
    }

    private init(checked pattern: [UInt8]) {
        bytes = StableBytes(pattern.map(ASCII.lowercased))
        tail = (pattern.lastIndex(of: ASCII.asterisk) ?? -1) + 1
        guard !CodeSize.isScarce else {
            (ending, middle) = ((0, 0, false), nil)
            return
        }
        var (bits, mask, shift): (UInt64, UInt64, UInt64) = (0, 0, 64)
        for byte in pattern[tail...].suffix(8).reversed() {
            shift -= 8
            let isLetter = ASCII.lowercased(byte) &- UInt8(ascii: "a") < 26
            mask |= (isLetter ? 0xDF : 0xFF) << shift
            bits |= UInt64(byte) << shift
        }
        ending = (bits & mask, mask, pattern.count - tail <= 8)
        let (letters, common) = (UInt8(ascii: "a")...UInt8(ascii: "z"), [ASCII.asterisk, ASCII.slash, ASCII.percent])
        middle = pattern[..<tail].last { !letters.contains(ASCII.lowercased($0)) && !common.contains($0) }
    }

    /// Paths that end in `.m3u8` or `.m3u`, the former with path parameters too, and `manifest(format=m3u8-aapl)` and
    /// its like.
    public static var usual: [PathPattern] {
        let patterns: [StaticString] = ["*.m3u8", "*.m3u", "*.m3u8;*", "*/manifest(*format=m3u8-*)"]
        return patterns.map { PathPattern(checked: Array(ByteView($0))) }
    }

    /// Whether `path` has this form; `hasEscape` says whether it has a `%`.
    ///
    /// After a star as little as possible is taken, and one byte more each time the rest does not follow. Only the last
    /// star has to be gone back to: what came before it has been found as early as it can be.
    ///
    /// - Complexity: O(*n* · *m*) for a pattern of *m* bytes.
    @inline(__always)
    func matches(_ path: ByteView, hasEscape: Bool) -> Bool {
        if !hasEscape, !CodeSize.isScarce, path.count >= 8 {
            // Most paths are told by their last eight bytes, for which nobody has to hold the pattern.
            guard path.word(at: path.count &- 8) & ending.mask == ending.bits else { return false }
            // A star and few literal bytes, as nearly all patterns are.
            if tail == 1, ending.isWhole { return true }
        }
        return matchesInFull(path, hasEscape: hasEscape)
    }

    private func matchesInFull(_ path: ByteView, hasEscape: Bool) -> Bool {
        let pattern = bytes.view
        if !hasEscape {
            guard hasTail(path) else { return false }
            if tail == 1 { return true }
            if let middle, path.firstOffset(of: middle) == nil { return false }
        }
        var place = 0
        var offset = 0
        var retry: (place: Int, offset: Int)?
        while offset < path.count {
            if place < pattern.count, pattern[place] == ASCII.asterisk {
                place &+= 1
                retry = (place, offset)
                continue
            }
            let (byte, next) = path.percentDecodedByte(at: offset)
            if place < pattern.count, pattern[place] == ASCII.lowercased(byte) {
                place &+= 1
                offset = next
            } else if let (afterStar, start) = retry {
                place = afterStar
                offset = path.percentDecodedByte(at: start).next
                retry = (afterStar, offset)
            } else {
                return false
            }
        }
        while place < pattern.count, pattern[place] == ASCII.asterisk { place &+= 1 }
        return place == pattern.count
    }

    /// Whether the path ends with the literal bytes after the last star. Escapes are not decoded.
    private func hasTail(_ path: ByteView) -> Bool {
        let literal = bytes.view.suffix(from: tail)
        let start = path.count &- literal.count
        return start >= 0 && path.suffix(from: start).equalsIgnoringCase(literal)
    }
}

/// A path pattern was refused.
public struct PathPatternError: Error, Equatable, Sendable {
    /// What is wrong with the pattern.
    @nonexhaustive
    public enum Reason: Sendable {
        /// It is empty.
        case empty
        /// It has `?` or `#`, which end a path.
        case notInPath
    }

    /// What is wrong with the pattern.
    public let reason: Reason
    /// The offset of the offending byte; 0 if there is none.
    public let position: Int
}

extension PathPatternError: Described {
    /// What is wrong, in words.
    public var message: Message {
        reason == .empty
            ? "the pattern is empty; give one such as *.m3u8"
            : "byte \(position) of the pattern is ? or #, which end a path; leave them and what follows out"
    }
}
