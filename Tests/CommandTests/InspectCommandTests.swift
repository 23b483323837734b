import Testing

@Suite struct InspectCommandTests {
    @Test(arguments: [
        (
            Samples.media,
            """
            kind      media
            bytes     85
            lines     7
            segments  2
            duration  11.506
            complete  yes

            tags
              1  EXTM3U
              1  EXT-X-TARGETDURATION
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
            "kind      webvtt\nbytes     59\ncues      0\nstyles    1\nregions   1\nduration  none\nlatest    none\n"
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
    ])
    func reports(_ text: String, _ expected: String) throws {
        let scratch = try Scratch(["f": text])
        for words in [["f"], ["f", "--chunk=1"], ["-"]] {
            let ran = try Ran(["inspect"] + words, input: Array(text.utf8), in: scratch)
            #expect(ran.status == 0 && ran.errors == "")
            #expect(ran.text == expected)
        }
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
