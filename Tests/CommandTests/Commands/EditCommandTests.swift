import Foundation
import Support
import Testing

@Suite struct EditCommandTests {
    private static let media =
        "#EXTM3U\r\n#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\r\n#EXTINF:6,\r\n1.ts\r\n#EXT-X-ENDLIST\r\n"
    private static let master =
        "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",URI=\"a.m3u8\"\n#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\n1.m3u8\n"
        + "#EXT-X-STREAM-INF:BANDWIDTH=2,RESOLUTION=640x360\nhttp://h/2.m3u8\n"

    /// Options, and the replacements that they make in the master. The type is spelled because inferring it takes a minute.
    private static let rows: [([String], [(String, String)])] = [
        (
            ["--set", "EXT-X-STREAM-INF:AUDIO=\"b\""],
            [("AUDIO=\"a\"", "AUDIO=\"b\""), ("640x360", "640x360,AUDIO=\"b\"")]
        ),
        (["--set", "#EXT-X-STREAM-INF:X=1"], [("1,AUDIO=\"a\"", "1,AUDIO=\"a\",X=1"), ("640x360", "640x360,X=1")]),
        (["--replace", "EXT-X-STREAM-INF:AUDIO=\"b\""], [("AUDIO=\"a\"", "AUDIO=\"b\"")]),
        (["--remove", "EXT-X-STREAM-INF:AUDIO"], [(",AUDIO=\"a\"", "")]),
        (["--drop", "EXT-X-MEDIA"], [("#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",URI=\"a.m3u8\"\n", "")]),
        (["--drop", "#EXT-X-MEDIA"], [("#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",URI=\"a.m3u8\"\n", "")]),
        (["--append-line", "#EXT-X-A", "--append-line=# b"], [("2.m3u8\n", "2.m3u8\n#EXT-X-A\n# b\n")]),
        (
            ["--map-uri", "https://h/d/m.m3u8"],
            [("URI=\"a.m3u8\"", "URI=\"https://h/d/a.m3u8\""), ("\n1.m3u8", "\nhttps://h/d/1.m3u8")]
        ),
        (["--scheme", "https"], [("http://h/2", "https://h/2")]),
        (["--scheme", "variant=skd"], [("http://h/2", "skd://h/2")]),
        (["--scheme", "all=skd"], [("http://h/2", "skd://h/2")]),
        (["--scheme=variant=http:https"], [("http://h/2", "https://h/2")]),
        (["--scheme=http:https"], [("http://h/2", "https://h/2")]),
        (["--scheme", "rendition=skd"], []),
        (["--scheme=https", "--scheme=variant=skd"], [("http://h/2", "skd://h/2")]),
        (["--host", "c"], [("http://h/2", "http://c/2")]),
        (["--host=variant=[::1]:80"], [("http://h/2", "http://[::1]:80/2")]),
        (["--host=key=d", "--host=c:8080"], [("http://h/2", "http://c:8080/2")]),
        (["--host=variant=d", "--host=c"], [("http://h/2", "http://d/2")]), (["--host", "key=c"], []),
        // A role needs an item after it.
        (
            ["--append-query", "key=1"],
            [("a.m3u8\"", "a.m3u8?key=1\""), ("\n1.m3u8", "\n1.m3u8?key=1"), ("2.m3u8", "2.m3u8?key=1")]
        ),
        (["--append-query", "variant=a=1"], [("\n1.m3u8", "\n1.m3u8?a=1"), ("2.m3u8", "2.m3u8?a=1")]),
        (
            ["--append-query=all=key=a=1", "--append-query=rendition=all=2", "--append-query=x=y=z"],
            [
                ("a.m3u8\"", "a.m3u8?key=a=1&all=2&x=y=z\""), ("\n1.m3u8", "\n1.m3u8?key=a=1&x=y=z"),
                ("2.m3u8", "2.m3u8?key=a=1&x=y=z"),
            ]
        ),
        (
            ["--drop", "EXT-X-STREAM-INF", "--map-uri=http://c/"],
            [
                ("#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\n1.m3u8\n", ""),
                ("#EXT-X-STREAM-INF:BANDWIDTH=2,RESOLUTION=640x360\nhttp://h/2.m3u8\n", ""),
                ("\"a.m3u8\"", "\"http://c/a.m3u8\""),
            ]
        ),
        (
            ["--set=EXT-X-MEDIA:URI=\"b\"", "--map-uri=http://c/", "--append-query=k=v"],
            [("\"a.m3u8\"", "\"b\""), ("\n1.m3u8", "\nhttp://c/1.m3u8?k=v"), ("2.m3u8", "2.m3u8?k=v")]
        ),
        (["--remove=EXT-X-MEDIA:URI", "--scheme=https"], [(",URI=\"a.m3u8\"", ""), ("http:", "https:")]),
        (
            ["--append-query", "a=b", "--append-query=c"],
            [("a.m3u8\"", "a.m3u8?a=b&c\""), ("\n1.m3u8", "\n1.m3u8?a=b&c"), ("2.m3u8", "2.m3u8?a=b&c")]
        ),
        (["--keep-variants", "BANDWIDTH>1"], [("#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\n1.m3u8\n", "")]),
        (
            ["--keep-variants=RESOLUTION!=5", "--host=c", "--set=EXT-X-STREAM-INF:BANDWIDTH=7"],
            [("BANDWIDTH=1", "BANDWIDTH=7"), ("BANDWIDTH=2", "BANDWIDTH=7"), ("//h/", "//c/")]
        ),
        (
            ["--keep-variants=RESOLUTION>5", "--map-uri=http://c/", "--set=EXT-X-STREAM-INF:BANDWIDTH=7"],
            [
                ("#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"a\"\n1.m3u8\n", ""), ("BANDWIDTH=2", "BANDWIDTH=7"),
                ("\"a.m3u8\"", "\"http://c/a.m3u8\""),
            ]
        ),
        ([], []),
    ]

