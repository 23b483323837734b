internal import ByteScan

/// The header fields that a rule reads or changes. All others pass through, whatever they are.
///
/// Left to the proxy, because they belong to a connection and not to the message (RFC 9110 7.6.1): Connection and the fields it names,
/// Keep-Alive, TE, Upgrade, Expect; Transfer-Encoding is only read.
enum FieldName: UInt8, CaseIterable {
    case acceptEncoding, acceptRanges, aIM
    case cacheControl, contentDigest, contentEncoding, contentLength, contentMD5, contentRange, contentType
    case digest, entityTag
    case ifMatch, ifModifiedSince, ifNoneMatch, ifRange, ifUnmodifiedSince
    case lastModified, location, range, reprDigest
    case trailer, transferEncoding
    case wantContentDigest, wantDigest, wantReprDigest

    /// A bit that no other name has.
    var bit: UInt32 { 1 << UInt32(rawValue) }

    /// The name as the specifications spell it.
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
    init?(_ name: ByteView) {
        guard let match = Self.candidate(name), name.equalsIgnoringCase(match.spelling) else { return nil }
        self = match
    }

    /// The only field that `name` can be, by its length and a byte that tells those of one length apart.
    private static func candidate(_ name: ByteView) -> FieldName? {
        func letter(_ offset: Int) -> UInt8 { name[offset] | 0x20 }
        switch name.count {
        case 4: return letter(0) == UInt8(ascii: "e") ? .entityTag : .aIM
        case 5: return .range
        case 6: return .digest
        case 7: return .trailer
        case 8:
            if letter(0) == UInt8(ascii: "l") { return .location }
            return letter(3) == UInt8(ascii: "m") ? .ifMatch : .ifRange
        case 11:
            return switch letter(0) {
            case UInt8(ascii: "r"): .reprDigest
            case UInt8(ascii: "w"): .wantDigest
            default: .contentMD5
            }
        case 12: return .contentType
        case 13:
            return switch letter(1) {
            case UInt8(ascii: "f"): .ifNoneMatch
            case UInt8(ascii: "o"): .contentRange
            case UInt8(ascii: "c"): .acceptRanges
            default: letter(0) == UInt8(ascii: "l") ? .lastModified : .cacheControl
            }
        case 14: return letter(8) == UInt8(ascii: "d") ? .contentDigest : .contentLength
        case 15: return .acceptEncoding
        case 16: return letter(0) == UInt8(ascii: "w") ? .wantReprDigest : .contentEncoding
        case 17: return letter(0) == UInt8(ascii: "i") ? .ifModifiedSince : .transferEncoding
        case 19: return letter(0) == UInt8(ascii: "i") ? .ifUnmodifiedSince : .wantContentDigest
        default: return nil
        }
    }
}
