import ByteScan
import Testing

@testable import M3U8

/// Which key the bytes of a segment need, by the EXT-X-KEY lines before it (RFC 8216 4.3.2.4).
@Suite struct MediaEncryptionTests {
    /// How the first segment is encrypted, which has the number 0x102030405060708, or why that cannot be told.
    private static func encryption(_ keys: [String], map: String = "") -> Result<MediaEncryption, PlaylistFacts.Fault>?
    {
        let lines = keys.map { "#EXT-X-KEY:\($0)\n" }.joined()
        let text = "#EXTM3U\n#EXT-X-MEDIA-SEQUENCE:72623859790382856\n\(lines)\(map)#EXTINF:1,\na\n"
        let segment = PlaylistFacts(of: Array(text.utf8), asking: .segment).timelines.first?.segment
        return segment?.map { map.isEmpty ? $0.part.encryption : $0.initialization?.encryption ?? .none }
    }

    private static func key(_ vector: [UInt8], _ uri: String = "k") -> MediaEncryption {
        .aes128(MediaKey(uri: Array(uri.utf8), vector: vector))
    }

    private static let number: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    private static let aes = "METHOD=AES-128,URI=\"k\""
    private static let system = ",URI=\"skd://k\",KEYFORMAT=\"com.apple.streamingkeydelivery\""

    @Test(
        arguments: [
            ([], MediaEncryption.none), ([aes], key(number)), ([aes + ",KEYFORMAT=\"identity\""], key(number)),
            (["METHOD=AES-128,URI=\" k/1 \""], key(number, "k/1")),
            (["METHOD=NONE"], .none), ([aes, "METHOD=NONE"], .none), (["METHOD=SAMPLE-AES,URI=\"k\""], .none),
            (["METHOD=AES-256,URI=\"k\""], .other), (["METHOD=AES-"], .other), (["METHOD=AES"], .none),
            (["METHOD=SAMPLE-AES-CTR,URI=\"k\""], .none),
            // The last line with a format counts, and those of key systems and without one count together.
            ([aes, "METHOD=AES-128,URI=\"l\""], key(number, "l")), ([aes, "METHOD=SAMPLE-AES,URI=\"k\""], .none),
            (["METHOD=AES-128" + system], .other), (["METHOD=SAMPLE-AES" + system], .none),
            (["METHOD=AES-128" + system, "METHOD=SAMPLE-AES" + system], .none),
            (["METHOD=AES-128" + system, aes], key(number)), ([aes, "METHOD=SAMPLE-AES" + system], key(number)),
            (["METHOD=AES-128" + system, "METHOD=SAMPLE-AES,URI=\"k\""], .other),
            (["METHOD=AES-128" + system, "METHOD=NONE"], .none),
            (["METHOD=AES-128" + system, aes, "METHOD=NONE"], .none),
            // A line without a method says nothing.
            ([aes, "URI=\"l\""], key(number)),
        ] as [([String], MediaEncryption)])
    func theLinesThatCount(_ lines: [String], _ encryption: MediaEncryption) {
        #expect(Self.encryption(lines) == .success(encryption))
    }

    @Test(
        arguments: [
            ("0x0", [UInt8](repeating: 0, count: 16)), ("0x1", [UInt8](repeating: 0, count: 15) + [1]),
            (" 0Xa1B ", [UInt8](repeating: 0, count: 14) + [0x0A, 0x1B]),
            ("0x00112233445566778899aabbccddeeff", (0..<16).map { UInt8($0) * 0x11 }),
            ("0xF0112233445566778899AABBCCDDEEF", [0x0F] + (0..<15).map { UInt8($0) * 0x11 + 1 }),
        ] as [(String, [UInt8])])
    func vectors(_ text: String, _ vector: [UInt8]) {
        #expect(Self.encryption([Self.aes + ",IV=\(text)"]) == .success(Self.key(vector)))
    }

    @Test(
        arguments: [
            (aes + ",IV=0x", PlaylistFacts.Fault.malformed), (aes + ",IV=1x1", .malformed),
            (aes + ",IV=0y1", .malformed),
            (aes + ",IV=0x1g", .malformed), (aes + ",IV=", .malformed), (aes + ",IV=123", .malformed),
            (aes + ",IV=0x\(String(repeating: "1", count: 33))", .malformed), ("METHOD=AES-128", .malformed),
            ("METHOD=AES-128,URI=\"{$k}\"", .variable(uri: Array("{$k}".utf8))),
            ("METHOD=AES-128,URI=\"{$k}\",IV=0x1", .variable(uri: Array("{$k}".utf8))),
        ] as [(String, PlaylistFacts.Fault)])
    func whatIsNoKey(_ line: String, _ fault: PlaylistFacts.Fault) {
        #expect(Self.encryption([line]) == .failure(fault))
        // It matters as long as it counts.
        #expect(Self.encryption([line, Self.aes]) == .success(Self.key(Self.number)))
        #expect(Self.encryption([line, "METHOD=NONE"]) == .success(.none))
    }

    /// A media initialization section has no number, so its key needs a vector; it has the key that counts before it.
    @Test func initializationSections() {
        let map = "#EXT-X-MAP:URI=\"i\"\n"
        let vector = [UInt8](repeating: 0, count: 15) + [9]
        #expect(Self.encryption([Self.aes + ",IV=0x9"], map: map) == .success(Self.key(vector)))
        #expect(Self.encryption([Self.aes], map: map) == .failure(.malformed))
        #expect(Self.encryption([Self.aes], map: "#EXT-X-KEY:METHOD=NONE\n" + map) == .success(.none))
        #expect(Self.encryption([], map: map + "#EXT-X-KEY:\(Self.aes)\n") == .success(.none))
    }
}
