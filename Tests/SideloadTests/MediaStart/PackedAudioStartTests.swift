import Sideload
import Support
import Testing

/// The first time stamp of packed audio (8216bis 3.1.3), and what is no media at all.
@Suite struct PackedAudioStartTests {
    typealias Tag = AudioTagBytes
    private static let sound: [UInt8] =
        [0xFF, 0xF1, 0x50, 0x80, 0x02, 0x1F, 0xFC] + [UInt8](repeating: 0x21, count: 30)
    private static let end: UInt64 = 1 << 33

    private static func time(_ ticks: UInt64, version: UInt8 = 4) -> [UInt8] {
        Tag.privateFrame(Tag.owner, (0..<8).map { UInt8(truncatingIfNeeded: ticks >> (56 - 8 * $0)) }, version: version)
    }

    private static func frames(_ reason: String, _ frames: [[UInt8]], _ answer: MediaStartScanner.Answer)
        -> MediaStartCase
    {
        .init(reason, Tag.tag(frames) + sound, answer)
    }

    private static let tags: [MediaStartCase] = [
        .init("version 2.4", Tag.timestamp(126_000) + sound, .found(126_000)),
        .init("version 2.3", Tag.timestamp(126_000, version: 3) + sound, .found(126_000)),
        .init("the largest", Tag.timestamp(end - 1) + sound, .found(end - 1)),
        .init("zero, and no audio", Tag.timestamp(0), .found(0)),
        .init("one of more than 33 bits", Tag.timestamp(end) + sound, .unsupported(.noTimestamp)),
        frames(
            "after other frames", [Tag.frame("TIT2", [3, 65]), Tag.privateFrame("com.example", [1, 2]), time(7)],
            .found(7)),
        frames(
            "another owner as long", [Tag.privateFrame(String(repeating: "x", count: 44), [0, 0, 0, 0, 0, 0, 0, 1])],
            .unsupported(.noTimestamp)),
        frames("seven bytes", [Tag.privateFrame(Tag.owner, [0, 0, 0, 0, 0, 0, 1])], .unsupported(.noTimestamp)),
        frames(
            "another frame of the same content", [Tag.frame("GEOB", Array(time(7).dropFirst(10)))],
            .unsupported(.noTimestamp)),
        frames("a compressed frame", [Tag.frame("PRIV", Array(time(7).dropFirst(10)), flags: 8), time(8)], .found(8)),
        frames(
            "a frame whose size is above 127 bytes",
            [Tag.frame("APIC", [UInt8](repeating: 0xFF, count: 3_000)), time(7)],
            .found(7)),
        .init(
            "such a frame of version 2.3",
            Tag.tag(
                version: 3,
                [Tag.frame("APIC", [UInt8](repeating: 0xFF, count: 3_000), version: 3), time(7, version: 3)]),
            .found(7)),
        .init("in the second tag", Tag.tag([Tag.frame("TIT2", [3])]) + Tag.timestamp(7) + sound, .found(7)),
        .init("after a tag of version 2.2", Tag.tag(version: 2, [[1, 2, 3]]) + Tag.timestamp(7) + sound, .found(7)),
        .init("after padding", Tag.tag([], padding: 300) + Tag.timestamp(7) + sound, .found(7)),
        .init("after a footer", Tag.tag(flags: 0x10, [Tag.frame("TIT2", [3])]) + Tag.timestamp(7) + sound, .found(7)),
        .init(
            "after an extended header", Tag.tag(flags: 0x40, afterHeader: [0, 0, 0, 6, 1, 0], [time(7)]) + sound,
            .found(7)),
        .init(
            "after an extended header of version 2.3",
            Tag.tag(version: 3, flags: 0x40, afterHeader: [0, 0, 0, 6, 0, 0, 0, 0, 0, 0], [time(7, version: 3)])
                + sound,
            .found(7)),
        // Where a header, a size or a frame ends with its tag.
        .init(
            "an extended header and no frame",
            Tag.tag(flags: 0x40, afterHeader: [0, 0, 0, 6, 1, 0], []) + Tag.timestamp(7),
            .found(7)),
        .init(
            "nothing but the size of an extended header",
            Tag.tag(flags: 0x40, afterHeader: [0, 0, 0, 4], []) + Tag.timestamp(7),
            .found(7)),
        .init(
            "one smaller than its size", Tag.tag(flags: 0x40, afterHeader: [0, 0, 0, 3], [time(7)]),
            .unsupported(.malformed)),
        .init(
            "one a byte larger than its tag", Tag.tag(flags: 0x40, afterHeader: [0, 0, 0, 7, 1, 0], []),
            .unsupported(.malformed)),
        .init(
            "three bytes of its size", Tag.tag(flags: 0x40, afterHeader: [0, 0, 0], []) + Tag.timestamp(7),
            .unsupported(.malformed)),
        frames(
            "nine bytes behind a frame are none", [Tag.frame("TIT2", [3]), [UInt8](repeating: 0x41, count: 9)],
            .unsupported(.noTimestamp)),
        frames(
            "ten are", [Tag.frame("TIT2", [3]), Array("TIT2".utf8) + [0, 0, 0, 1, 0, 0]], .unsupported(.malformed)),
        frames("one without content", [Tag.frame("TIT2", []), time(7)], .found(7)),
        .init("a tag with nothing in it", Tag.tag([]) + sound, .unsupported(.noTimestamp)),
        .init("a tag cut short", Array(Tag.timestamp(7).dropLast()), .unsupported(.noTimestamp)),
        .init("an unsynchronised tag", Tag.tag(flags: 0x80, [time(7)]) + sound, .unsupported(.unsynchronisedTag)),
        .init(
            "a frame larger than its tag", Tag.tag([Array(Tag.frame("PRIV", sound).prefix(20))]) + sound,
            .unsupported(.malformed)),
        .init(
            "a size that is none", Tag.tag([Array("PRIV".utf8) + [0x80, 0, 0, 1, 0, 0, 1, 2, 3]]) + sound,
            .unsupported(.malformed)),
        .init(
            "the largest frame", Tag.tag(version: 3, [Array("PRIV".utf8) + [0xFF, 0xFF, 0xFF, 0xFF, 0, 0, 1]]),
            .unsupported(.malformed)),
        .init(
            "an extended header larger than its tag",
            Tag.tag(version: 3, flags: 0x40, afterHeader: [0xFF, 0xFF, 0xFF, 0xFF], []), .unsupported(.malformed)),
        .init(
            "an extended header without its size", Tag.tag(flags: 0x40, afterHeader: [0, 0], []),
            .unsupported(.malformed)),
        .init(
            "a tag past the limit", Tag.tag([Tag.frame("APIC", [UInt8](repeating: 1, count: 3_000)), time(7)]),
            .unsupported(.tooLong), limits: .init(bytes: 2_500)),
    ]

