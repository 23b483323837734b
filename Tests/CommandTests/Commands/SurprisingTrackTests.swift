import Foundation
import Support
import Testing

/// What is done as it was asked for, and will not show what was meant, is noted; and what is not ours stays.
@Suite struct SurprisingTrackTests {
    private func scratch() throws -> Scratch {
        try Scratch([
            "m.m3u8": Samples.master, "v.m3u8": Samples.media, "a.vtt": Samples.webVTT, "out/m2.m3u8": Samples.master,
            "comma.vtt":
                "WEBVTT\n\n00:00:01,000 --> 00:00:02,000\na\n\n00:03.000 --> 00:03.000\nb\n\n00:04.000 --> 00:05.000\nc\n",
            "long.vtt": "WEBVTT\n\n00:01.000 --> 20:00:00.000\na\n",
        ])
    }

    @Test(arguments: [
        ("uri=c.vtt,file=comma.vtt", "comma.vtt: line 3, at byte 8: 1 cue with a comma in the times"),
        ("uri=c.vtt,file=comma.vtt", "1 cue that ends at the start or before, and never shows"),
        ("uri=c.vtt,file=long.vtt", "its last cue ends at 72000.000 s, and the video at 11.506 s"),
        ("uri=no/en.m3u8", "track 1: no/en.m3u8 is not in out"), ("uri=no/en.vtt", "track 1: no/en.vtt is not in out"),
        ("uri=m2.m3u8", "m2.m3u8 is a multivariant playlist"),
        ("uri=c.vtt,file=a.vtt,language=english", "language=english is the tag of no language"),
    ])
    func isNoted(_ spec: String, _ note: String) throws {
        for words in spec.contains("file=") ? [["--map=none"], ["--map=5", "--segment"]] : [[]] {
            let ran = try Ran(
                ["sideload", "m.m3u8", "--media=v.m3u8", "--track=\(spec)", "-oout", "--base-uri=relative"] + words,
                in: scratch())
            #expect(ran.status == 0 && ran.errors == "", "\(ran)")
            #expect(ran.notes.contains { $0.contains(note) }, "\(ran.notes)")
        }
    }

    /// The same of a master that goes out alone: languages, and playlists that are none of subtitles.
    @Test(arguments: [
        ("uri=en.m3u8,language=english", [], "language=english is the tag of no language"),
        ("uri=out/m2.m3u8", ["-o", "out/x.m3u8"], "m2.m3u8 is a multivariant playlist"),
        ("uri=m.m3u8", [], "m.m3u8 is a multivariant playlist"),
    ])
    func isNotedByMaster(_ spec: String, _ words: [String], _ note: String) throws {
        try Ran(["master", "m.m3u8", "--track=\(spec)"] + words, in: scratch()).expectNote(note)
    }

    @Test func aPlaylistOfCuesThatNobodyReads() throws {
        try Ran("playlist", "comma.vtt", "--uri=c.vtt", in: scratch()).expectNote(
            "comma.vtt: line 3, at byte 8: 1 cue with a comma")
    }

    /// A video that goes on is no measure, nor is one beside a duration that is given.
    @Test(arguments: [
        ("", [], "9.000"), ("#EXT-X-ENDLIST\n", [], "11.506"), ("#EXT-X-ENDLIST\n", [",duration=10"], "10.000"),
    ])
    func tracksLastAsLongAsTheVideo(_ end: String, _ keys: [String], _ seconds: String) throws {
        let scratch = try scratch()
        try scratch.write("v.m3u8", Array(Samples.media.replacing("#EXT-X-ENDLIST\n", with: end).utf8))
        let ran = try Ran(
            "sideload", "m.m3u8", "--track=uri=c.vtt,file=a.vtt\(keys.joined())", "-oout", "--map=none", in: scratch)
        #expect(ran.status == 0, "\(ran)")
        #expect(try scratch.read("out/c.m3u8").contains("#EXTINF:\(seconds),"))
    }