    @Test(arguments: rows)
    func edits(_ options: [String], _ replacements: [(String, String)]) throws {
        let scratch = try Scratch(["m": Self.master])
        var expected = Self.master
        for (old, new) in replacements {
            #expect(expected.contains(old))
            expected = expected.replacing(old, with: new)
        }
        for chunk in ["--chunk=1", "--chunk=65536"] {
            let ran = try Ran(["edit", "m", chunk] + options, in: scratch)
            #expect(ran.status == 0, "\(ran.errors)")
            // What changes nothing is noted.
            #expect(ran.notes.contains { $0.hasPrefix("m: ") } == (replacements.isEmpty && !options.isEmpty))
            #expect(ran.text == expected)
        }
        #expect(try Ran(["edit"] + options, input: Array(Self.master.utf8), in: scratch).text == expected)
    }

    @Test func editsMediaPlaylists() throws {
        let scratch = try Scratch(["m": Self.media])
        let ran = try Ran(
            "edit", "m", "--map-uri=https://h/", "--scheme=key=skd", "--scheme=media=http", "--drop=EXT-X-ENDLIST",
            "--append-line=#END", in: scratch)
        #expect(ran.status == 0)
        #expect(
            ran.text
                == Self.media.replacing("\"k\"", with: "\"skd://h/k\"").replacing("1.ts", with: "http://h/1.ts")
                .replacing("#EXT-X-ENDLIST", with: "#END"))
    }

    @Test(arguments: [
        ("other", "hello\n", "at byte 0: the first line is not #EXTM3U"), ("empty", "", "the file is empty"),
    ])
    func passesOnWhatIsNoPlaylist(_ name: String, _ text: String, _ reason: String) throws {
        let scratch = try Scratch([name: text])
        for chunk in ["1", "65536"] {
            let ran = try Ran("edit", name, "--drop=EXTINF", "--append-line=x", "--chunk", chunk, in: scratch)
            #expect(ran.status == 1 && ran.text == text)
            expectOneLine(ran.errors, about: name, reason)
        }
    }

    @Test func warnsOfWhatItCannotEdit() throws {
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,A=\"\nv\n#EXT-X-STREAM-INF\nw\n"
        let scratch = try Scratch(["m": text, "mixed": Samples.mixed])
        for option in ["--set=EXT-X-STREAM-INF:B=1", "--keep-variants=BANDWIDTH<0"] {
            let ran = try Ran("edit", "m", option, in: scratch)
            #expect(ran.status == 1 && ran.text == text)
            expectOneLine(ran.errors, about: "m", "at byte 8: a line is left as it is (2 in all)")
        }
        let mixed = try Ran("edit", "mixed", "--set=EXT-X-STREAM-INF:BANDWIDTH=2", in: scratch)
        #expect(mixed.status == 0 && mixed.text == Samples.mixed.replacing("BANDWIDTH=1", with: "BANDWIDTH=2"))
        mixed.expectNote("mixed", "line 4, at byte 45: EXTINF is for another kind")
    }

    /// Everything has been done, but not what one might think.
    @Test(arguments: [
        (["--set=EXT-X-KEY:A=1"], "--set EXT-X-KEY:A=1 met no line"),
        (["--drop=EXT-X-KEY"], "--drop EXT-X-KEY met no line"),
        (["--replace=EXT-X-MEDIA:NAME=\"a\""], "--replace EXT-X-MEDIA:NAME=\"a\" met no line"),
        (["--remove=EXT-X-MEDIA:NAME", "--remove=EXT-X-MEDIA:URI"], "--remove EXT-X-MEDIA:NAME met no line"),
        (["--scheme=key=https"], "no URI was changed"), (["--map-uri=http://c/", "--scheme=http"], nil),
    ])
    func notesWhatMetNoLine(_ options: [String], _ reason: String?) throws {
        let scratch = try Scratch(["m": Self.master])
        for chunk in ["--chunk=1", "--chunk=65536"] {
            let ran = try Ran(["edit", "m", chunk] + options, in: scratch)
            if let reason { ran.expectNote("m: ", reason) } else { #expect(ran.notes == []) }
        }
        let media = try Ran(["edit", "--keep-variants=BANDWIDTH>1"], input: Array(Samples.media.utf8), in: scratch)
        #expect(media.status == 0 && media.text == Samples.media)
        media.expectNote("standard input", "--keep-variants met no variant")
    }

    @Test func keyIdentifiersStay() throws {
        let text = "#EXTM3U\n#EXT-X-KEY:METHOD=A,URI=\"skd://k/1\"\n#EXT-X-KEY:METHOD=A,URI=\"urn:uuid:1\"\n"
        let scratch = try Scratch(["m": text])
        let ran = try Ran(
            "edit", "m", "--map-uri=http://c/", "--scheme=https", "--host=c:1", "--append-query=a=b", in: scratch)
        #expect(ran.status == 0 && ran.text == text)
        let named = try Ran("edit", "m", "--scheme=key=skd:https", "--host=key=c:1", in: scratch)
        #expect(named.status == 0 && named.errors == "")
        #expect(named.text == text.replacing("skd://k/1", with: "https://c:1/1"))
    }

    @Test func putsInVariables() throws {
        let text =
            "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v\",VALUE=\"1\"\n#EXT-X-DEFINE:IMPORT=\"w\"\n#EXTINF:1,\n{$v}.ts\n#EXTINF:1,\n{$w}.ts\n"
            + "#EXT-X-PREFETCH:{$v}.ts\n"
        let ran = try Ran("edit", "--map-uri=http://c/", input: Array(text.utf8), in: Scratch())
        #expect(ran.status == 0)
        #expect(ran.text == text.replacing("{$v}.ts", with: "http://c/1.ts"))
        ran.expectNote("standard input", "at byte 96: a URI is left as it is (1 in all)")
    }

    @Test func saysThatNoVariantIsLeft() throws {
        let ran = try Ran("edit", "m", "--keep-variants=BANDWIDTH>5", in: Scratch(["m": Self.master]))
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "m", "none of its 2 variants meets")
    }

    @Test func passesOnWhatIsTooLong() throws {
        let long = "#EXTM3U\n#EXT-X-KEY:A=\"" + String(repeating: "x", count: 70_000) + "\"\n#EXT-X-KEY:A=1\n"
        let ran = try Ran("edit", "long", "--set=EXT-X-KEY:A=2", in: Scratch(["long": long]))
        #expect(ran.status == 1 && ran.text == long)
        expectOneLine(ran.errors, about: "long", "at byte 8: the line is longer")
    }

    @Test(arguments: [
        (["--set", "EXT-X-KEY"], "expected TAG:NAME=VALUE"), (["--set", "EXT-X-KEY:A"], "expected TAG:NAME=VALUE"),
        (["--set", "EXT-X-KEY:A="], "a value may not be empty"), (["--set", "EXT-X-KEY:A=\"x"], "leave a quote open"),
        (["--set", ":A=1"], "a tag name"), (["--set", "EXT-X-KEY:=1"], "an attribute name"),
        (["--set", "EXTM3U:A=1"], "a tag name"), (["--replace", "x"], "--replace x: expected TAG:NAME=VALUE"),
        (["--remove", "EXT-X-KEY"], "expected TAG:NAME"), (["--remove", "EXT-X-KEY:A=B"], "an attribute name"),
        (["--drop", "A B"], "a tag name"),
        (["--append-line", "a\nb"], "a line may not be empty nor hold a line break"),
        (["--map-uri", "video/"], "the base has no scheme"), (["--map-uri", "http://a/ b"], "byte 9 of the base"),
        (["--scheme", "1a"], "--scheme 1a: byte 0 of the scheme"), (["--scheme", "segment=a"], "segment is no role"),
        (["--host", "segment=a"], "segment is no role"),
        (["--scheme", "a:1"], "byte 0 of the scheme"), (["--scheme", ":a"], "byte 0 of the scheme"),
        (["--host", "key="], "--host key=: byte 0 of the host"),
        (["--append-query", "key=a= "], "byte 2 of the query item"),
        (["--scheme", "key="], "byte 0 of the scheme"), (["--host", "a:b"], "byte 2 of the host"),
        (["--append-query", "a b"], "byte 1 of the query item"), (["--keep-variants", "X"], "byte 1: expected one of"),
        (["--loud"], "unknown option"), (["a", "b"], "one operand too many"),
    ])
    func refusesArguments(_ words: [String], _ reason: String) throws {
        let ran = try Ran(["edit"] + words, in: Scratch())
        #expect(ran.status == 2 && ran.text == "")
        expectOneLine(ran.errors, about: "surtitle", reason)
    }

    @Test(.enabled(if: Conformance.isAvailable, Comment(rawValue: Conformance.skipped)))
    func conformanceDataComesThroughAsItIs() throws {
        let scratch = try Scratch()
        for (number, file) in try Conformance.files(in: "m3u8", withExtension: "m3u8").enumerated() {
            guard Samples.isLongRun || number % 4 == 0 else { continue }
            let ran = try Ran(
                "edit", file.path, "--drop=EXT-X-NO-SUCH", "--keep-variants=BANDWIDTH!=0", "--chunk=\(number % 70 + 1)",
                in: scratch)
            #expect(ran.output == [UInt8](try Data(contentsOf: file)), "\(file.lastPathComponent)")
            #expect(ran.status < 2)
        }
    }
}