    @Test(arguments: tags) func tag(_ row: MediaStartCase) { row.check() }

    /// Bytes as AES makes them.
    private static func noise(_ count: Int) -> [UInt8] {
        var generator = SeededGenerator(seed: 5)
        return (0..<count).map { _ in UInt8.random(in: 0...255, using: &generator) }
    }

    /// As many bytes of as many different values, with a control character among them or not.
    private static func values(_ count: Int, different: Int, _ first: UInt8 = 1) -> [UInt8] {
        [first] + (1..<count).map { UInt8($0 < different ? 0x20 + $0 % 0x5F + $0 / 0x5F * 0x60 : 0x21) }
    }

    private static let heads: [MediaStartCase] = [
        .init("a whole tag of ten bytes", Tag.tag([]), .unsupported(.noTimestamp)),
        .init("nine bytes of one", Array(Tag.tag([]).dropLast()), .unsupported(.notMedia)),
        .init("a tag of version 255", Array("ID3".utf8) + [0xFF, 0, 0, 0, 0, 0, 0], .unsupported(.notMedia)),
        .init("of revision 255", Array("ID3".utf8) + [4, 0xFF, 0, 0, 0, 0, 0], .unsupported(.notMedia)),
        .init("a whole box of eight bytes", [0, 0, 0, 8] + Array("ftyp".utf8), .unsupported(.noTimestamp)),
        .init("seven bytes of one", [0, 0, 0, 8] + Array("fty".utf8), .unsupported(.notMedia)),
        .init("two bytes of sound", [0xFF, 0xE2], .unsupported(.noTimestamp)),
        .init("one", [0xFF], .unsupported(.notMedia)),
        .init("eleven bits are 1 in sound", [0xFF, 0xC2], .unsupported(.notMedia)),
        .init("layer I", [0xFF, 0xE6], .unsupported(.notMedia)),
        .init("two bytes of AC-3", [0x0B, 0x77], .unsupported(.noTimestamp)),
        .init("not quite", [0x0B, 0x78], .unsupported(.notMedia)),
        .init("nor this", [0x0C, 0x77], .unsupported(.notMedia)),
        .init("sixteen bytes of eight values", values(16, different: 8), .unsupported(.encrypted)),
        .init("of seven", values(16, different: 7), .unsupported(.notMedia)),
        .init("fifteen bytes", values(15, different: 15), .unsupported(.notMedia)),
        .init("many bytes of 160 values", values(1_000, different: 160), .unsupported(.encrypted)),
        .init("of 159", values(1_000, different: 159), .unsupported(.notMedia)),
        .init("a unit separator", values(16, different: 16, 0x1F), .unsupported(.encrypted)),
        .init("a DEL", values(16, different: 16, 0x7F), .unsupported(.encrypted)),
        .init("a backspace", values(16, different: 16, 0x08), .unsupported(.encrypted)),
        .init("a shift out", values(16, different: 16, 0x0E), .unsupported(.encrypted)),
        .init("a tab is text", values(16, different: 16, 0x09), .unsupported(.notMedia)),
        .init("so is a CR", values(16, different: 16, 0x0D), .unsupported(.notMedia)),
        .init("and a space", values(16, different: 16, 0x20), .unsupported(.notMedia)),
        .init("a tilde too", values(16, different: 16, 0x7E), .unsupported(.notMedia)),
        .init("what UTF-8 has", values(16, different: 16, 0x80), .unsupported(.notMedia)),
    ]

