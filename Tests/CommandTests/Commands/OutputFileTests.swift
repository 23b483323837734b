import Foundation
import Testing

@testable import surtitle

/// `-o FILE` of the commands that write to standard output otherwise: all of it, or nothing.
@Suite struct OutputFileTests {
    private func scratch() throws -> Scratch {
        try Scratch([
            "m": Samples.master, "media": Samples.media, "a.vtt": Samples.webVTT,
            "odd": "#EXTM3U\n#EXT-X-STREAM-INF:A=\"\nv\n",
            "text": "hello", "there/old": "old", "never.vtt": "WEBVTT\n\n00:02.000 --> 00:01.000\na\n",
        ])
    }

    @Test(arguments: [
        "master m --track uri=en.m3u8", "playlist a.vtt --uri a.vtt", "edit m --set EXT-X-STREAM-INF:A=1", "edit media",
    ])
    func theFileHasWhatIsPrintedOtherwise(_ words: String) throws {
        let scratch = try scratch()
        let words = words.split(separator: " ").map { String($0) }
        let printed = try Ran(words, in: scratch)
        #expect(printed.status == 0 && !printed.output.isEmpty)
        for name in ["new", "./new", "made/by/it", "there/old", scratch.folder.path + "/absolute", "there/../there/x"] {
            let ran = try Ran(words + ["-o", name], in: scratch)
            #expect(ran.status == 0 && ran.errors == "" && ran.text == "" && ran.notes == printed.notes, "\(ran)")
            let made = name.hasPrefix("/") ? "absolute" : name
            #expect(try scratch.bytes(made) == printed.output, "\(name)")
        }
        #expect(!scratch.hasUnfinished)
        #expect(try Ran(words + ["--output=-"], in: scratch).output == printed.output)
    }

    /// Until then it waits under another name.
    @Test func itHasItsNameWhenItIsWhole() throws {
        let scratch = try scratch()
        let script = """
            mkfifo p; "$surtitle" edit - --set EXT-X-STREAM-INF:A=1 -o new <p & pid=$!
            exec 3>p; cat m >&3
            for i in $(seq 1000); do [ -e new ] || ls .surtitle-unfinished-* >/dev/null 2>&1 && break; sleep 0.01; done
            ls -A | grep -c -e new -e unfinished; [ -e new ] && echo early
            exec 3>&-; wait $pid; ls new
            """
        let ran = try Ran(shell: script, in: scratch)
        #expect(ran.errors == "" && ran.text == "1\nnew\n", "\(ran)")
        #expect(!scratch.hasUnfinished)
    }

    @Test(arguments: [
        ("master media --track uri=en.m3u8", "nothing was written"),
        ("master text --track uri=en.m3u8", "nothing was written"),
        ("master odd --track uri=en.m3u8", "a variant is left as it is"),
        ("edit text --drop EXT-X-KEY", "nothing was written"),
        ("edit odd --set EXT-X-STREAM-INF:B=1", "a line is left as it is"),
        ("playlist never.vtt --uri a", "no cue shows"),
        ("edit missing --drop EXT-X-KEY", "no such file"),
    ])
    func aRefusalWritesNothing(_ words: String, _ reason: String) throws {
        for name in ["there/old", "made/by/it"] {
            let scratch = try scratch()
            let before = scratch.files(in: ".")
            let ran = try Ran(words.split(separator: " ").map { String($0) } + ["-o", name], in: scratch)
            #expect(ran.status == 1 && ran.text == "")
            expectOneLine(ran.errors, about: "surtitle", reason)
            #expect(scratch.files(in: ".") == before && !scratch.exists("made"))
            #expect(try scratch.read("there/old") == "old")
        }
    }

    @Test(arguments: [
        ("master m --track uri=en.m3u8 -o m", "m"), ("master m --track uri=en.m3u8 -o there/../m", "m"),
        ("master - --track uri=en.m3u8 -o m <m", "standard input"), ("edit m --drop EXT-X-KEY -o ./m", "m"),
        ("edit -o m <m", "standard input"),
        ("playlist a.vtt --uri a -o a.vtt", "a.vtt"), ("playlist --media media --uri a -o media", "media"),
    ])
    func nothingThatIsReadIsOverwritten(_ words: String, _ name: String) throws {
        let scratch = try scratch()
        let ran = try Ran(shell: "\"$surtitle\" \(words)", in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "surtitle: \(name): would be overwritten by", "give another file with -o")
        #expect(try scratch.read("m") == Samples.master && scratch.read("a.vtt") == Samples.webVTT)
        #expect(try scratch.read("media") == Samples.media)
    }

    @Test(arguments: [
        ("there/", 2, "which is a directory"), ("there", 1, "is a directory"), ("text/x", 1, "is no directory"),
        ("pipe", 1, "is a device, a pipe"), (".", 2, "which is a directory"),
    ])
    func whatIsNoFileIsRefused(_ name: String, _ status: Int32, _ reason: String) throws {
        let ran = try Ran(shell: "mkfifo pipe; \"$surtitle\" edit m -o \(name)", in: scratch())
        #expect(ran.status == status)
        expectOneLine(ran.errors, about: "surtitle", reason)
    }

    @Test func theVersionIsThatOfTheChangelog() throws {
        let ran = try Ran("--version", in: Scratch())
        #expect(ran.status == 0 && ran.errors == "" && ran.text == "surtitle \(Surtitle.version)\n")
        let root = Samples.folder.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        let changes = try String(contentsOf: root.appendingPathComponent("CHANGELOG.md"), encoding: .utf8)
        let version = changes.firstMatch(of: #/To become ([0-9.]+[0-9])|## \[([0-9.]+)\]/#)
        #expect((version?.1 ?? version?.2).map { String($0) } == Surtitle.version)
    }
}
