internal import ByteScan

// An entity tag for a playlist with tracks in it.
//
// The origin's tag names the origin's bytes. What goes out is made of these and of the tracks, so its tag has to change
// with either. It is the origin's own, with a fingerprint of the tracks before the closing quote:
//
//     origin          "5f3e-1a2b"                                     W/"5f3e"
//     to the client   "5f3e-1a2b-surtitle-00000000075bcd15"           W/"5f3e-surtitle-00000000075bcd15"
//     back            "5f3e-1a2b"                                     W/"5f3e"
//                               └────────┬───────────────┘
//                               marker, 16 hexadecimal digits
//
// - It can be taken off again without anything remembered, so that the origin answers 304 where it would have without
//   us.
// - Letters, digits and hyphens: legal in a tag (RFC 9110 8.8.3), and nothing that careless readers of lists stumble
//   over.
// - A weak tag stays weak. A strong one that was made weak on its way, as compressing proxies do, comes back weak, and
//   If-None-Match compares weakly (8.8.3.2, 13.1.2).
// - A tag with another fingerprint, or with none, does not name what would be sent now. It is never passed on: the
//   origin might know it and answer 304, and the client would keep old tracks for ever.
// - Two gateways in a row append twice and take off twice.

/// An entity tag (RFC 9110 8.8.3).
struct EntityTag {
    let isWeak: Bool
    /// What stands inside the quotes.
    let opaque: ByteView

    /// The tag that `bytes` are, or nil if they are none: `W` is a capital letter, and quotes are not optional.
    init?(_ bytes: ByteView) {
        isWeak = bytes.hasBytes("W/", at: 0)
        let start = isWeak ? 2 : 0
        guard bytes.count >= start &+ 2, bytes[start] == ASCII.quote, bytes.last == ASCII.quote else { return nil }
        opaque = bytes[(start &+ 1)..<(bytes.count &- 1)]
        // The last eight bytes may have been seen in part.
        var offset = 0
        let last = opaque.count &- 8
        while !CodeSize.isScarce, last >= 0, offset < opaque.count,
            Self.areVisible(opaque.word(at: min(offset, last)))
        {
            offset &+= 8
        }
        for byte in opaque.suffix(from: min(offset, opaque.count)) where !Self.isTagByte(byte) { return nil }
    }

    private init(isWeak: Bool, opaque: ByteView) {
        self.isWeak = isWeak
        self.opaque = opaque
    }

    /// Whether `byte` may stand inside the quotes (RFC 9110 8.8.3): visible but for `"`, or not ASCII.
    private static func isTagByte(_ byte: UInt8) -> Bool {
        byte >= 0x80 || (byte > ASCII.space && byte < 0x7F && byte != ASCII.quote)
    }

    /// Whether all eight bytes are visible ones of ASCII, and none is `"`.
    private static func areVisible(_ word: UInt64) -> Bool {
        let quotes = word ^ (UInt64(ASCII.quote) &* ones)
        let outside = word | (word &- 0x21 &* ones) | (word &+ ones) | ((quotes &- ones) & ~quotes)
        return outside & (0x80 &* ones) == 0
    }

    private static var marker: ByteView { ByteView("-surtitle-") }
    private static let digitCount = 16

    /// The tag that this one was derived from, and the fingerprint that was put into it; nil if it is not a derived
    /// one.
    var derivation: (origin: EntityTag, fingerprint: UInt64)? {
        let start = opaque.count &- Self.digitCount
        let end = start &- Self.marker.count
        guard end >= 0, opaque.hasBytes(Self.marker, at: end) else { return nil }
        let digits = (opaque.word(at: start), opaque.word(at: start &+ 8))
        let (high, low) = (Self.value(ofDigits: digits.0), Self.value(ofDigits: digits.1))
        // Anything but digits comes to a value with other digits. Capital ones were not written here.
        guard Self.digits(high) == digits.0, Self.digits(low) == digits.1 else { return nil }
        return (EntityTag(isWeak: isWeak, opaque: opaque.prefix(upTo: end)), UInt64(high) << 32 | UInt64(low))
    }

    private static var ones: UInt64 { 0x0101_0101_0101_0101 }

    /// The eight hexadecimal digits of `value` as they follow each other in memory: four bits a byte, then letters
    /// apart from figures.
    private static func digits(_ value: UInt32) -> UInt64 {
        var bits = UInt64(value)
        bits = (bits | bits << 16) & 0x0000_FFFF_0000_FFFF
        bits = (bits | bits << 8) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits << 4) & (0x0F &* ones)
        let letters = ((bits &+ 6 &* ones) >> 4) & ones
        return (bits &+ UInt64(ASCII.zero) &* ones &+ letters &* 0x27).byteSwapped
    }

    /// The value that has these digits; some value if they are none.
    private static func value(ofDigits digits: UInt64) -> UInt32 {
        let word = digits.byteSwapped
        var bits = ((word & (0x0F &* ones)) &+ ((word >> 6) & ones) &* 9) & (0x0F &* ones)
        bits = (bits | bits >> 4) & 0x00FF_00FF_00FF_00FF
        bits = (bits | bits >> 8) & 0x0000_FFFF_0000_FFFF
        return UInt32(truncatingIfNeeded: bits | bits >> 16)
    }

    /// Appends the tag as it stands in a field.
    func write(into output: inout ReusableBuffer<UInt8>) {
        writeUpToQuote(into: &output)
        output.append(ASCII.quote)
    }

    /// Appends the tag derived from this one.
    func writeDerived(_ fingerprint: UInt64, into output: inout ReusableBuffer<UInt8>) {
        writeUpToQuote(into: &output)
        output.append(Self.marker)
        let start = output.count
        output.append(ByteView("0000000000000000\""))
        output.overwrite(start, with: Self.digits(UInt32(truncatingIfNeeded: fingerprint >> 32)))
        output.overwrite(start &+ 8, with: Self.digits(UInt32(truncatingIfNeeded: fingerprint)))
    }

    private func writeUpToQuote(into output: inout ReusableBuffer<UInt8>) {
        if isWeak { output.append(ByteView("W/")) }
        output.append(ASCII.quote)
        output.append(opaque)
    }
}

extension HeaderFields {
    /// Whether a precondition names a tag that was derived here, with whatever fingerprint: then the client has a
    /// playlist of ours.
    var namesDerivedTag: Bool {
        func isNamed(in field: FieldName) -> Bool {
            hasElement(of: field, .entityTags) { EntityTag($0)?.derivation != nil }
        }
        return isNamed(in: .ifNoneMatch) || isNamed(in: .ifMatch) || isNamed(in: .ifRange)
    }
}