    @Test(arguments: heads) func head(_ row: MediaStartCase) { row.check() }

    private static let others: [MediaStartCase] = [
        .init("AAC", sound, .unsupported(.noTimestamp)),
        .init("MP3", [0xFF, 0xFB, 0x90, 0x64] + sound, .unsupported(.noTimestamp)),
        .init("AC-3", [0x0B, 0x77, 1, 2] + sound, .unsupported(.noTimestamp)),
        .init("nothing", [], .unsupported(.notMedia)),
        .init("WebVTT", Array("WEBVTT\n\n00:01.000 --> 00:02.000\nGrüße\n".utf8), .unsupported(.notMedia)),
        .init("a playlist", Array("\u{FEFF}#EXTM3U\r\n#EXT-X-VERSION:3\r\n".utf8), .unsupported(.notMedia)),
        .init("UTF-16", [0xFF, 0xFE, 0x57, 0, 0x45, 0], .unsupported(.notMedia)),
        .init("text with a G here and there", [UInt8](repeating: 0x47, count: 187), .unsupported(.notMedia)),
        .init("zeros", [UInt8](repeating: 0, count: 2_100), .unsupported(.notMedia)),
        .init("noise", noise(2_500), .unsupported(.encrypted)),
        .init("noise of fewer bytes than tell a format", noise(1_024), .unsupported(.encrypted)),
        .init("noise that begins with a sync byte", [0x47] + noise(2_500), .unsupported(.encrypted)),
        .init("noise with two sync bytes", [0x47] + noise(187) + [0x47] + noise(400), .unsupported(.encrypted)),
    ]

    @Test(arguments: others) func other(_ row: MediaStartCase) { row.check() }

    @Test func theLimitsThatAreDocumented() {
        let (limits, least) = (MediaStartScanner.Limits(), MediaStartScanner.Limits(bytes: -1, streams: -1))
        #expect(limits.bytes == 4_194_304 && limits.streams == 64 && least.bytes == 0 && least.streams == 0)
    }

    /// Noise is never media: half of these begin with a sync byte.
    @Test func noiseIsNeverMedia() {
        var generator = SeededGenerator(seed: 9)
        for round in 0..<400 {
            var bytes = (0..<Int.random(in: 0..<4_000, using: &generator)).map { _ in
                UInt8.random(in: 0...255, using: &generator)
            }
            if round % 2 == 0, !bytes.isEmpty { bytes[0] = 0x47 }
            var scanner = MediaStartScanner()
            bytes.withUnsafeBytes { _ = scanner.write($0) }
            guard case .unsupported(let error) = scanner.finish() else {
                Issue.record("round \(round) is media")
                return
            }
            #expect(
                bytes.count < 640 || error == .encrypted || bytes[0] == 0xFF || bytes[0] == 0x0B,
                "round \(round): \(error)")
        }
    }

    /// Every reason says what to do, in a line.
    @Test(arguments: [
        MediaStartError.notMedia, .encrypted, .noTimestamp, .tooLong, .noInitSegment, .malformed, .tooManyStreams,
        .unsynchronisedTag,
    ])
    func description(of error: MediaStartError) {
        #expect(error.description.contains("; ") && !error.description.contains("\n"))
        let others: [MediaStartError] = [.notMedia, .encrypted, .noTimestamp, .tooLong].filter { $0 != error }
        #expect(!others.map(\.description).contains(error.description))
    }
}
