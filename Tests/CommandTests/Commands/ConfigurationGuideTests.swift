import Foundation
import Sideload
import Testing

/// The configuration in the command's guide does what is said there, and the guides' tables have every key.
@Suite struct ConfigurationGuideTests {
    private static func guide(_ name: String) throws -> String {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let file = root.appendingPathComponent("Sources/surtitle/surtitle.docc/\(name).md")
        return String(decoding: try Data(contentsOf: file), as: UTF8.self)
    }

    private static func section() throws -> String { try guide("Configuration") }

    /// The indented lines from the first brace to the last.
    private static func example() throws -> String {
        let lines = try section().components(separatedBy: "\n")
        let start = try #require(lines.firstIndex(of: "    {"))
        let end = try #require(lines.firstIndex(of: "    }"))
        return lines[start...end].map { $0.dropFirst(4) + "\n" }.joined()
    }

    private func scratch(_ text: String) throws -> Scratch {
        let scratch = try Scratch(["master.m3u8": Samples.master, "subtitles.json": text, "out/v.m3u8": ""])
        for name in ["en.vtt", "sv.vtt"] {
            try scratch.write(name, [UInt8](try Data(contentsOf: Samples.folder.appendingPathComponent(name))))
        }
        return scratch
    }

    @Test func sideloads() throws {
        let scratch = try scratch(Self.example())
        let words = "sideload master.m3u8 --config subtitles.json -o out"
        let call = try Self.section().replacing("\n", with: " ")
        #expect(call.contains("`surtitle \(words)`"))
        let ran = try Ran(words.components(separatedBy: " "), in: scratch)
        #expect(ran.status == 0 && ran.errors == "" && ran.notes.isEmpty, "\(ran.errors) \(ran.notes)")
        #expect(
            scratch.files(in: "out") == ["en.m3u8", "master.m3u8", "subs/en.vtt", "subs/sv.vtt", "sv.m3u8", "v.m3u8"])
        #expect(try scratch.read("out/sv.m3u8").contains("#EXTINF:20.000,"))
        #expect(try scratch.read("out/subs/en.vtt").contains("X-TIMESTAMP-MAP=LOCAL:00:00:10.000,MPEGTS:900000"))
        #expect(
            try scratch.read("out/master.m3u8").contains(
                "NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,AUTOSELECT=YES,URI=\"en.m3u8\""))
    }

    @Test func tellsThePlace() throws {
        let scratch = try scratch(Self.example().replacing("\"language\": \"en\"", with: "\"language\": \"e_n\""))
        let ran = try Ran("master", "master.m3u8", "--config", "subtitles.json", in: scratch)
        #expect(ran.status == 1)
        let message = try #require(try Self.section().firstMatch(of: /`(subtitles\.json: line [^…]*)…`/))
        expectOneLine(ran.errors, about: "subtitles.json", String(message.1))
    }

    /// The table of SPEC has every key of a track, as the help shows it.
    @Test func theTableOfTracksHasEveryKey() throws {
        let text = try Self.guide("Reference").components(separatedBy: "\n## Keys of a track\n").last ?? ""
        let table = text.replacing("\\|", with: "|")
        let names = table.components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
            .flatMap { $0.components(separatedBy: " | ")[0].matches(of: /`([a-z-]+)/).map { String($0.1) } }
        #expect(Set(names) == Set(TrackKey.all.map { "\($0.name)" }), "\(names)")
        for key in TrackKey.all where !key.isFlag { #expect(table.contains("| `\(key)`"), "\(key)") }
    }

    /// Every key of the table is one, with a value like those in its row, and no key is missing there.
    @Test func theTableHasEveryKey() throws {
        let rows = try Self.section().components(separatedBy: "\n").filter { $0.hasPrefix("| `") }
            .map { $0.components(separatedBy: "|").map { $0.trimmingCharacters(in: .whitespaces) } }
        let keys = rows.filter { $0.count >= 4 }.map { $0[1].replacing("`", with: "") }
        let values = [
            "tracks": "[]", "replace-default": "true", "edits": "[{\"drop\": \"EXT-X-KEY\"}]",
            "map-uri": "\"https://a/\"",
            "scheme": "{\"key\": \"skd:https\", \"all\": \"https\"}", "host": "\"a:80\"", "append-query": "[\"a=1\"]",
            "keep-variants": "\"BANDWIDTH<=9\"", "map": "\"900000:00:00:10.000\"", "segment": "true", "target": "90.5",
            "master": "\"https://a/m.m3u8\"", "schemes": "{\"key\": \"ckey\", \"track\": \"my-subtitles\"}",
            "headers": "{\"Authorization\": \"Bearer x\"}", "probe": "\"exact-range\"", "variants": "\"mapped\"",
            "segments": "\"redirect\"", "keys": "\"fetch\"", "webvtt": "{\"served\": \"http://localhost:8080/\"}",
            "missing-track": "\"leave-out\"", "origins": "[\"https://keys.example\", \"http://a:80/\"]",
            "headers-to": "\"everywhere\"",
            "limits":
                "{\"longest-line\": 65536, \"held-renditions\": 1, \"longest-group-id\": 1, \"appended-tags\": 1, "
                + "\"held-variables\": 1, \"longest-uri\": 1, \"past-limit\": \"pass-through\"}",
        ]
        #expect(Set(keys).isSuperset(of: values.keys), "\(keys)")
        // It takes the place of the schemes.
        #expect(keys.contains("base"))
        let all = values.map { "\"\($0.key)\": \($0.value)" }.joined(separator: ", ")
        let scratch = try Scratch(["m.m3u8": Samples.master, "all.json": "{\(all)}"])
        let ran = try Ran("edit", "m.m3u8", "--config", "all.json", in: scratch)
        #expect(ran.status == 0 && ran.errors == "", "\(ran.errors)")
    }
}
