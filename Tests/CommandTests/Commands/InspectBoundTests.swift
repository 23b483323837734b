import Foundation
import Testing

/// A report is never many times as long as what it is about.
@Suite struct InspectBoundTests {
    private static func variants(_ attributes: some Sequence<String>) -> String {
        "#EXTM3U\n" + attributes.map { "#EXT-X-STREAM-INF:\($0)\nv\n" }.joined()
    }

    private static let wide = String(repeating: "w", count: 65_000)
    private static let short = (0..<4000).map { "BANDWIDTH=\($0)" }

    /// Playlists whose reports were, or could be, much longer than they are.
    private static let playlists: [(name: String, text: String)] = [
        (
            "five wide columns, then many narrow rows",
            variants(["RESOLUTION", "FRAME-RATE", "CODECS", "AUDIO", "VIDEO"].map { "\($0)=\"\(wide)\"" } + short)
        ),
        (
            "columns just as wide as are aligned, and the shortest rows",
            variants(
                [
                    ["BANDWIDTH", "RESOLUTION", "FRAME-RATE", "CODECS", "AUDIO"]
                        .map { "\($0)=\"\(String(repeating: "w", count: $0 == "AUDIO" ? 42 : 48))\"" }.joined(
                            separator: ",")
                ] + Array(repeating: "", count: 9000))
        ),
        (
            "characters whose escapes are long",
            variants((0..<9).map { _ in "CODECS=\"\(String(repeating: "\u{1B}", count: 60_000))\"" })
        ),
        (
            "tags whose escapes are long",
            "#EXTM3U\n" + (0..<9).map { "#EXT-\($0)\(String(repeating: "\u{1}", count: 60_000))\n" }.joined()
        ),
        (
            "renditions in groups of their own",
            "#EXTM3U\n" + (0..<9000).map { "#EXT-X-MEDIA:GROUP-ID=\"\($0)\"\n" }.joined()
        ),
        ("the shortest tags", "#EXTM3U\n" + (0..<9000).map { "#EXT\($0)\n" }.joined()),
    ]

    @Test(arguments: playlists)
    func theReportIsBounded(_ name: String, _ text: String) throws {
        let scratch = try Scratch(["f": text])
        for options in [[], ["--json"]] {
            let ran = try Ran(["inspect", "f"] + options, in: scratch)
            #expect(ran.status == 0 && ran.errors == "", "\(name)")
            #expect(
                ran.output.count <= 4 * text.utf8.count + (1 << 20),
                "\(name): \(ran.output.count) of \(text.utf8.count)")
            guard options.isEmpty else {
                _ = try JSONSerialization.jsonObject(with: Data(ran.output))
                continue
            }
            // What is not listed is counted.
            let variants = ran.text.split(separator: "\n").count { $0.hasSuffix("  v") || $0.hasSuffix("  …") }
            let unlisted = ran.text.components(separatedBy: "… and ").dropFirst().compactMap { rest in
                Int(rest.prefix { $0.isNumber })
            }
            if text.contains("STREAM-INF") {
                let all = text.components(separatedBy: "#EXT-X-STREAM-INF").count - 1
                #expect(variants + (unlisted.first ?? 0) == all, "\(name): \(variants), \(unlisted)")
            }
        }
    }

    @Test func renditionsThatAreNotListedAreCounted() throws {
        let wide = String(repeating: "n", count: 500)
        let all = (0..<9000).map { "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"\($0)\",LANGUAGE=\"\(wide)\"\n" }
        let ran = try Ran("inspect", "-", input: Array(("#EXTM3U\n" + all.joined()).utf8), in: Scratch())
        let listed = ran.text.split(separator: "\n").count { $0.contains("nnn") }
        #expect(listed > 1000 && ran.text.hasSuffix("\n… and \(9000 - listed) more renditions\n"), "\(listed)")
    }

    @Test func aWideCellWidensNoOtherRow() throws {
        let text = Self.variants([
            "CODECS=\"\(Self.wide)\"", "BANDWIDTH=1,CODECS=\"avc1\"", "BANDWIDTH=22,CODECS=\"hvc1.2\"",
        ])
        let ran = try Ran("inspect", "-", input: Array(text.utf8), in: Scratch())
        #expect(ran.text.contains("\n   1  -  -  avc1    -  v\n  22  -  -  hvc1.2  -  v\n"), "\(ran.text.suffix(200))")
    }

    @Test(
        .enabled(if: FileManager.default.isReadableFile(atPath: "/dev/zero"), "skipped: no /dev/zero"),
        arguments: [
            ("\"$surtitle\" inspect /dev/zero", "/dev/zero", 0),
            ("(printf '#EXTM3U\\n'; cat /dev/zero) | \"$surtitle\" inspect -", "standard input", 8),
            ("(printf 'WEBVTT\\n\\n'; cat /dev/zero) | \"$surtitle\" inspect -", "standard input", 8),
            ("\"$surtitle\" playlist --uri a.vtt --media /dev/zero", "/dev/zero", 0),
            ("\"$surtitle\" playlist /dev/zero --uri a.vtt", "/dev/zero", 0),
        ])
    func aLineWithoutEndIsTold(_ script: String, _ name: String, _ position: Int) throws {
        let ran = try Ran(shell: script, in: Scratch())
        #expect(ran.status == 1 && ran.text == "")
        expectOneLine(ran.errors, about: "\(name): at byte \(position)", "the line has more than 268435456 bytes")
    }
}
