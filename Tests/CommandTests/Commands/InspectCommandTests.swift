import Testing

@Suite struct InspectCommandTests {
    @Test(
        arguments: [
            (
                Samples.media,
                """
                kind      media
                bytes     110
                lines     8
                segments  2
                duration  11.506
                complete  yes

                tags
                  1  EXTM3U
                  1  EXT-X-TARGETDURATION
                  1  EXT-X-PLAYLIST-TYPE
                  2  EXTINF
                  1  EXT-X-ENDLIST

                """
            ),
            (
                """
                #EXTM3U
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="Long name",LANGUAGE="en",DEFAULT=YES,AUTOSELECT=YES,URI="a,1.m3u8"
                #EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="a",NAME="B"
                #EXT-X-MEDIA:TYPE=CLOSED-CAPTIONS,GROUP-ID="c",NAME="CC",FORCED=YES,INSTREAM-ID="CC1"
                #EXT-X-STREAM-INF:BANDWIDTH=1000,RESOLUTION=640x360,CODECS="x,y",AUDIO="a",CLOSED-CAPTIONS="c"
                v.m3u8
                #EXT-X-STREAM-INF:BANDWIDTH=2
                #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=3,URI="i.m3u8"
                """,
                """
                kind        multivariant
                bytes       432
                lines       8
                variants    2
                renditions  3

                tags
                  1  EXTM3U
                  3  EXT-X-MEDIA
                  2  EXT-X-STREAM-INF
                  1  EXT-X-I-FRAME-STREAM-INF

                variants
                  1000  640x360  -  x,y  AUDIO=a CLOSED-CAPTIONS=c  v.m3u8
                     2  -        -  -    -                          -

                i-frame and image streams
                  3  -  -  -  -  i.m3u8

                group AUDIO a
                  Long name  en  DEFAULT AUTOSELECT  a,1.m3u8
                  B          -   -                   -

                group CLOSED-CAPTIONS c
                  CC  -  FORCED  CC1

                """
            ),
            (Samples.webVTT, "kind      webvtt\nbytes     61\ncues      2\nduration  4.500\nlatest    9.000\n"),
            ("WEBVTT", "kind      webvtt\nbytes     6\ncues      0\nduration  none\nlatest    none\n"),
            (
                "WEBVTT\n\nSTYLE\n::cue{}\n\nREGION\nid:a\n\n0:00.000 --> 00:01.000\n",
                """
                kind      webvtt
                bytes     59
                cues      0
                styles    1
                regions   1
                unparsed  1
                duration  none
                latest    none

                unparsed
                  1  no times on the line with -->  first: line 9, at byte 36

                """
            ),
            (
                "\u{FEFF}#EXTM3U x\r\n#EXTINF:1,\r\na\r\n#EXT-X-ENDLIST\r\n",
                "kind      media\nbytes     45\nlines     4\nsegments  1\nduration  1.000\ncomplete  yes\n\n"
                    + "tags\n  1  EXTINF\n  1  EXT-X-ENDLIST\n"
            ),
            ("hello\n", "kind   neither\nbytes  6\n"),
            ("", "kind   neither\nbytes  0\n"),
            (Samples.undecided, "kind   undecided\nbytes  25\nlines  2\n\ntags\n  1  EXTM3U\n  1  EXT-X-VERSION\n"),
            (
                "#EXTM3U\n#EXTINF:5.99999,\na\n#EXTINF:x\nb\n#EXTINF:0.00001,\nc\n#EXT-X-\u{1B}:",
                "kind      media\nbytes     67\nlines     8\nsegments  2\nduration  6.000\ncomplete  no\n\n"
                    + "EXTINF without a duration: line 4, at byte 27\n\n"
                    + "tags\n  1  EXTM3U\n  3  EXTINF\n  1  EXT-X-\\u{1B}\n"
            ),
            (
                "#EXTM3U\n#EXTINF:0.000000001,\na\n",
                "kind      media\nbytes     31\nlines     3\nsegments  1\nduration  0.000000001\ncomplete  no\n\n"
                    + "tags\n  1  EXTM3U\n  1  EXTINF\n"
            ),
        ] as [(String, String)])
    func reports(_ text: String, _ expected: String) throws {
        let scratch = try Scratch(["f": text])
        for words in [["f"], ["f", "--chunk=1"], ["-"]] {
            let ran = try Ran(["inspect"] + words, input: Array(text.utf8), in: scratch)
            #expect(ran.status == 0 && ran.errors == "")
            #expect(ran.text == expected)
        }
    }

    @Test func tellsWhatPlayersLeaveOut() throws {
        let text =
            "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:9,LOCAL:00:00:01.000\nX-TIMESTAMP-MAP\n\nNOTE\n\nSTYLE\n\n00:01.000 --> 00:02.000\n\n"
            + "a\n\nSTYLE\nx\n\nSTYLE\n\n0:0 --> 0\n\n00:00.500 --> 00:00.600\n\n00:00.400 --> 00:00.600\nb\n"
        let expected = """
            kind               webvtt
            bytes              187
            cues               3
            notes              1
            unparsed           5
            timestamp map      MPEGTS 9, LOCAL 00:00:01.000
            bad timestamp map  line 3, at byte 51
            duration           0.600
            latest             2.000
            out of order       2, first at byte 136

            unparsed
              2  style sheet without a line     first: line 7, at byte 74
              1  no line with -->               first: line 11, at byte 106
              1  style sheet after a cue        first: line 13, at byte 109
              1  no times on the line with -->  first: line 18, at byte 125

            """
        for words in [["-"], ["-", "--chunk=1"]] {
            #expect(try Ran(["inspect"] + words, input: Array(text.utf8), in: Scratch()).text == expected)
        }
    }

    @Test func listsHaveAnEnd() throws {
        var text = "#EXTM3U\n"
        for number in 0..<9000 {
            text +=
                "#EXT-X-STREAM-INF:BANDWIDTH=\(number)\nv\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\(number)\"\n#EXT-\(number)\n"
        }
        let ran = try Ran("inspect", "-", input: Array(text.utf8), in: Scratch())
        #expect(ran.status == 0)
        #expect(ran.text.contains("\nvariants    9000\n") && ran.text.contains("\nrenditions  9000\n"))
        #expect(ran.text.contains("\n  9000  EXT-X-MEDIA\n"))
        #expect(ran.text.components(separatedBy: "\n  … and ").count == 3)
        #expect(ran.text.hasSuffix(" more renditions\n"))
        let listed = ran.text.split(separator: "\n").count { $0.hasSuffix("  v") }
        #expect(listed > 1000 && ran.text.contains("… and \(9000 - listed) more\n"))
    }

    @Test(arguments: [(["missing"], "missing", "no such file"), (["."], ".", "is a directory")])
    func refusesInput(_ words: [String], _ file: String, _ reason: String) throws {
        let ran = try Ran(["inspect"] + words, in: Scratch())
        #expect(ran.status == 1 && ran.text == "")
        expectOneLine(ran.errors, about: file, reason)
    }

    @Test(arguments: [
        ([], "FILE is missing"), (["a", "b"], "one operand too many"), (["a", "--x"], "unknown option"),
    ])
    func refusesArguments(_ words: [String], _ reason: String) throws {
        let ran = try Ran(["inspect"] + words, in: Scratch())
        #expect(ran.status == 2 && ran.text == "")
        expectOneLine(ran.errors, about: "surtitle", reason)
    }
}
