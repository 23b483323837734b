import AVFoundation
import Delivery
import Foundation
import SideloadAVFoundation
import Testing

/// Subtitles that are not UTF-8.
@Suite(.timeLimit(.minutes(1)))
struct EncodingTests {
    private static let text = "WEBVTT\n\n00:01.000 --> 00:02.000\nÅngström\n\n00:03.000 --> 00:07.250\nÄrligt\n"

    private static func utf16(_ text: String, bigEndian: Bool) -> [UInt8] {
        ("\u{FEFF}" + text).utf16.flatMap { unit in
            let (high, low) = (UInt8(unit >> 8), UInt8(unit & 255))
            return bigEndian ? [high, low] : [low, high]
        }
    }
    private static func latin(_ text: String) -> [UInt8] {
        text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) }
    }

    private func stage(
        _ bytes: [UInt8], _ encoding: String?, file: URL? = nil,
        _ change: (inout SubtitleLoaderOptions) -> Void = { _ in }
    ) throws -> Stage {
        let address = "https://subs.example.com/1.vtt"
        let track = ExternalSubtitle(
            try file ?? url(address), language: "sv", name: "Svenska", encoding: try encoding.map(TextEncoding.init))
        return try Stage(
            FakeOrigin([Stage.master: .file(Stage.masterText), address: .bytes(bytes)]), subtitles: [track]
        ) {
            $0.policies.webVTT = .bytes
            change(&$0)
        }
    }

    private func check(_ stage: Stage) async throws {
        #expect(try await stage.masterText().contains("Svenska"))
        #expect(try await stage.text(try await stage.uri(of: "sv")).contains("#EXTINF:7.250,"))
        #expect(try await stage.text(try await stage.file(of: "sv")) == Self.text)
        #expect(stage.loader.subtitles.allSatisfy { $0.error == nil })
        stage.expectNoMisuse()
    }

    @Test(arguments: [false, true]) func utf16NeedsNoName(_ isBigEndian: Bool) async throws {
        try await check(stage(Self.utf16(Self.text, bigEndian: isBigEndian), nil))
    }

    @Test func anEncodingThatIsNamed() async throws {
        try await check(stage(Self.latin(Self.text), "windows-1252"))
    }

    @Test(arguments: [(true, nil as String?), (false, "windows-1252")])
    func aFileOfTheDevice(_ isUTF16: Bool, _ encoding: String?) async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).vtt")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(isUTF16 ? Self.utf16(Self.text, bigEndian: false) : Self.latin(Self.text)).write(to: file)
        try await check(stage([], encoding, file: file))
    }

    /// What is no character is told: another encoding may be the right one.
    @Test func whatIsNoCharacterIsTold() async throws {
        let events = Locked<[String]>([])
        let stage = try stage(Self.latin(Self.text), nil) { options in
            options.trace = { event in events.withLock { $0.append("\(event)") } }
        }
        _ = try await stage.text(try await stage.file(of: "sv"))
        #expect(
            events.withLock { $0 }.contains { $0.hasPrefix("https://subs.example.com/1.vtt: ") && $0.contains("UTF-8") }
        )
    }

    /// Players read UTF-8 alone, so that such a file does not go by its own URL, though nothing else of it changes.
    @Test(arguments: [nil as String?, "windows-1252"])
    func itsOwnURLWouldNotDo(_ encoding: String?) async throws {
        let bytes = encoding == nil ? Self.utf16(Self.text, bigEndian: true) : Self.latin(Self.text)
        let stage = try stage(bytes, encoding) {
            $0.policies = RoutePolicies()
            $0.webVTT = .automatic
        }
        let file = try await stage.file(of: "sv")
        #expect(file.host == "127.0.0.1")
        #expect(try await stage.text(file) == Self.text)
    }

    /// In place of a track there is something else, in any encoding.
    @Test func whatIsNoTrackIsLeftOut() async throws {
        let stage = try stage(Self.utf16("<html>", bigEndian: true), nil)
        #expect(try await !stage.masterText().contains("Svenska"))
        #expect(stage.loader.subtitles[0].error?.code == .unusable)
    }
}
