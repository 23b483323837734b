import Foundation
import Testing

/// `--config FILE.json` beside the options.
@Suite struct ConfigurationFileTests {
    private static let tracks =
        "{\"tracks\": [{\"uri\": \"en.m3u8\", \"language\": \"en\", \"name\": \"English\", \"default\": true}]}"
    private static let english =
        "NAME=\"English\",LANGUAGE=\"en\",DEFAULT=YES,AUTOSELECT=YES,URI=\"en.m3u8\""

    /// Every way to give the same tracks comes to the same bytes.
    @Test func isTheSameAsOptions() throws {
        let file = """
            {"tracks": [{"uri": "en.m3u8", "language": "eng", "name": "A,B", "forced": true, "kind": "captions", "autoselect": false,
                         "group": "g", "stable-id": "s", "assoc-language": "fr", "type": "m3u8"},
                        {"uri": "subs/sv.vtt", "language": "sv"}]}
            """
        let first =
            "uri=en.m3u8,language=eng,name=A\\,B,forced,kind=captions,autoselect=no,group=g,stable-id=s,assoc-language=fr"
        let second = "uri=subs/sv.vtt,language=sv"
        let scratch = try Scratch(["m.m3u8": Samples.master, "c.json": file])
        let expected = try Ran("master", "m.m3u8", "--track", first, "--track", second, in: scratch)
        #expect(expected.status == 0 && expected.text.contains("sv.m3u8"))
        for words in [["--config", "c.json"], ["--config=./c.json"], ["--config", scratch.folder.path + "/c.json"]] {
            let ran = try Ran(["master", "m.m3u8"] + words, in: scratch)
            #expect(ran.status == 0 && ran.errors == "" && ran.text == expected.text && ran.notes.isEmpty)
        }
        let piped = try Ran("master", "m.m3u8", "--config", "-", input: Array(file.utf8), in: scratch)
        #expect(piped.text == expected.text)
        // The file's come first, wherever the option stands.
        let one = "{\"tracks\": [{\"uri\": \"sv.m3u8\"}]}"
        try scratch.write("d.json", Array(one.utf8))
        let both = try Ran("master", "--track", first, "m.m3u8", "--config", "d.json", in: scratch)
        let same = try Ran("master", "m.m3u8", "--track", "uri=sv.m3u8", "--track", first, in: scratch)
        #expect(both.status == 0 && both.text == same.text)
    }

    @Test func replacesTheDefault() throws {
        let own = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"O\",DEFAULT=YES,AUTOSELECT=YES,URI=\"o.m3u8\"\n"
        let scratch = try Scratch([
            "m.m3u8": "#EXTM3U\n" + own + Samples.master.dropFirst(8), "c.json": Self.tracks,
            "d.json": "{\"replace-default\": true," + Self.tracks.dropFirst(),
        ])
        #expect(try Ran("master", "m.m3u8", "--config=c.json", in: scratch).text.contains(own))
        let replaced = try Ran("master", "m.m3u8", "--config=d.json", in: scratch)
        #expect(!replaced.text.contains(own) && replaced.text.contains(Self.english))
    }

