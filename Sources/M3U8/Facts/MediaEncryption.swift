internal import ByteScan

// Which key the bytes of a segment need (RFC 8216 4.3.2.4):
//
//     #EXT-X-KEY:METHOD=AES-128,URI="k",IV=0x…                      the whole segment, by a key that anybody may fetch
//     #EXT-X-KEY:METHOD=AES-128,URI="skd://…",KEYFORMAT="com.…"     … by the key of a key system: not readable here
//     #EXT-X-KEY:METHOD=SAMPLE-AES,…                                samples alone: time stamps stand in the clear
//     #EXT-X-KEY:METHOD=NONE                                        none from here on
//
// A line counts until the next one with its KEYFORMAT, and several may count at once. Without an IV it is the number of
// the segment (5.2); a media initialization section has no number, so its line must have one (4.3.2.5).

/// How bytes that a media playlist refers to are encrypted, as far as whoever reads time stamps must know.
package enum MediaEncryption: Equatable, Sendable {
    /// Not at all, or only the samples in them (SAMPLE-AES).
    case none
    /// All of them, by METHOD=AES-128 and a key that can be fetched.
    case aes128(MediaKey)
    /// All of them, by another method, or by a key of a key system.
    case other
}

/// The key of METHOD=AES-128, and where the chain of its blocks begins.
package struct MediaKey: Equatable, Sendable {
    /// The reference to the key as it stands in the playlist.
    package let uri: [UInt8]
    /// The initialization vector: 16 bytes.
    package let vector: [UInt8]

    package init(uri: [UInt8], vector: [UInt8]) {
        self.uri = uri
        self.vector = vector
    }
}

/// What the EXT-X-KEY lines so far say of what follows them.
struct KeyLines {
    typealias Fault = PlaylistFacts.Fault

    private struct Key {
        let uri: [UInt8]
        let vector: [UInt8]?
    }

    private enum Own {
        case none
        case aes128(Result<Key, Fault>)
        case other
    }

    /// What the last line of KEYFORMAT identity says.
    private var own = Own.none
    /// Whether a key system's line says that all bytes are encrypted.
    private var isForeign = false

    /// Notes EXT-X-KEY.
    mutating func note(_ line: PlaylistLine) {
        guard let method = line.content(of: "METHOD") else { return }
        if method == "NONE" {
            self = KeyLines()
        } else if let format = line.content(of: "KEYFORMAT"), !(format == "identity") {
            isForeign = method.hasBytes("AES-", at: 0)
        } else if method == "AES-128" {
            own = .aes128(Result { () throws(Fault) in try Self.key(line) })
        } else {
            own = method.hasBytes("AES-", at: 0) ? .other : .none
        }
    }

    /// How what follows is encrypted; the segment that is meant has `number`, if it is one.
    func encryption(ofSegment number: UInt64?) throws(Fault) -> MediaEncryption {
        switch own {
        case .aes128(let key):
            let key = try key.get()
            guard let vector = key.vector ?? number.map(Self.vector) else { throw .malformed }
            return .aes128(MediaKey(uri: key.uri, vector: vector))
        case .other: return .other
        case .none: return isForeign ? .other : .none
        }
    }

    private static func key(_ line: PlaylistLine) throws(Fault) -> Key {
        guard let uri = line.content(of: "URI") else { throw .malformed }
        guard let text = line.content(of: "IV") else { return Key(uri: try line.reference(uri.trimmed), vector: nil) }
        guard let vector = vector(text.trimmed) else { throw .malformed }
        return Key(uri: try line.reference(uri.trimmed), vector: vector)
    }

    /// The 16 bytes of `0x` and up to 32 digits; nil if the text is something else.
    private static func vector(_ text: ByteView) -> [UInt8]? {
        guard 3...34 ~= text.count, text.prefix(upTo: 2).equalsIgnoringCase("0x") else { return nil }
        var vector = [UInt8](repeating: 0, count: 16)
        for (place, byte) in text.suffix(from: 2).reversed().enumerated() {
            guard let digit = ASCII.hexadecimal(byte) else { return nil }
            vector[15 &- place / 2] |= place % 2 == 0 ? digit : digit << 4
        }
        return vector
    }

    /// The 16 bytes of a segment's number.
    private static func vector(_ number: UInt64) -> [UInt8] {
        (0..<16).map { place in place < 8 ? 0 : UInt8(truncatingIfNeeded: number >> UInt64(8 &* (15 &- place))) }
    }
}
