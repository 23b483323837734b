import Foundation
import Testing

@testable import surtitle

/// Every option and every file given wrongly: one line says so, in words.
@Suite struct WrongInputTests {
    /// Arguments of each subcommand that are right, the operand first.
    private static let calls: [String: [String]] = [
        "sideload": ["m.m3u8", "--track", "a.vtt", "-o", "out"], "master": ["m.m3u8", "--track", "uri=s.m3u8"],
        "playlist": ["a.vtt", "--uri", "a.vtt"], "segment": ["a.vtt", "-o", "out"], "duration": ["a.vtt"],
        "cues": ["a.vtt"], "edit": ["m.m3u8"], "inspect": ["a.vtt"],
        "live": ["m.m3u8", "--track", "a.vtt", "-o", "out", "--wait", "0.1"], "check": ["s.m3u8"],
        "route": ["skd://a", "--config", "c.json"],
    ]

    private static let values = [
        "nonsense", "-5", "0", "1e9", " ", "\"", "a,b", "x=y:z", "\u{1}\n\u{1B}[31m", "\u{202E}",
        String(repeating: "9", count: 40),
        "folder", "folder/", "no/such/file", "file/x", String(repeating: "long", count: 100), "-", "--", "%00", "auto",
        "all=",
    ]

    private func scratch() throws -> Scratch {
        try Scratch([
            "m.m3u8": Samples.master, "v.m3u8": Samples.media, "a.vtt": Samples.webVTT, "file": "x", "folder/x": "x",
            "s.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\na.vtt\n",
            "c.json": "{\"master\": \"https://a/m.m3u8\"}",
        ])
    }

    /// Expects that a call which failed says why as documented, and one that did not says notes alone.
    private func check(_ words: [String], _ statuses: Set<Int32>, in scratch: Scratch) throws {
        let ran = try Ran(words, in: scratch)
        let call = words.map { $0.debugDescription }.joined(separator: " ")
        #expect(statuses.contains(ran.status), "\(call): \(ran.status), \(ran.errors)")
        guard ran.status != 0 else {
            #expect(ran.errors == "", "\(call): \(ran.errors)")
            return
        }
        expectWords(ran.errors, call)
        #expect(ran.notes.isEmpty, "\(call): \(ran.notes)")
        #expect(ran.status == 1 || ran.output.isEmpty, "\(call)")
    }

    /// Expects one line of words, without how the code calls things and without control characters.
    private func expectWords(_ errors: String, _ call: String) {
        #expect(errors.hasPrefix("surtitle: ") && errors.hasSuffix("\n"), "\(call): \(errors)")
        #expect(errors.utf8.count { $0 == 0x0A } == 1, "\(call): \(errors)")
        #expect(
            errors.dropLast().unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.value != 0x7F && $0 != "\u{202E}" },
            "\(call)")
        let code = #/\b[a-zA-Z]+\("|Optional\(|\bnil\b|\b[a-z]+[A-Z][a-z]+:|Swift\.|Error\(|\.swift\b/#
        #expect(errors.firstMatch(of: code) == nil, "\(call): \(errors)")
    }

    @Test(arguments: Surtitle.commands.map { $0.name })
    func values(of command: String) throws {
        let manual = try #require(Surtitle.manuals.first { $0.name == command })
        let call = [command] + (try #require(Self.calls[command]))
        for option in manual.options {
            let scratch = try scratch()
            for name in option.names where name != "-h" && name != "--help" {
                guard option.placeholder != nil else {
                    try check(call + [name + "=x"], [2], in: scratch)
                    // A trace is not a message.
                    if name != "--trace" { try check(call + [name, name], [0], in: scratch) }
                    continue
                }
                try check(call + [name], [2], in: scratch)
                try check(call + [name, ""], [2], in: scratch)
                try check(call + ["\(name)="], [2], in: scratch)
                try check(call + [name, "--chunk=1"], [2], in: scratch)
            }
            guard let name = option.longNames.first, option.placeholder != nil else { continue }
            for value in Self.values { try check(call + ["\(name)=\(value)"], [0, 1, 2], in: scratch) }
            let bytes = try Ran(
                shell: "\"$surtitle\" \(call.joined(separator: " ")) \(name) \"$(printf 'a\\377')\"", in: scratch)
            #expect(bytes.status == 2 && bytes.errors.contains("is not UTF-8"), "\(bytes)")
            expectWords(bytes.errors, name)
        }
    }

    @Test(arguments: Surtitle.commands.map { $0.name })
    func operands(of command: String) throws {
        let scratch = try scratch()
        let rest = try #require(Self.calls[command]).dropFirst()
        try check([command] + rest + [""], [2], in: scratch)
        try check([command] + rest + ["a", "b"], [2], in: scratch)
        try check([command, "--unknown"], [2], in: scratch)
        try check([command, "-%"], [2], in: scratch)
        // Of what is asked about a file, each is answered with status 1, except inspect's, whose job that is.
        for name in ["nofile", "folder", "file/x", "\u{1}\n", "no/such/file"] {
            try check([command] + rest + [name], [1], in: scratch)
        }
        try check([command] + rest + ["file"], command == "inspect" ? [0, 1] : [1], in: scratch)
        try check([command] + rest + ["-"], command == "inspect" ? [0, 1] : [1], in: scratch)
    }

    /// Nobody may read the file; for the superuser, who may read all, there is no such file.
    @Test(
        .enabled(if: geteuid() != 0, "the superuser may read every file"), arguments: Surtitle.commands.map { $0.name })
    func filesThatMayNotBeRead(_ command: String) throws {
        let scratch = try scratch()
        let file = scratch.folder.appendingPathComponent("file").path
        try FileManager.default.setAttributes([.posixPermissions: 0], ofItemAtPath: file)
        try check([command] + (try #require(Self.calls[command]).dropFirst()) + ["file"], [1], in: scratch)
    }

    @Test func placesThatCannotBeWritten() throws {
        let scratch = try scratch()
        for command in ["sideload", "segment"] {
            let call = [command] + (try #require(Self.calls[command]))
            for place in ["file", "file/x", "/dev/null/x"] { try check(call + ["-o", place], [1], in: scratch) }
        }
        for command in ["master", "playlist", "edit"] {
            let call = [command] + (try #require(Self.calls[command]))
            for place in ["folder", "file/x", "/dev/null"] { try check(call + ["-o", place], [1], in: scratch) }
            for place in ["folder/", "..", "."] { try check(call + ["-o", place], [2], in: scratch) }
        }
    }
}