    /// What helps where the video is encrypted as a whole.
    @Test(arguments: [("AES-128", true), ("SAMPLE-AES", false)])
    func anEncryptedVideo(_ method: String, _ isNoted: Bool) throws {
        let scratch = try scratch()
        try scratch.write("a.ts", AudioTagBytes.timestamp(126_000) + [0])
        let key = "#EXTM3U\n#EXT-X-KEY:METHOD=\(method),URI=\"k\""
        try scratch.write("e.m3u8", Array(Samples.media.replacing("#EXTM3U", with: key).utf8))
        let ran = try Ran(
            "sideload", "m.m3u8", "--media=e.m3u8", "--track=uri=c.vtt,file=a.vtt", "-oout", "--base-uri=relative",
            in: scratch)
        #expect(ran.status == 0, "\(ran)")
        #expect(
            ran.notes.contains {
                $0.contains("is encrypted (METHOD=AES-128); decrypt it and give that as --map-from SEGMENT")
                    && $0.contains("--map MPEGTS")
            } == isNoted, "\(ran.notes)")
        #expect(try scratch.read("out/c.vtt").contains("MPEGTS:126000") == !isNoted)
    }

    /// A file that goes out as it is counts from tick 0, whatever the video does.
    @Test(arguments: [(126_000, true), (0, false)])
    func aRemoteFileBesideAVideo(_ ticks: UInt64, _ isEarly: Bool) throws {
        let scratch = try scratch()
        try scratch.write("a.ts", AudioTagBytes.timestamp(ticks) + [0])
        let ran = try Ran(
            "sideload", "m.m3u8", "--track=uri=https://h.example/x.vtt,duration=5", "-oout", "--base-uri=relative",
            in: scratch)
        #expect(ran.status == 0, "\(ran)")
        #expect(ran.notes.contains { $0.contains("the video begins at 1.400 s") } == isEarly, "\(ran.notes)")
        #expect(isEarly || ran.notes == [], "\(ran.notes)")
    }

    @Test func anAttributeThatNoVariantHas() throws {
        let ran = try Ran("edit", "m.m3u8", "--keep-variants", "FRAME-RATE!=30 && BANDWIDTH<9", in: scratch())
        ran.expectNote("no variant has FRAME-RATE, by which --keep-variants compares")
    }

    /// Beside the master: what is equal stays, what differs and is not ours is refused, and what an earlier run made
    /// is replaced.
    @Test func whatIsNotOursStays() throws {
        let scratch = try scratch()
        let words = ["sideload", "m.m3u8", "--track=uri=s/en.vtt,file=a.vtt", "-o.", "--name=all.m3u8", "--map=none"]
        try scratch.write("s/en.vtt", Array(Samples.webVTT.utf8))
        try scratch.write("en.m3u8", Array("foreign".utf8))
        let refused = try Ran(words, in: scratch)
        #expect(refused.status == 1)
        expectOneLine(refused.errors, about: "./en.m3u8", "is there, and differs")
        #expect(refused.errors.contains("--force") && !scratch.exists("all.m3u8"))
        #expect(try scratch.read("en.m3u8") == "foreign")
        let forced = try Ran(words + ["--force"], in: scratch)
        #expect(forced.status == 0, "\(forced)")
        try scratch.write("a.vtt", Array("WEBVTT\n\n00:01.000 --> 00:03.000\nnew\n".utf8))
        #expect(try Ran(words, in: scratch).status == 0)
        #expect(try scratch.read("s/en.vtt").contains("new") && scratch.read("en.m3u8").contains("s/en.vtt"))
    }

    /// A result of another program's may have the same names, and stands in the way like any other file: its tracks are
    /// not at the master's end, its playlist has another segment, or only the playlist or the file is there.
    @Test(arguments: [
        ("m.m3u8", "$media$variant", "en.vtt\n"), ("en.m3u8", "$variant$media", "en.vtt\n#EXTINF:9,\nmore.vtt\n"),
        ("en.vtt", "$variant$media", "en.vtt\n#EXTINF:9,\nmore.vtt\n"), ("en.m3u8", "$variant", "en.vtt\n"),
    ])
    func anotherProgramsResultStays(_ kept: String, _ master: String, _ segments: String) throws {
        let master = master.replacing("$variant", with: "#EXT-X-STREAM-INF:BANDWIDTH=9,SUBTITLES=\"s\"\nhd.m3u8\n")
            .replacing("$media", with: "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"English\",URI=\"en.m3u8\"\n")
        let files = [
            "m.m3u8": "#EXTM3U\n" + master, "en.vtt": "WEBVTT\n\n00:01.000 --> 00:03.000\nmy own\n",
            "en.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n\(segments)#EXT-X-ENDLIST\n",
        ]
        for only in [kept, nil] {
            let scratch = try scratch()
            for (name, text) in files where only ?? name == name { try scratch.write("out/\(name)", Array(text.utf8)) }
            let before = scratch.files(in: "out")
            let ran = try Ran("sideload", "m.m3u8", "--track=uri=en.vtt,file=a.vtt", "-oout", "--map=none", in: scratch)
            #expect(ran.status == 1 && scratch.files(in: "out") == before, "\(ran)")
            #expect(ran.errors.contains("is there, and differs"), "\(ran)")
            #expect(try scratch.read("out/\(kept)") == files[kept])
        }
    }

    /// Cut or not, longer or shorter, with another name: what the command itself has made before is replaced.
    @Test func whatAnEarlierRunHasMadeIsReplaced() throws {
        let scratch = try scratch()
        for (end, isCut) in [
            ("03.000", false), ("05.000", false), ("20.000", true), ("50.000", true), ("09.000", true),
            ("08.000", false), ("40.000", true),
        ] {
            let words = isCut ? ["--segment"] : []
            try scratch.write("a.vtt", Array("WEBVTT\n\n00:01.000 --> 00:\(end)\na\n".utf8))
            let ran = try Ran(
                ["sideload", "m.m3u8", "--track=uri=en.vtt,file=a.vtt,name=\(end)", "-oout", "--map=none"] + words,
                in: scratch)
            #expect(ran.status == 0, "\(ran)")
        }
    }

    @Test func whatIsReadAndEqualStays() throws {
        let scratch = try scratch()
        let mapped = "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:5\n\n00:01.000 --> 00:03.000\na\n"
        try scratch.write("en.vtt", Array(mapped.utf8))
        let words = ["sideload", "m.m3u8", "--track=uri=en.vtt,file=en.vtt", "-o.", "--name=all.m3u8", "--map=5"]
        let ran = try Ran(words, in: scratch)
        #expect(ran.status == 0, "\(ran)")
        #expect(try scratch.read("en.vtt") == mapped)
    }

    @Test func severalFilesDoNotGoToStandardOutput() throws {
        for words in [["sideload", "m.m3u8", "--track=a.vtt", "-o", "-"], ["segment", "a.vtt", "-o-"]] {
            let ran = try Ran(words, in: scratch())
            #expect(ran.status == 2)
            expectOneLine(ran.errors, about: "-o is -", "name a directory")
        }
    }

    @Test func aMediaPlaylistIsToldOfWrapping() throws {
        let ran = try Ran("sideload", "v.m3u8", "--track=a.vtt", "-oout", in: scratch())
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "v.m3u8", "or --wrap")
    }

    /// 9000 bytes in 6.006 s, and 6000 in 5.5 s.
    @Test func wrappingAddsUpSizes() throws {
        let scratch = try scratch()
        try scratch.write("a.ts", [UInt8](repeating: 0, count: 9000))
        try scratch.write("b.ts", [UInt8](repeating: 0, count: 6000))
        let ran = try Ran("master", "v.m3u8", "--wrap", "--track=uri=en.m3u8", in: scratch)
        #expect(ran.status == 0 && ran.text.contains("BANDWIDTH=11989,"), "\(ran)")
    }

    @Test func whoHasEnoughOfCuesIsNoFailure() throws {
        let scratch = try Scratch()
        let cue = "00:01.000 --> 00:02.000\nx\n\n"
        try scratch.write("a.vtt", Array("WEBVTT\n\n\(String(repeating: cue, count: 50_000))".utf8))
        let ran = try Ran(shell: "(\"$surtitle\" cues a.vtt; echo $? >status) | head -1", in: scratch)
        #expect(try scratch.read("status") == "0\n" && ran.errors == "", "\(ran)")
    }

    /// A terminal is told what was written; a file of messages is not.
    @Test func aClosingLineIsForATerminal() throws {
        let scratch = try scratch()
        let call = "\"$surtitle\" sideload m.m3u8 --track uri=en.vtt,file=a.vtt -o out --map 5 --base-uri relative"
        #expect(try Ran(shell: call, in: scratch).errors == "")
        let ran = try Ran(
            shell: "command -v script >/dev/null || exit 77; script -qec '\(call)' /dev/null </dev/null", in: scratch)
        if ran.status == 77 { return }
        #expect(
            ran.text.contains("surtitle: out: 0 files written, 3 unchanged, 1 track, X-TIMESTAMP-MAP 5:00:00:00.000"),
            "\(ran)")
    }

    /// So is whoever writes one file, or segments.
    @Test(arguments: [
        ("master m.m3u8 --track uri=m.m3u8,language=en -o x.m3u8", "x.m3u8: 1 file written, 1 track, 1 note"),
        (
            "master m.m3u8 --track uri=a.m3u8,language=english --track uri=b.m3u8,language=german -o x.m3u8",
            "x.m3u8: 1 file written, 2 tracks, 2 notes"
        ),
        ("playlist a.vtt --uri a.vtt -o x.m3u8", "x.m3u8: 1 file written"),
        ("segment a.vtt -o s --map 5", "s: 3 files written, X-TIMESTAMP-MAP 5:00:00:00.000"),
        ("segment a.vtt -o s", "s: 3 files written, no X-TIMESTAMP-MAP"),
    ])
    func whatWritesTellsATerminal(_ call: String, _ closing: String) throws {
        let ran = try Ran(
            shell: "command -v script >/dev/null || exit 77; script -qec '\"$surtitle\" \(call)' /dev/null </dev/null",
            in: scratch())
        if ran.status == 77 { return }
        #expect(ran.text.contains("surtitle: \(closing)\r\n"), "\(ran)")
    }

    /// A process that is killed leaves one folder, whose name says what it is.
    @Test func aKilledProcessLeavesOneFolder() throws {
        let scratch = try scratch()
        let script = """
            mkfifo p; "$surtitle" segment - -o made --target 1 <p & pid=$!
            exec 3>p; for i in 1 2 3 4 5; do printf '00:0%d.000 --> 00:0%d.500\\na\\n\\n' $i $i; done | (printf 'WEBVTT\\n\\n'; cat) >&3
            while [ "$(ls made/.surtitle-unfinished-$pid 2>/dev/null | wc -l)" -lt 3 ]; do sleep 0.01; done
            kill -KILL $pid; wait $pid; ls -A made
            """
        let ran = try Ran(shell: script, in: scratch)
        let names = ran.text.split(separator: "\n")
        #expect(names.count == 1 && names[0].hasPrefix(".surtitle-unfinished-"), "\(ran)")
    }
}
