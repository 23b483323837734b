import Testing

/// Where the master's relative URIs point to, once it is in another directory.
@Suite struct SideloadPlaceTests {
    private static let master =
        "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"a\",URI=\"au/a.m3u8\"\n"
        + "#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\nv0.m3u8?x=1\n#EXT-X-STREAM-INF:BANDWIDTH=2\nhttps://h.example/v1.m3u8"

    private func scratch() throws -> Scratch {
        try Scratch([
            "the src/m.m3u8": Self.master, "a.vtt": Samples.webVTT, "the src/v0.m3u8": Samples.media,
            "the src/au/a.m3u8": Samples.media,
        ])
    }

    private func sideload(_ words: [String], in scratch: Scratch) throws -> Ran {
        try Ran(["sideload", "the src/m.m3u8", "--track=uri=en.vtt,file=a.vtt", "--map=none"] + words, in: scratch)
    }

    @Test(arguments: [
        ("out", "https://cdn.example/video/m.m3u8", "https://cdn.example/video/"), ("out", "relative", "../the%20src/"),
        ("made/by/it", "relative", "../../../the%20src/"), ("the src/out/", "relative", "../"),
        (".", "relative", "the%20src/"), ("the src/../the src/x/..", "relative", ""),
    ])
    func theyPointToWhereTheFilesAre(_ directory: String, _ base: String, _ prefix: String) throws {
        let scratch = try scratch()
        let ran = try sideload(["-o", directory, "--base-uri", base, "--name=n.m3u8"], in: scratch)
        #expect(ran.status == 0 && ran.errors == "" && ran.notes == [], "\(ran)")
        let made = try scratch.read("\(directory)/n.m3u8")
        #expect(made.contains("NAME=\"a\",URI=\"\(prefix)au/a.m3u8\"\n"))
        #expect(made.contains("\n\(prefix)v0.m3u8?x=1\n") && made.contains("\nhttps://h.example/v1.m3u8\n"))
        // What the directory holds stays relative to it.
        #expect(made.hasSuffix("URI=\"en.m3u8\"\n"))
    }

    @Test func aNameLetsTheDirectoryBeTheMastersOwn() throws {
        let scratch = try scratch()
        let ran = try sideload(["-o", "the src", "--name", "with subtitles.m3u8"], in: scratch)
        #expect(ran.status == 0 && ran.errors == "" && ran.notes == [], "\(ran)")
        #expect(try scratch.read("the src/m.m3u8") == Self.master)
        #expect(try scratch.read("the src/with subtitles.m3u8").contains("\nv0.m3u8?x=1\n"))
        let own = try sideload(["-o", "the src"], in: scratch)
        #expect(own.status == 1)
        expectOneLine(own.errors, about: "the src/m.m3u8", "or --name")
    }

    @Test func aDirectoryThatDoesNotPlayGetsANote() throws {
        let scratch = try scratch()
        let ran = try sideload(["-oout"], in: scratch)
        ran.expectNote("out/m.m3u8", "au/a.m3u8 and 1 more files", "--base-uri URI", "--name NAME")
        let piped = try Ran(
            "sideload", "-", "--track=uri=en.vtt,file=a.vtt", "-oout", "--map=none", "--force",
            input: Array(Self.master.utf8), in: scratch)
        piped.expectNote("out/master.m3u8", "--base-uri URI")
        try scratch.write("out/au/a.m3u8", [])
        try scratch.write("out/v0.m3u8", [])
        #expect(try sideload(["-oout"], in: scratch).notes == [])
    }

    @Test func aWorkingDirectoryThatIsGoneIsRefused() throws {
        let ran = try Ran(
            shell: """
                mkdir gone; cd gone; rmdir ../gone
                exec "$surtitle" sideload "$OLDPWD/the src/m.m3u8" --track "uri=en.vtt,file=$OLDPWD/a.vtt" -o out \
                  --map none --base-uri relative
                """, in: scratch())
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "surtitle: out", "no such file or directory")
    }

    @Test func aByteOrderMarkMakesNoReference() throws {
        let scratch = try Scratch(["the src/m.m3u8": "\u{FEFF}" + Self.master, "a.vtt": Samples.webVTT])
        try sideload(["-oout"], in: scratch).expectNote("out/m.m3u8", "refers to au/a.m3u8 and 1 more files")
    }

    @Test(arguments: [
        (["--base-uri=cdn/x"], "the base has no scheme"), (["--base-uri=https://a b/"], "may not stand in a URI"),
        (["--name=a/b"], "no name of a file"), (["--name=.."], "no name of a file"),
    ])
    func refusesArguments(_ words: [String], _ reason: String) throws {
        let ran = try sideload(["-oout"] + words, in: scratch())
        #expect(ran.status == 2)
        expectOneLine(ran.errors, about: "surtitle", reason)
    }

    @Test func standardInputHasNoDirectory() throws {
        let ran = try Ran(
            "sideload", "-", "--track=uri=en.vtt,file=a.vtt", "-oout", "--base-uri=relative",
            input: Array(Self.master.utf8), in: scratch())
        #expect(ran.status == 2)
        expectOneLine(ran.errors, about: "--base-uri relative", "standard input")
    }
}