    /// Local files are relative to the configuration's folder, what comes out to DIR.
    @Test func sideloadsFilesBesideIt() throws {
        let file = """
            {"tracks": [{"uri": "subs/en.vtt", "file": "text/en.vtt", "language": "en", "duration": "1:30.5"},
                        {"uri": "sv.vtt", "file": "/ABSOLUTE/sv.vtt", "duration": 90.5}], "map": "none"}
            """
        let scratch = try Scratch([
            "m.m3u8": Samples.master, "conf/text/en.vtt": Samples.webVTT, "sv.vtt": Samples.webVTT,
            "v.m3u8": Samples.media,
        ])
        try scratch.write(
            "conf/c.json", Array(file.replacing("/ABSOLUTE", with: scratch.folder.path).utf8))
        let ran = try Ran("sideload", "m.m3u8", "--config", "conf/c.json", "-o", "out", in: scratch)
        #expect(ran.status == 0 && ran.errors == "", "\(ran.errors)")
        #expect(scratch.files(in: "out") == ["en.m3u8", "m.m3u8", "subs/en.vtt", "sv.m3u8", "sv.vtt"])
        #expect(try scratch.read("out/en.m3u8").contains("#EXTINF:90.500,"))
        #expect(try scratch.read("out/sv.m3u8").contains("#EXTINF:90.500,"))
        #expect(try scratch.read("out/subs/en.vtt") == Samples.webVTT)
        // From standard input they are relative to the working directory.
        let piped = try Ran(
            "sideload", "m.m3u8", "--config=-", "-o", "piped",
            input: Array("{\"tracks\":[{\"uri\":\"a.vtt\",\"file\":\"sv.vtt\"}],\"map\":\"none\"}".utf8), in: scratch)
        #expect(piped.status == 0 && scratch.exists("piped/a.vtt"))
    }

    @Test func cutsAndMapsAsItSays() throws {
        let members = "\"map\": \"900000\", \"segment\": true, \"target\": 4"
        let file = "{\"tracks\": [{\"uri\": \"en.vtt\", \"file\": \"en.vtt\", \"language\": \"en\"}], \(members)}"
        let scratch = try Scratch(["m.m3u8": Samples.master, "c.json": file, "en.vtt": Samples.webVTT])
        let ran = try Ran("sideload", "m.m3u8", "--config=c.json", "-o", "out", in: scratch)
        #expect(ran.status == 0, "\(ran.errors)")
        #expect(try scratch.read("out/en-00000.vtt").contains("MPEGTS:900000"))
        #expect(try scratch.read("out/en.m3u8").contains("#EXT-X-TARGETDURATION:4"))
        // An option wins.
        let other = try Ran("sideload", "m.m3u8", "--config=c.json", "-o", "b", "--map=none", "--target=5", in: scratch)
        #expect(other.status == 0, "\(other.errors)")
        #expect(try !scratch.read("b/en-00000.vtt").contains("MPEGTS"))
        #expect(try scratch.read("b/en.m3u8").contains("#EXT-X-TARGETDURATION:5"))
    }

