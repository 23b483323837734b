import Foundation
import Testing

@Suite struct SideloadCommandTests {
    private static let good = [
        "sideload", "m.m3u8", "-o", "out", "--track", "uri=en.vtt,file=a.vtt,language=en,name=English,default",
    ]

    private func scratch(_ files: [String: String] = [:]) throws -> Scratch {
        try Scratch(["m.m3u8": Samples.master, "a.vtt": Samples.webVTT].merging(files) { $1 })
    }

    private func playlist(_ uri: String, _ duration: String, target: Int, more: String = "") -> String {
        "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-TARGETDURATION:\(target)\n#EXT-X-MEDIA-SEQUENCE:0\n#EXT-X-PLAYLIST-TYPE:VOD\n"
            + "\(more)#EXTINF:\(duration),\n\(uri)\n#EXT-X-ENDLIST\n"
    }

    @Test func makesTheSample() throws {
        let scratch = try Scratch()
        let sample = Samples.folder.path
        let ran = try Ran(
            "sideload", "\(sample)/master.m3u8", "--track",
            "uri=en.vtt,file=\(sample)/en.vtt,language=en,name=English,default", "--track",
            "uri=sv.vtt,file=\(sample)/sv.vtt,language=sv,name=Svenska", "-o", "out", in: scratch)
        #expect(ran.status == 0 && ran.text == "" && ran.errors == "")
        #expect(scratch.files(in: "out") == ["en.m3u8", "en.vtt", "master.m3u8", "sv.m3u8", "sv.vtt"])
        #expect(try scratch.read("out/en.m3u8") == playlist("en.vtt", "15.640", target: 16))
        #expect(
            try scratch.read("out/sv.vtt") == String(contentsOfFile: "\(sample)/sv.vtt", encoding: .utf8))
        let original = try String(contentsOfFile: "\(sample)/master.m3u8", encoding: .utf8)
        let master = try scratch.read("out/master.m3u8")
        #expect(master.replacing(",SUBTITLES=\"subs\"", with: "").hasPrefix(original))
        #expect(master.components(separatedBy: ",SUBTITLES=\"subs\"\n").count == 4)
        #expect(master.contains("DEFAULT=YES,AUTOSELECT=YES,URI=\"en.m3u8\"\n"))
        #expect(master.hasSuffix("LANGUAGE=\"sv\",DEFAULT=NO,AUTOSELECT=YES,URI=\"sv.m3u8\"\n"))
    }

    @Test func chunksChangeNothing() throws {
        let scratch = try scratch()
        _ = try Ran(Self.good, in: scratch)
        let ran = try Ran(Self.good.map { $0 == "out" ? "byte" : $0 } + ["--chunk", "1"], in: scratch)
        #expect(ran.status == 0)
        #expect(scratch.files(in: "byte") == ["en.m3u8", "en.vtt", "m.m3u8"])
        for file in scratch.files(in: "byte") {
            #expect(try scratch.read("byte/\(file)") == scratch.read("out/\(file)"))
        }
    }

    @Test func masterOnStandardInputIsMasterM3U8() throws {
        let scratch = try scratch()
        let ran = try Ran(
            Self.good.map { $0 == "m.m3u8" ? "-" : $0 }, input: Array(Samples.master.utf8), in: scratch)
        #expect(ran.status == 0)
        #expect(scratch.files(in: "out") == ["en.m3u8", "en.vtt", "master.m3u8"])
    }

    /// The options of the track and the command, and what they make of `m.m3u8` besides itself.
    @Test(arguments: [
        (
            "uri=https://cdn.example/x/en.vtt?t=1,file=a.vtt", [],
            ["en.m3u8": ("https://cdn.example/x/en.vtt?t=1", "11.506")]
        ),
        ("uri=/x/en.vtt,file=a.vtt", [], ["en.m3u8": ("/x/en.vtt", "11.506")]),
        (
            "uri=subs/a%20b/en.vtt,file=a.vtt", [],
            ["en.m3u8": ("subs/a%20b/en.vtt", "11.506"), "subs/a b/en.vtt": ("", "")]
        ),
        ("uri=en.vtt,duration=12.3456", [], ["en.m3u8": ("en.vtt", "12.346")]),
        ("uri=en.vtt,file=a.vtt,duration=8", [], ["en.m3u8": ("en.vtt", "8.000"), "en.vtt": ("", "")]),
        ("uri=en.vtt", ["--media", "v.m3u8"], ["en.m3u8": ("en.vtt", "11.506")]),
        ("uri=en.vtt,file=a.vtt", ["--media", "v.m3u8"], ["en.m3u8": ("en.vtt", "11.506"), "en.vtt": ("", "")]),
        ("uri=en.vtt,duration=3", ["--media", "v.m3u8"], ["en.m3u8": ("en.vtt", "3.000")]),
        ("uri=v.vtt,duration=3", [], ["v-2.m3u8": ("v.vtt", "3.000")]),
        ("uri=m.vtt,duration=3", [], ["m-2.m3u8": ("m.vtt", "3.000")]),
        ("uri=en.m3u8", [], [:]),
        ("uri=en,type=m3u8", [], [:]),
    ])
    func makesWhatTheTrackNeeds(_ spec: String, _ options: [String], _ made: [String: (String, String)]) throws {
        let scratch = try scratch(["v.m3u8": Samples.media])
        let ran = try Ran(["sideload", "m.m3u8", "-o", "out", "--track", spec] + options, in: scratch)
        #expect(ran.status == 0 && ran.errors == "", "\(ran.errors)")
        #expect(scratch.files(in: "out") == (Array(made.keys) + ["m.m3u8"]).sorted())
        for (name, (uri, duration)) in made {
            let text = try scratch.read("out/\(name)")
            if uri.isEmpty {
                #expect(text == Samples.webVTT)
            } else {
                #expect(text.contains("#EXTINF:\(duration),\n\(uri)\n"))
                #expect(try scratch.read("out/m.m3u8").contains(",URI=\"\(name)\"\n"))
            }
        }
    }

    @Test func videoDatesAreTheSubtitlesToo() throws {
        let video =
            "\u{FEFF}#EXTM3U\n#EXT-X-TARGETDURATION:7\n#EXT-X-DISCONTINUITY-SEQUENCE:7\n"
            + "#EXT-X-PROGRAM-DATE-TIME:2026-01-02T03:04:05Z\n#EXTINF:6,\na.ts\n#EXT-X-PROGRAM-DATE-TIME:2027\n#EXTINF:1,\nb\n"
        let scratch = try scratch(["v.m3u8": video])
        let ran = try Ran("sideload", "m.m3u8", "-o=out", "--track=uri=en.vtt", "--media=v.m3u8", in: scratch)
        #expect(ran.status == 0)
        let text = try scratch.read("out/en.m3u8")
        #expect(text.contains("\n#EXT-X-DISCONTINUITY-SEQUENCE:7\n") && text.contains("TIME:2026-01-02T03:04:05Z\n"))
        #expect(text.contains("#EXTINF:7.000,"))
        #expect(ran.errors == "" && ran.notes.count == 4)
        #expect(ran.notes[0].contains("v.m3u8: without EXT-X-ENDLIST more segments may come"))
    }

    @Test func itsOwnOutputStaysAsItIs() throws {
        let scratch = try scratch()
        _ = try Ran(Self.good, in: scratch)
        let again = try Ran(
            Self.good.map { $0 == "m.m3u8" ? "out/m.m3u8" : $0 == "out" ? "again" : $0 }, in: scratch)
        #expect(again.status == 0)
        again.expectNote("out/m.m3u8", "every group has all the tracks already")
        #expect(try scratch.read("again/m.m3u8") == scratch.read("out/m.m3u8"))
        #expect(scratch.files(in: "again") == scratch.files(in: "out"))
        // The same directory can be made again.
        #expect(try Ran(Self.good, in: scratch).status == 0)
        #expect(scratch.files(in: "out") == ["en.m3u8", "en.vtt", "m.m3u8"])
    }

    /// What could be done is there, and the status says that not all was.
    @Test(arguments: [
        (
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n#EXT-X-STREAM-INF:SUBTITLES=\"x\nw\n",
            "at byte 32: a variant is left as it is"
        ),
        ("#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:URI=\"i\"\n", "so there is no variant to put tracks beside"),
    ])
    func tellsWhatCouldNotBeDone(_ master: String, _ reason: String) throws {
        let scratch = try Scratch(["m": master])
        let ran = try Ran("sideload", "m", "--track=uri=en.m3u8", "-o", "out", in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "m", reason)
        #expect(try scratch.read("out/m") == Ran("master", "m", "--track=uri=en.m3u8", in: scratch).text)
    }

    @Test func directoriesAreMade() throws {
        let scratch = try scratch()
        #expect(try Ran(Self.good.map { $0 == "out" ? "a/b//c/" : $0 }, in: scratch).status == 0)
        #expect(scratch.files(in: "a/b/c") == ["en.m3u8", "en.vtt", "m.m3u8"])
        #expect(try Ran(Self.good.map { $0 == "out" ? scratch.folder.path + "/d" : $0 }, in: scratch).status == 0)
        #expect(scratch.files(in: "d") == ["en.m3u8", "en.vtt", "m.m3u8"])
    }

    /// The master, the arguments after it, the file the complaint names, and what it says. Nothing is written.
    @Test(arguments: [
        ("missing", ["--track=uri=en.m3u8"], "missing", "no such file"),
        (".", ["--track=uri=en.m3u8"], ".", "is a directory"),
        ("media", ["--track=uri=en.m3u8"], "media", "makes this a media playlist"),
        ("mixed", ["--track=uri=en.m3u8"], "mixed", "line 4, at byte 45: EXTINF is for another kind"),
        ("a.vtt", ["--track=uri=en.m3u8"], "a.vtt", "at byte 0: the first line is not #EXTM3U"),
        ("empty", ["--track=uri=en.m3u8"], "empty", "at byte 0: the file is empty"),
        ("m.m3u8", ["--track=uri=en.vtt"], "m.m3u8", "track 1, en.vtt, has no known duration; give duration= or file="),
        ("m.m3u8", ["--track=uri=en.vtt,file=gone.vtt"], "gone.vtt", "no such file"),
        ("m.m3u8", ["--track=uri=en.vtt,file=gone.vtt,duration=5"], "gone.vtt", "no such file"),
        ("m.m3u8", ["--track=uri=en.vtt,file=."], ".", "is a directory"),
        ("m.m3u8", ["--track=uri=en.vtt,file=media"], "media", "at byte 0: no WEBVTT signature"),
        ("m.m3u8", ["--track=uri=en.vtt,file=media,duration=5"], "media", "at byte 0: no WEBVTT signature"),
        ("m.m3u8", ["--track=uri=en.vtt,file=empty"], "empty", "at byte 0: no WEBVTT signature"),
        ("m.m3u8", ["--track=uri=en.vtt,file=nocue"], "nocue", "no cue in the whole file; give the track's duration="),
        ("m.m3u8", ["--track=uri=en.vtt,file=zero"], "zero", "no cue shows"),
        (
            "m.m3u8", ["--track=uri=en.vtt", "--media=m.m3u8"], "m.m3u8",
            "line 2, at byte 8: EXT-X-STREAM-INF makes this"
        ),
        ("m.m3u8", ["--track=uri=en.vtt", "--media=a.vtt"], "a.vtt", "at byte 0: the first line is not #EXTM3U"),
        ("m.m3u8", ["--track=uri=en.vtt", "--media=noinf"], "noinf", "2 lines and no segment"),
        ("m.m3u8", ["--track=uri=en.vtt", "--media=badinf"], "badinf", "line 2, at byte 8: EXTINF has no duration"),
    ])
    func refusesInput(_ master: String, _ words: [String], _ file: String, _ reason: String) throws {
        let scratch = try scratch([
            "media": Samples.media, "mixed": Samples.mixed, "empty": "", "nocue": "WEBVTT\n",
            "zero": "WEBVTT\n\n00:00.000 --> 00:00.000\n", "noinf": Samples.undecided,
            "badinf": "#EXTM3U\n#EXTINF:x,\na\n#EXTINF:5,\n",
        ])
        let ran = try Ran(["sideload", master, "-o", "out"] + words, in: scratch)
        #expect(ran.status == 1 && ran.text == "")
        expectOneLine(ran.errors, about: file, reason)
        #expect(!scratch.exists("out"))
    }

    @Test(arguments: [
        ([], "MASTER is missing"), (["m.m3u8", "-oout"], "--track SPEC is missing"),
        (["m.m3u8", "--track=uri=en.m3u8"], "-o DIR is missing"),
        (["m.m3u8", "n", "--track=uri=en.m3u8", "-oout"], "n is one operand too many"),
        (["-", "--media=-", "--track=uri=en.vtt", "-oout"], "cannot both be standard input"),
        (["m.m3u8", "-oout", "--track=uri=../en.vtt,file=a.vtt"], "is no file below the output directory"),
        (["m.m3u8", "-oout", "--track=uri=a%2f..%2fen.vtt,file=a.vtt"], "is no file below the output directory"),
        (
            ["m.m3u8", "-oout", "--track=uri=en.vtt,file=a.vtt", "--track=uri=./en.vtt,file=b.vtt"],
            "where another file goes"
        ),
        (["m.m3u8", "-oout", "--track=uri=m.m3u8,type=vtt,file=a.vtt"], "where another file goes"),
        (["m.m3u8", "-oout", "--track=uri=v.m3u8,type=vtt,file=a.vtt"], "where another file goes"),
        (["m.m3u8", "-oout", "--track=uri=en.vtt", "--track=uri=en.vtt"], "the same URI"),
        (["m.m3u8", "-oout", "--track=uri=en.srt"], "players do not take"),
        (
            ["m.m3u8", "-oout", "--track=uri=en.vtt,type=m3u8"],
            "track 1: the URI is that of a subtitle file; give the URI"
        ),
    ])
    func refusesArguments(_ words: [String], _ reason: String) throws {
        let scratch = try scratch()
        let ran = try Ran(["sideload"] + words, input: Array(Samples.master.utf8), in: scratch)
        #expect(ran.status == 2 && ran.text == "")
        expectOneLine(ran.errors, about: "surtitle", reason)
        #expect(!scratch.exists("out"))
    }

    @Test func theMasterIsNotOverwritten() throws {
        let scratch = try scratch()
        for folder in [".", scratch.folder.path] {
            let ran = try Ran(Self.good.map { $0 == "out" ? folder : $0 }, in: scratch)
            #expect(ran.status == 1)
            expectOneLine(
                ran.errors, about: "m.m3u8",
                "would be overwritten by \(folder)/m.m3u8; give the track another uri=, another directory with -o, or --name"
            )
        }
        #expect(scratch.files(in: ".") == ["a.vtt", "m.m3u8"])
        #expect(try scratch.read("m.m3u8") == Samples.master)
    }

    @Test func aPipeIsNotCopied() throws {
        let scratch = try scratch()
        let script = "mkfifo p; (cat a.vtt >p &); \"$surtitle\" sideload m.m3u8 -o out --track uri=en.vtt,file=p"
        let ran = try Ran(shell: script, in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "p", "is no regular file; save it to one")
        #expect(!scratch.exists("out"))
    }

    @Test func aFileThatIsThereAlreadyStays() throws {
        let scratch = try scratch(["out/en.vtt": Samples.webVTT])
        let ran = try Ran("sideload", "m.m3u8", "-o", "out", "--track", "uri=en.vtt,file=out/en.vtt", in: scratch)
        #expect(ran.status == 0)
        #expect(try scratch.read("out/en.vtt") == Samples.webVTT)
    }

    /// What is made in the folder first, the arguments, and what the complaint names and says.
    @Test(arguments: [
        ("touch out", "uri=en.vtt,file=a.vtt", "out", "is no directory"),
        ("mkdir -p out/en.vtt", "uri=en.vtt,file=a.vtt", "out/en.vtt", "is a directory, where a file is to be written"),
        ("mkdir -p out/m.m3u8", "uri=en.vtt,file=a.vtt", "out/m.m3u8", "is a directory, where a file is to be written"),
        (
            "mkdir -p out/en.m3u8", "uri=en.vtt,file=a.vtt", "out/en.m3u8",
            "is a directory, where a file is to be written"
        ),
        ("mkdir out; touch out/s", "uri=s/en.vtt,file=a.vtt", "out/s", "is a file or a symbolic link"),
        ("mkdir out away; ln -s ../away out/s", "uri=s/en.vtt,file=a.vtt", "out/s", "is a file or a symbolic link"),
    ])
    func whatIsInTheWayIsNamed(_ preparation: String, _ spec: String, _ file: String, _ reason: String) throws {
        let scratch = try scratch()
        let script = "\(preparation)\n\"$surtitle\" sideload m.m3u8 -o out --track '\(spec)'"
        let ran = try Ran(shell: script, in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: file, reason)
        #expect(scratch.files(in: "away") == [])
        #expect(!scratch.hasUnfinished)
        #expect(!scratch.exists("out/m.m3u8/") || scratch.files(in: "out") == [])
    }

    @Test func linksInTheDirectoryAreReplacedNotFollowed() throws {
        let scratch = try scratch(["precious": "precious"])
        let script =
            "mkdir out; ln -s ../precious out/en.vtt; ln -s ../m.m3u8 out/m.m3u8; \"$surtitle\" "
            + Self.good.map { "'\($0)'" }.joined(separator: " ") + " --force"
        #expect(try Ran(shell: script, in: scratch).status == 0)
        #expect(try scratch.read("precious") == "precious")
        #expect(try scratch.read("m.m3u8") == Samples.master)
        #expect(try scratch.read("out/en.vtt") == Samples.webVTT)
    }

    @Test func limitsRefuseTheMaster() throws {
        let long = Samples.master + "#EXT-X-STREAM-INF:NAME=\"" + String(repeating: "x", count: 70_000) + "\"\nw.m3u8\n"
        let scratch = try scratch(["long": long])
        let ran = try Ran("sideload", "long", "-o", "out", "--track", "uri=en.m3u8", in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "long", "at byte 45: the line is longer than the limit")
        #expect(scratch.files(in: "out") == [])
    }
}
