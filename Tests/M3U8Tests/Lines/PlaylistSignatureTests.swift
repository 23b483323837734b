import ByteScan
import Support
import Testing

@testable import M3U8

/// The first line of a playlist, as far as it has come.
@Suite struct PlaylistSignatureTests {
    /// Whether a text that begins so is a playlist, nil if more is needed, and what it is if that is all.
    @Test(
        arguments: [
            ("", nil, false), ("#", nil, false), ("#EXTM3", nil, false), ("#EXTM3U", nil, true),
            ("#EXTM3U\n", true, true),
            ("#EXTM3U ", true, true), ("#EXTM3U\t", true, true), ("#EXTM3U\r", nil, true), ("#EXTM3U\r\n", true, true),
            ("#EXTM3U\rx", false, false), ("#EXTM3U\r\r\n", false, false), ("#EXTM3Ux", false, false),
            ("#EXTM3U:", false, false), ("#EXTM3V\n", false, false), ("x", false, false), ("\n", false, false),
            ("#extm3u\n", false, false), ("\u{FEFF}", nil, false), ("\u{FEFF}#EXTM3", nil, false),
            ("\u{FEFF}#EXTM3U", nil, true), ("\u{FEFF}#EXTM3U\r", nil, true), ("\u{FEFF}#EXTM3U\r\n", true, true),
            ("\u{FEFF}\u{FEFF}#EXTM3U\n", false, false), (" #EXTM3U\n", false, false),
        ] as [(String, Bool?, Bool)])
    func beginnings(_ text: String, _ matches: Bool?, _ isPlaylist: Bool) {
        let bytes = GuardedBytes(Array(text.utf8))
        let view = ByteView(bytes.buffer)
        #expect(PlaylistSignature.matches(view, isWhole: false) == matches)
        #expect(PlaylistSignature.matches(view, isWhole: true) == isPlaylist)
        // More bytes than are looked at change nothing, and as many as these tell.
        #expect(text.utf8.count < PlaylistSignature.lookahead || matches != nil)
    }

    @Test(
        arguments: [
            ("#EXTM3U\n", nil), ("#EXTM3U\nx", false), ("#EXTM3U\r\n", true), ("#EXTM3U\r\nx", true),
            ("#EXTM3U\rx", nil), ("#EXTM3U \n", nil), ("#EXTM3V\nx", nil), ("\u{FEFF}#EXTM3U\nx", nil), ("", nil),
            ("#EXTM3U\n\n", false), ("#EXTM3U\n\r\n", false),
        ] as [(String, Bool?)])
    func lineEndings(_ text: String, _ usesCRLF: Bool?) {
        let bytes = GuardedBytes(Array(text.utf8))
        #expect(PlaylistSignature.usesCRLF(ByteView(bytes.buffer)) == usesCRLF)
    }

    @Test func asManyBytesAsTell() { #expect(PlaylistSignature.lookahead == "\u{FEFF}#EXTM3U\r\n".utf8.count) }
}
