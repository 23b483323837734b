internal import CByteScan

/// Tells well-formed UTF-8 from other bytes, over chunks of any size (Unicode 17, section 3.9, table 3-7).
///
///     00..7F
///     C2..DF 80..BF
///     E0     A0..BF 80..BF        (no overlong form)
///     E1..EF 80..BF 80..BF        (ED 80..9F: no surrogate)
///     F0     90..BF 80..BF 80..BF (no overlong form)
///     F1..F3 80..BF 80..BF 80..BF
///     F4     80..8F 80..BF 80..BF (nothing past U+10FFFF)
package struct UTF8Validator {
    /// How many bytes of a character have been seen whose rest is still to come; 3 at most.
    private var seenCount = 0

    /// How many bytes of it are still to come.
    package private(set) var missingCount = 0

    /// What the next of them may be.
    private var allowed: ClosedRange<UInt8> = 0x80...0xBF

    /// The offset after the last byte that ends a character, and whether the byte there cannot begin one.
    ///
    /// If none is wrong, the bytes from there on begin a character that is not whole yet.
    package struct Progress {
        /// The offset after the last whole character; not above 0 if the one that began before the chunk is still not
        /// whole.
        package var end: Int
        /// Whether the bytes at ``end`` are no character, whatever follows.
        package var isMalformed: Bool
    }

    package init() {}

    /// Reads the next chunk.
    package mutating func scan(_ bytes: ByteView) -> Progress {
        var offset = 0
        var end = -seenCount
        while offset < bytes.count {
            if missingCount == 0 {
                offset = unsafe passUTF8(bytes.base, from: offset, to: bytes.count)
                end = offset
                guard offset < bytes.count else { break }
                guard begin(bytes[offset]) else { return Progress(end: end, isMalformed: true) }
            } else {
                guard goesOn(bytes[offset]) else { return Progress(end: end, isMalformed: true) }
            }
            offset &+= 1
            if missingCount == 0 {
                seenCount = 0
                end = offset
            }
        }
        return Progress(end: end, isMalformed: false)
    }

    /// Goes on with a character, and tells whether `byte` can be the next of it.
    fileprivate mutating func goesOn(_ byte: UInt8) -> Bool {
        guard allowed.contains(byte) else { return false }
        allowed = 0x80...0xBF
        seenCount &+= 1
        missingCount &-= 1
        return true
    }

    /// Starts a character of more than one byte, and tells whether `byte` can be its first.
    fileprivate mutating func begin(_ byte: UInt8) -> Bool {
        switch byte {
        case 0xC2...0xDF: missingCount = 1
        case 0xE0...0xEF: missingCount = 2
        case 0xF0...0xF4: missingCount = 3
        default: return false
        }
        allowed =
            switch byte {
            case 0xE0: 0xA0...0xBF
            case 0xED: 0x80...0x9F
            case 0xF0: 0x90...0xBF
            case 0xF4: 0x80...0x8F
            default: 0x80...0xBF
            }
        seenCount = 1
        return true
    }
}

extension ByteView {
    /// How many bytes at the beginning are UTF-8: all of them, or as many as come before what is no whole character.
    package var validUTF8Count: Int {
        var validator = UTF8Validator()
        return validator.scan(self).end
    }

    /// How many bytes at the beginning are a character, or are what one U+FFFD replaces: as many as begin a character,
    /// and one at least (Unicode 17, section 3.9).
    package var firstCharacter: (count: Int, isWhole: Bool) {
        var validator = UTF8Validator()
        guard let first, first >= 0x80 else { return (1, !isEmpty) }
        guard validator.begin(first) else { return (1, false) }
        var length = 1
        while length < count, validator.missingCount > 0, validator.goesOn(self[length]) { length += 1 }
        return (length, validator.missingCount == 0)
    }
}
