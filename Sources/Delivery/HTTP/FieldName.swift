internal import ByteScan

/// The header fields that a rule reads or changes. All others pass through, whatever they are.
///
/// Left to the proxy, because they belong to a connection and not to the message (RFC 9110 7.6.1): Connection and the
/// fields it names, Keep-Alive, TE, Upgrade, Expect; Transfer-Encoding is only read.
enum FieldName: UInt8, CaseIterable {
    case acceptEncoding, acceptRanges, aIM
    case cacheControl, contentDigest, contentEncoding, contentLength, contentMD5, contentRange, contentType
    case digest, entityTag
    case ifMatch, ifModifiedSince, ifNoneMatch, ifRange, ifUnmodifiedSince
    case lastModified, location, range, reprDigest
    case trailer, transferEncoding
    case wantContentDigest, wantDigest, wantReprDigest

    /// A bit that no other name has.
    var bit: UInt32 { 1 &<< UInt32(rawValue) }

    /// The name as the specifications spell it.
    @inline(__always)
    var spelling: StaticString {
        switch self {
        case .acceptEncoding: "Accept-Encoding"
        case .acceptRanges: "Accept-Ranges"
        case .aIM: "A-IM"
        case .cacheControl: "Cache-Control"
        case .contentDigest: "Content-Digest"
        case .contentEncoding: "Content-Encoding"
        case .contentLength: "Content-Length"
        case .contentMD5: "Content-MD5"
        case .contentRange: "Content-Range"
        case .contentType: "Content-Type"
        case .digest: "Digest"
        case .entityTag: "ETag"
        case .ifMatch: "If-Match"
        case .ifModifiedSince: "If-Modified-Since"
        case .ifNoneMatch: "If-None-Match"
        case .ifRange: "If-Range"
        case .ifUnmodifiedSince: "If-Unmodified-Since"
        case .lastModified: "Last-Modified"
        case .location: "Location"
        case .range: "Range"
        case .reprDigest: "Repr-Digest"
        case .trailer: "Trailer"
        case .transferEncoding: "Transfer-Encoding"
        case .wantContentDigest: "Want-Content-Digest"
        case .wantDigest: "Want-Digest"
        case .wantReprDigest: "Want-Repr-Digest"
        }
    }

    /// The field called `name`, in any case of letters (RFC 9110 5.1).
    @inline(__always)
    init?(_ name: ByteView) {
        guard let field = Self.called(name) else { return nil }
        self = field
    }

    /// Whether `name`, which has as many bytes as the spelling, is that in any case of letters.
    ///
    /// A spelling has letters and hyphens only, so that what tells a letter's case is the bit below the one that a
    /// hyphen lacks. Of a constant all this is constant but the name.
    @inline(__always)
    private func isSpelled(as name: ByteView) -> Bool {
        let spelling = ByteView(spelling)
        func differs(at offset: Int) -> Bool {
            let (word, spelled) = (name.word(at: offset), spelling.word(at: offset))
            return (word ^ spelled) & ~((spelled & 0x4040_4040_4040_4040) >> 1) != 0
        }
        let last = spelling.count &- 8
        guard last >= 0 else { return name.equalsIgnoringCase(spelling) }
        // No name has more than 24 bytes. Some bytes are looked at twice.
        return !differs(at: 0) && !differs(at: last) && (last <= 8 || !differs(at: 8))
    }

    /// The same: the length of `name`, and a byte that tells those of one length apart, leave one field.
    private static func called(_ name: ByteView) -> FieldName? {
        if CodeSize.isScarce {
            var number: UInt8 = 0
            while let field = FieldName(rawValue: number), !name.equalsIgnoringCase(ByteView(field.spelling)) {
                number &+= 1
            }
            return FieldName(rawValue: number)
        }
        func letter(_ offset: Int) -> UInt8 { name[offset] | 0x20 }
        @inline(__always)
        func match(_ field: FieldName) -> FieldName? { field.isSpelled(as: name) ? field : nil }
        switch name.count {
        case 4: return letter(0) == UInt8(ascii: "e") ? match(.entityTag) : match(.aIM)
        case 5: return match(.range)
        case 6: return match(.digest)
        case 7: return match(.trailer)
        case 8:
            if letter(0) == UInt8(ascii: "l") { return match(.location) }
            return letter(3) == UInt8(ascii: "m") ? match(.ifMatch) : match(.ifRange)
        case 11:
            return switch letter(0) {
            case UInt8(ascii: "r"): match(.reprDigest)
            case UInt8(ascii: "w"): match(.wantDigest)
            default: match(.contentMD5)
            }
        case 12: return match(.contentType)
        case 13:
            return switch letter(1) {
            case UInt8(ascii: "f"): match(.ifNoneMatch)
            case UInt8(ascii: "o"): match(.contentRange)
            case UInt8(ascii: "c"): match(.acceptRanges)
            default: letter(0) == UInt8(ascii: "l") ? match(.lastModified) : match(.cacheControl)
            }
        case 14: return letter(8) == UInt8(ascii: "d") ? match(.contentDigest) : match(.contentLength)
        case 15: return match(.acceptEncoding)
        case 16: return letter(0) == UInt8(ascii: "w") ? match(.wantReprDigest) : match(.contentEncoding)
        case 17: return letter(0) == UInt8(ascii: "i") ? match(.ifModifiedSince) : match(.transferEncoding)
        case 19: return letter(0) == UInt8(ascii: "i") ? match(.ifUnmodifiedSince) : match(.wantContentDigest)
        default: return nil
        }
    }
}