    @Test func editsBeforeTheOptions() throws {
        let file = """
            {"edits": [{"set": "EXT-X-STREAM-INF:A=1"}, {"set": "EXT-X-STREAM-INF:B=1"}, {"append-line": "# file"}],
             "map-uri": "https://a/", "scheme": "http", "host": {"variant": "b"}, "append-query": "k=1"}
            """
        let scratch = try Scratch(["m.m3u8": Samples.master, "c.json": file])
        func edited(_ words: String...) throws -> String {
            let ran = try Ran(["edit", "m.m3u8", "--config=c.json"] + words, in: scratch)
            #expect(ran.status == 0 && ran.errors == "", "\(ran.errors)")
            return ran.text
        }
        let head = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1"
        #expect(try edited() == head + ",A=1,B=1\nhttp://b/v.m3u8?k=1\n# file\n")
        #expect(
            try edited(
                "--set=EXT-X-STREAM-INF:B=2", "--append-line=# option", "--map-uri=https://c/d/", "--append-query=l=2")
                == head + ",A=1,B=2\nhttp://b/d/v.m3u8?k=1&l=2\n# file\n# option\n")
        // What is said for a role wins over what is said for all, wherever it is said.
        #expect(try edited("--host=z", "--scheme=https") == head + ",A=1,B=1\nhttps://b/v.m3u8?k=1\n# file\n")
        #expect(try edited("--host=variant=z") == head + ",A=1,B=1\nhttp://z/v.m3u8?k=1\n# file\n")
    }

    @Test func keepsVariants() throws {
        let two = Samples.master + "#EXT-X-STREAM-INF:BANDWIDTH=5\nw.m3u8\n"
        let scratch = try Scratch(["m.m3u8": two, "c.json": "{\"keep-variants\": \"BANDWIDTH<=2\"}"])
        #expect(try Ran("edit", "m.m3u8", "--config=c.json", in: scratch).text == Samples.master)
        let won = try Ran("edit", "m.m3u8", "--config=c.json", "--keep-variants=BANDWIDTH>=5", in: scratch)
        #expect(won.text == "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=5\nw.m3u8\n")
    }

    @Test func namesAnEditThatMeetsNoLine() throws {
        let file = "{\"edits\": [{\"append-line\": \"# x\"}, {\"drop\": \"EXT-X-KEY\"}]}"
        let scratch = try Scratch(["m.m3u8": Samples.master, "c.json": file])
        let ran = try Ran("edit", "m.m3u8", "--config=c.json", in: scratch)
        ran.expectNote("m.m3u8: edits[1] of c.json met no line")
    }

    @Test(arguments: ["fail", "pass-through"])
    func setsLimits(_ policy: String) throws {
        let limits = "\"limits\": {\"longest-line\": 28, \"past-limit\": \"\(policy)\"}"
        let scratch = try Scratch([
            "m.m3u8": Samples.master, "c.json": "{\(limits)," + Self.tracks.dropFirst(),
            "d.json": "{\(limits), \"map-uri\": \"https://a/\", \"edits\": [{\"set\": \"EXT-X-STREAM-INF:A=1\"}]}",
            "e.json": "{\"limits\": {\"longest-uri\": 3}, \"append-query\": \"k=v\"}",
            "v.m3u8": "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"bcde\"\n#EXTINF:1,\n{$a}\n",
        ])
        for words in [["master", "--config=c.json"], ["edit", "--config=d.json"]] {
            let ran = try Ran(words + ["m.m3u8"], in: scratch)
            #expect(ran.status == 1 && ran.text == Samples.master)
            expectOneLine(ran.errors, about: "m.m3u8", "at byte 8: the line is longer than the limit of 28 bytes")
        }
        let sideload = try Ran("sideload", "m.m3u8", "--config=c.json", "-o", "out", in: scratch)
        #expect(sideload.status == 1 && !scratch.exists("out"))
        expectOneLine(sideload.errors, about: "m.m3u8", "the limit of 28 bytes")
        let long = try Ran("edit", "v.m3u8", "--config=e.json", in: scratch)
        #expect(long.status == 1)
        expectOneLine(long.errors, about: "v.m3u8", "the URI is longer than the limit of 3 bytes")
    }

    @Test func notesWhatIsForAnotherCommand() throws {
        let scratch = try Scratch([
            "m.m3u8": Samples.master,
            "c.json": "{\"keep-variants\": \"A==1\", \"map\": \"none\"," + Self.tracks.dropFirst(),
            "d.json": "{\"target\": 6, \"edits\": [{\"set\": \"EXT-X-STREAM-INF:A=1\"}]}",
        ])
        let master = try Ran("master", "m.m3u8", "--config=c.json", in: scratch)
        master.expectNote("c.json: keep-variants, map are not for surtitle master")
        let edit = try Ran("edit", "m.m3u8", "--config=d.json", in: scratch)
        edit.expectNote("d.json: target is not for surtitle edit")
    }

    /// Status 1, and the place, for what is in the file.
    @Test(arguments: [
        (
            "{\n  \"tracks\": [{\"uri\": \"a.m3u8\", \"language\": \"e_n\"}]\n}",
            "c.json: line 2, column 44, at byte 45: tracks[0].language: the language is not"
        ),
        ("{\"trakcs\": []}", "c.json: line 1, column 2, at byte 1: unknown key \"trakcs\"; did you mean tracks?"),
        ("", "c.json: line 1, column 1, at byte 0: the text ends too early"),
        ("{\"tracks\": [],}", "nothing follows the comma"),
        (String(repeating: " ", count: (1 << 20) + 1), "c.json: at byte 1048576: more than 1048576 bytes"),
    ])
    func refusesWhatIsWrongInIt(_ file: String, _ words: String) throws {
        let scratch = try Scratch(["m.m3u8": Samples.master, "c.json": file])
        for command in [["master"], ["edit", "--drop=EXT-X-KEY"], ["sideload", "-o", "out"]] {
            let ran = try Ran(command + ["m.m3u8", "--config", "c.json"], in: scratch)
            #expect(ran.status == 1 && ran.text == "" && !scratch.exists("out"))
            expectOneLine(ran.errors, about: "c.json", words)
        }
    }

    @Test(
        arguments: [
            (["master", "m.m3u8", "--config"], 2, "--config needs a value"),
            (["master", "--config=-"], 2, "cannot both be standard input"),
            (["edit", "-", "--config=-"], 2, "cannot both be standard input"),
            (["sideload", "-", "--config=-", "-o", "out"], 2, "cannot both be standard input"),
            (["sideload", "m.m3u8", "--media=-", "--config=-", "-o", "out"], 2, "cannot both be standard input"),
            (["master", "m.m3u8", "--config=none.json"], 1, "none.json: no such file"),
            (["master", "m.m3u8", "--config=."], 1, ".: is a directory"),
            (["master", "m.m3u8", "--config=empty.json"], 2, "empty.json: there are no tracks"),
            (["sideload", "m.m3u8", "--config=empty.json", "-o", "out"], 2, "empty.json: there are no tracks"),
            (
                ["master", "m.m3u8", "--config=c.json", "--track=uri=en.m3u8"], 2,
                "track 2: an earlier track has the same URI"
            ),
            (
                ["master", "m.m3u8", "--config=c.json", "--track=uri=x.m3u8,default"], 2,
                "track 2: an earlier track is the default"
            ),
            (["edit", "m.m3u8", "--config=none.json", "--scheme=1"], 2, "--scheme 1: byte 0"),
            (["edit", "m.m3u8", "--confg=c.json"], 2, "did you mean --config?"),
        ] as [([String], Int32, String)])
    func refusesArguments(_ words: [String], _ status: Int32, _ reason: String) throws {
        let scratch = try Scratch(["m.m3u8": Samples.master, "c.json": Self.tracks, "empty.json": "{}"])
        let ran = try Ran(words, input: Array(Samples.master.utf8), in: scratch)
        #expect(ran.status == status && ran.text == "", "\(ran.errors)")
        expectOneLine(ran.errors, about: "surtitle", reason)
    }

    /// The configuration is a file that is read like any other, by whatever name.
    @Test func isNotOverwritten() throws {
        let file = "{\"tracks\": [{\"uri\": \"en.vtt\", \"file\": \"en.vtt\"}], \"map\": \"none\"}"
        let scratch = try Scratch(["m.m3u8": Samples.master, "c.json": file, "en.vtt": Samples.webVTT])
        try FileManager.default.createSymbolicLink(
            at: scratch.folder.appendingPathComponent("link.json"),
            withDestinationURL: scratch.folder.appendingPathComponent("c.json"))
        for output in ["c.json", "./c.json", "link.json"] {
            for command in [["master", "m.m3u8"], ["edit", "m.m3u8", "--drop=EXT-X-KEY"]] {
                let ran = try Ran(command + ["--config=link.json", "-o", output], in: scratch)
                #expect(ran.status == 1)
                expectOneLine(ran.errors, about: "link.json", "would be overwritten by ./")
            }
        }
        let sideload = try Ran("sideload", "m.m3u8", "--config=c.json", "-o", ".", "--name=c.json", in: scratch)
        #expect(sideload.status == 1)
        expectOneLine(sideload.errors, about: "c.json", "would be overwritten by")
        #expect(try scratch.read("c.json") == file)
    }
}
