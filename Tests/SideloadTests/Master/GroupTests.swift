import M3U8
import Sideload
import Support
import Testing

/// Rules 1 to 3: which group a variant gets, and what every group then holds (8216bis 4.4.6.1.1, 4.4.6.2).
@Suite struct GroupTests {
    static func sideloading() throws -> Sideloading { try Sideloading([Track.english]) }

    // MARK: Rule 1: every variant names one declared group

    @Test func variantsWithoutAGroupGetTheFallback() throws {
        try Self.sideloading().check(
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv\n#EXT-X-STREAM-INF:BANDWIDTH=2  \nw\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"subs\"\nv\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=2,SUBTITLES=\"subs\"  \nw\n\(Track.english())\n")
    }

    @Test func anEmptyListGetsNoComma() throws {
        try Self.sideloading().check(
            "#EXTM3U\n#EXT-X-STREAM-INF:\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"subs\"\nv\n\(Track.english())\n")
    }

    /// With an empty item in the list players lose the attribute.
    @Test(arguments: [
        ("BANDWIDTH=1,", "BANDWIDTH=1,"), (",", ","), ("BANDWIDTH=1 , ", "BANDWIDTH=1 ,"), ("A=\",\"", "A=\",\","),
        ("BANDWIDTH=1,CODECS=\"avc1.4d401e,mp4a.40.2\",RESOLUTION=1280x720,FRAME-RATE=29.970,AUDIO=\"aud\",", nil),
    ])
    func aListThatEndsInACommaGetsNoOther(list: String, start: String?) throws {
        for ending in ["\n", "\r\n", " \r\n"] {
            let playlist = { (list: String, tag: String) in
                "#EXTM3U\n#EXT-X-STREAM-INF:\(list)\nv\n#EXT-X-STREAM-INF:A=2\(tag.isEmpty ? "" : ",SUBTITLES=\"subs\"")\nw\n\(tag)"
                    .replacing("\n", with: ending.hasPrefix(" ") ? "\r\n" : ending)
            }
            let space = (ending.hasPrefix(" ") ? " " : "") + (list.hasSuffix(" ") ? " " : "")
            let bare = list.hasSuffix(" ") ? String(list.dropLast()) : list
            try Self.sideloading().check(
                playlist(bare + space, ""),
                playlist("\(start ?? list)SUBTITLES=\"subs\"" + space, Track.english() + "\n"))
        }
    }

    /// An empty value names no group, and is replaced.
    @Test(arguments: [
        ("SUBTITLES=\"\",A=1", "SUBTITLES=\"subs\",A=1"), ("SUBTITLES=", "SUBTITLES=\"subs\""),
        ("A=1, SUBTITLES = ,B=2", "A=1, SUBTITLES =\"subs\" ,B=2"),
        ("SUBTITLES,SUBTITLES=", "SUBTITLES=\"subs\",SUBTITLES="),
        ("SUBTITLES=\"{$none}\"", "SUBTITLES=\"subs\""),
    ])
    func anEmptyValueIsReplaced(list: String, expected: String) throws {
        let head = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"none\",VALUE=\"\"\n#EXT-X-STREAM-INF:"
        try Self.sideloading().check(
            "\(head)\(list)\nv\n", "\(head)\(expected)\nv\n\(Track.english())\n")
    }

    /// What some reader takes for the end of a line is written nowhere again: such a variant is reported and stays, and the value of
    /// such a variable is not put in.
    @Test(arguments: ["\r", "\u{B}", "\u{85}", "\u{2028}", "\u{1}", "\u{7F}"])
    func controlCharactersAreNotWrittenAgain(control: String) throws {
        let sideloading = try Self.sideloading()
        let inf = "#EXT-X-STREAM-INF:"
        let text = "#EXTM3U\n\(inf)SUBTITLES=\"a\(control)b\"\nv\n\(inf)A=1\nw\n"
        let answer = sideloading.answer(to: Array(text.utf8))
        let expected =
            "#EXTM3U\n\(inf)SUBTITLES=\"a\(control)b\"\nv\n\(inf)A=1,SUBTITLES=\"subs\"\nw\n\(Track.english())\n"
        #expect(String(decoding: answer.bytes, as: UTF8.self) == expected)
        let define = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"x\",VALUE=\"a\(control)b\"\n\(inf)SUBTITLES=\"{$x}\"\nv\n"
        sideloading.check(define, define + Track.english(group: "{$x}") + "\n")
        // A tag of the playlist's own is copied as it stands.
        let media = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\",NAME=\"s\(control)\",URI=\"s.m3u8\""
        let playlist = "#EXTM3U\n\(media)\n\(inf)SUBTITLES=\"h\"\nv\n"
        sideloading.check(
            playlist,
            playlist + Track.english(group: "g") + "\n" + media.replacing("\"g\"", with: "\"h\"") + "\n"
                + Track.english(group: "h") + "\n")
        // A tab between attributes breaks nothing.
        let spaced = "#EXT-X-MEDIA:TYPE=SUBTITLES,\tGROUP-ID=\"g\",NAME=\"s\",URI=\"s.m3u8\""
        let other = "#EXTM3U\n\(spaced)\n\(inf)SUBTITLES=\"h\"\nv\n"
        sideloading.check(
            other,
            other + Track.english(group: "g") + "\n" + spaced.replacing("\"g\"", with: "\"h\"") + "\n"
                + Track.english(group: "h") + "\n")
    }

    /// Readers disagree on which of two counts: the groups of both are there.
    @Test(
        arguments: [
            ("SUBTITLES=\"a\",SUBTITLES=\"b\"", nil, ["a", "b"]), ("SUBTITLES=\"a\",B=1,SUBTITLES=\"a\"", nil, ["a"]),
            ("SUBTITLES=\"a\",SUBTITLES=\"\"", nil, ["a"]),
            ("SUBTITLES=a,SUBTITLES=b,SUBTITLES=c", nil, ["a", "b", "c"]),
            ("SUBTITLES=\"\",SUBTITLES=\"a\"", "SUBTITLES=\"subs\",SUBTITLES=\"a\"", ["a", "subs"]),
        ] as [(String, String?, [String])])
    func bothGroupsOfAVariantAreJoined(list: String, expected: String?, groups: [String]) throws {
        let tags = groups.map { Track.english(group: $0) + "\n" }.joined()
        try Self.sideloading().check(
            "#EXTM3U\n#EXT-X-STREAM-INF:\(list)\nv\n", "#EXTM3U\n#EXT-X-STREAM-INF:\(expected ?? list)\nv\n\(tags)")
    }

    /// A value with an open or a stray quote names nobody knows what: the line stays, and is reported.
    @Test(
        arguments: [
            ("SUBTITLES=\"a\"b\"c\"", []), ("A=1,SUBTITLES=\"x", []), ("SUBTITLES=a\"b\"", []),
            ("SUBTITLES=\"a\",SUBTITLES=\"x", ["a"]), ("SUBTITLES=\"\",SUBTITLES=\"a\"b\"c\",SUBTITLES=\"d\"", ["d"]),
        ] as [(String, [String])])
    func aStrayQuoteIsReported(list: String, groups: [String]) throws {
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:\(list)\nv\n"
        let answer = try Self.sideloading().answer(to: Array(text.utf8))
        #expect(answer.uneditableLines == 1 && answer.firstUneditableLine == 8)
        let tags = groups.map { Track.english(group: $0) + "\n" }.joined()
        #expect(String(decoding: answer.bytes, as: UTF8.self) == text + tags)
    }

    /// An open quote elsewhere matters only to a variant that must be edited.
    @Test func anOpenQuoteAfterTheGroupIsLeftAlone() throws {
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"a\",B=\"\nv\n"
        try Self.sideloading().check(text, text + Track.english(group: "a") + "\n")
        #expect(try Self.sideloading().answer(to: Array(text.utf8)).uneditableLines == 0)
        let empty = "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=,B=\"\nv\n"
        try Self.sideloading().check(empty, empty)
        #expect(try Self.sideloading().answer(to: Array(empty.utf8)).uneditableLines == 1)
    }

    @Test func aGroupWithoutANameIsNone() throws {
        let media = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\",NAME=\"x\",URI=\"x\"\n"
        try Self.sideloading().check(
            "#EXTM3U\n\(media)#EXT-X-STREAM-INF:A=1\nv\n",
            "#EXTM3U\n\(media)#EXT-X-STREAM-INF:A=1,SUBTITLES=\"subs\"\nv\n\(Track.english())\n")
    }

    /// Masters in the field end so.
    @Test(arguments: [
        "#EXT-X-ENDLIST\n", "#EXT-X-ALLOW-CACHE:NO\n", "#EXT-X-ENDLIST\n#EXT-X-STREAM-INF:B=1,SUBTITLES=\"subs\"\nw\n",
    ])
    func aMasterThatEndsAsMediaPlaylistsDoIsAMaster(end: String) throws {
        try Self.sideloading().check(
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n\(end)",
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"subs\"\nv\n\(end)\(Track.english())\n")
    }

    @Test func variantsAndTagsAreCounted() throws {
        let rows = [
            ("#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\",NAME=\"x\",URI=\"x\"\n", 0, true),
            ("#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:URI=\"i\"\n", 0, false), ("", 0, false), (Self.there, 2, false),
            ("#EXTM3U\n" + String(repeating: "#EXT-X-STREAM-INF:A=1,SUBTITLES=\"a\"\nv\n", count: 3), 3, true),
            (
                "#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n#EXT-X-STREAM-INF:SUBTITLES=\"a\"\nw\n#EXT-X-STREAM-INF\nx\n", 3,
                true
            ),
        ]
        for (text, variants, adds) in rows {
            var rewriter = MasterRewriter(try Self.sideloading().tracks)
            for _ in 0..<2 {
                let bytes = Array(text.utf8)
                try bytes.withUnsafeBytes { try rewriter.write($0) { _ in } }
                var count = 0
                rewriter.finish { count += $0.count }
                #expect(rewriter.variants == variants && (rewriter.addedBytes > 0) == adds, "\(text)")
                rewriter.reset()
                #expect(rewriter.variants == 0 && rewriter.addedBytes == 0)
            }
        }
    }

    private static let there =
        "#EXTM3U\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"subs\"\nv\n#EXT-X-STREAM-INF:SUBTITLES=,A=2\nw\n\(Track.english())\n"

    @Test func aNameWithoutAValueIsNoGroup() throws {
        try Self.sideloading().check(
            "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES,A=1\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"subs\",A=1\nv\n\(Track.english())\n")
    }

    @Test func iFramePlaylistsHaveNoSubtitles() throws {
        let text = "#EXTM3U\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=1,URI=\"i\"\n"
        try Self.sideloading().check(text, text)
    }

    @Test func aNameInsideOtherTextIsNoGroup() throws {
        try Self.sideloading().check(
            "#EXTM3U\n#EXT-X-STREAM-INF:NAME=\",SUBTITLES=\",X-SUBTITLES=\"x\"\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:NAME=\",SUBTITLES=\",X-SUBTITLES=\"x\",SUBTITLES=\"subs\"\nv\n\(Track.english())\n"
        )
    }

    @Test func anUnclosedQuoteIsReported() throws {
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:NAME=\"x\nv\n#EXT-X-STREAM-INF\nw\n"
        let answer = try Self.sideloading().answer(to: Array(text.utf8))
        #expect(answer.bytes == Array(text.utf8))
        #expect(answer.uneditableLines == 2)
        #expect(answer.firstUneditableLine == 8)
    }

    /// A tag without a colon ends with its name: the next line is edited wherever the playlist is cut.
    @Test(arguments: ["#EXT-X-MEDIA", "#EXT-X-MEDIA\nTYPE=AUDIO", "#EXT-X-MEDIA\n#EXT-X-MEDIA:TYPE=AUDIO,URI=\"a\""])
    func aLineAfterATagWithoutAColonIsSeen(lines: String) throws {
        for ending in ["\n", "\r\n"] {
            let playlist = { (list: String, tag: String) in
                "#EXTM3U\n\(lines)\n#EXT-X-STREAM-INF:A=1\(list)\nv\n\(tag)".replacing("\n", with: ending)
            }
            try Self.sideloading().check(
                playlist("", ""), playlist(",SUBTITLES=\"subs\"", Track.english() + "\n"))
        }
    }

    /// Of duplicates the first counts, in the playlist's own tags and in their copies.
    @Test func aCopyOfARenditionWithDuplicatesIsChangedAsTheRenditionIs() throws {
        let track = SubtitleTrack(uri: "en.m3u8", language: "en", name: "English", isDefault: true)
        let media = { (first: String, group: String) in
            "#EXT-X-MEDIA:TYPE=SUBTITLES,DEFAULT=\(first),\(group),NAME=\"x\",DEFAULT=x,URI=\"x\"\n"
        }
        let variant = "#EXT-X-STREAM-INF:SUBTITLES=\"a\"\nv\n"
        let tracks = ["a", "g"].map { Track.english(group: $0, isDefault: true) + "\n" }
        try Sideloading([track], policy: .prefersTracks).check(
            "#EXTM3U\n\(variant)\(media("YES", "GROUP-ID,GROUP-ID=\"g\""))",
            "#EXTM3U\n\(variant)\(media("NO", "GROUP-ID,GROUP-ID=\"g\""))"
                + media("NO", "GROUP-ID=\"a\",GROUP-ID=\"g\"") + tracks.joined())
    }

    /// Stray CRs after a rendition's last attribute are not in its value, and not in a copy's line ending.
    @Test func aCopyEndsAsThePlaylistsLinesDo() throws {
        let media = { (group: String) in "#EXT-X-MEDIA:TYPE=SUBTITLES,NAME=\"x\",URI=\"x\",GROUP-ID=\"\(group)\"" }
        try Self.sideloading().check(
            "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"a\"\nv\n\(media("g")) \r\r\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"a\"\nv\n\(media("g")) \r\r\n\(media("a")) \n"
                + "\(Track.english(group: "a"))\n\(Track.english(group: "g"))\n")
    }

    // MARK: Rule 2: which group

    @Test func aVariantThatNamesAGroupKeepsItsLine() throws {
        let variant = "#EXT-X-STREAM-INF: SUBTITLES = \"own\" ,BANDWIDTH=1 "
        try Self.sideloading().check(
            "#EXTM3U\n\(variant)\nv\n", "#EXTM3U\n\(variant)\nv\n\(Track.english(group: "own"))\n")
    }

    @Test func theFirstDeclaredGroupSoFarGoesBeforeTheFallback() throws {
        let media = { (group: String) in "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\(group)\",NAME=\"x\",URI=\"x\"" }
        try Self.sideloading().check(
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1\nu\n\(media("one"))\n#EXT-X-STREAM-INF:A=2\nv\n\(media("two"))\n"
                + "#EXT-X-STREAM-INF:A=3\nw\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"subs\"\nu\n\(media("one"))\n"
                + "#EXT-X-STREAM-INF:A=2,SUBTITLES=\"one\"\nv\n\(media("two"))\n#EXT-X-STREAM-INF:A=3,SUBTITLES=\"one\"\nw\n"
                + "\(media("subs"))\n\(Track.english())\n\(Track.english(group: "one"))\n\(Track.english(group: "two"))\n"
        )
    }

    @Test func groupsOfOtherTypesAreNone() throws {
        let audio = "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"SUBTITLES\",URI=\"x\""
        try Self.sideloading().check(
            "#EXTM3U\n\(audio)\n#EXT-X-STREAM-INF:AUDIO=\"a\"\nv\n",
            "#EXTM3U\n\(audio)\n#EXT-X-STREAM-INF:AUDIO=\"a\",SUBTITLES=\"subs\"\nv\n\(Track.english())\n")
    }

    @Test(arguments: [
        "TYPE=SUBTITLES,GROUP-ID=\"g\"", "TYPE=\"SUBTITLES\",GROUP-ID=\"g\"", "TYPE= SUBTITLES,GROUP-ID=\"g\"",
        "TYPE\t=\tSUBTITLES ,GROUP-ID=g", " TYPE=SUBTITLES,GROUP-ID=\"g\"", "GROUP-ID=\"g\",TYPE=SUBTITLES",
        ",,GROUP-ID=\"g\", TYPE=SUBTITLES ", "TYPE,TYPE=SUBTITLES,GROUP-ID,GROUP-ID=\"g\"",
        "TYPE=SUBTITLES,GROUP-ID=\"g\",TYPE=AUDIO",
    ])
    func aRenditionIsReadHoweverItIsSpelled(list: String) throws {
        let media = "#EXT-X-MEDIA:\(list),NAME=\"x\""
        try Self.sideloading().check("#EXTM3U\n\(media)\n", "#EXTM3U\n\(media)\n\(Track.english(group: "g"))\n")
        try Self.sideloading().check("#EXTM3U\n\(media)", "#EXTM3U\n\(media)\n\(Track.english(group: "g"))\n")
    }

    @Test(arguments: [
        "TYPE=SUBTITLE,GROUP-ID=\"g\"", "TYPE=SUBTITLESX,GROUP-ID=\"g\"", "TYPE=subtitles,GROUP-ID=\"g\"", "TYPE=SUB",
        "TYPE=AUDIO,GROUP-ID=\"g\",X=SUBTITLES", "X-TYPE=SUBTITLES,GROUP-ID=\"g\"", "TYPE=\"\",GROUP-ID=\"SUBTITLES\"",
        "TYPE=SUBTITLES,NAME=\"GROUP-ID=\"", "TYPE=SUBTITLES,GROUP-ID", "TYPE=SUBTITLES,GROUP-ID=\"g\"h\"i\"",
        "TYPE=SUBTITLES,GROUP-ID=\"g\",NAME=\"", "TYPE=AUDIO,TYPE=SUBTITLES,GROUP-ID=\"g\"", "", "TYPE=", "TYPE=S",
    ])
    func whatIsNoSubtitleRenditionIsLeftAlone(list: String) throws {
        for text in ["#EXTM3U\n#EXT-X-MEDIA:\(list)\nv\n", "#EXTM3U\n#EXT-X-MEDIA:\(list)"] {
            try Self.sideloading().check(text, text)
        }
    }

    @Test func aTrackMayNameTheFallback() throws {
        var track = Track.english
        track.groupID = "tracks"
        try Sideloading([Track.swedish, track], fallbackGroup: "other").check(
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"tracks\"\nv\n"
                + "\(Track.tag("sv.m3u8", "sv", "Svenska", group: "tracks"))\n\(Track.english(group: "tracks"))\n")
        try Sideloading([Track.english], fallbackGroup: "other").check(
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"other\"\nv\n\(Track.english(group: "other"))\n")
    }

    // MARK: Rule 3: every group has every track

    @Test func declaredGroupsThatNobodyUsesGetTheTracks() throws {
        let media = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"idle\",NAME=\"x\",URI=\"x\""
        try Self.sideloading().check("#EXTM3U\n\(media)\n", "#EXTM3U\n\(media)\n\(Track.english(group: "idle"))\n")
    }

    @Test func groupsThatAreUsedAndNotDeclaredAreSynthesized() throws {
        let variants = "#EXT-X-STREAM-INF:SUBTITLES=\"a\"\nv\n#EXT-X-STREAM-INF:SUBTITLES=\"b\"\nw\n"
        try Self.sideloading().check(
            "#EXTM3U\n\(variants)", "#EXTM3U\n\(variants)\(Track.english(group: "a"))\n\(Track.english(group: "b"))\n")
    }

    @Test func aSynthesizedGroupGetsTheRenditionsOfTheTemplate() throws {
        let rendition = { (group: String, name: String) in
            "#EXT-X-MEDIA: TYPE=SUBTITLES,X=\"GROUP-ID\",NAME=\"\(name)\", GROUP-ID = \"\(group)\" ,URI=\"\(name)\",Y=1 "
        }
        let head =
            "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"used\"\nv\n\(rendition("one", "x"))\n\(rendition("one", "y"))\n"
            + "\(rendition("two", "z"))\n"
        try Self.sideloading().check(
            head,
            head + "\(rendition("used", "x"))\n\(rendition("used", "y"))\n\(Track.english(group: "used"))\n"
                + "\(Track.english(group: "one"))\n\(Track.english(group: "two"))\n")
    }

    @Test func aGroupDeclaredAfterItIsUsedIsNotSynthesized() throws {
        let head =
            "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"g\"\nv\n"
            + "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\",NAME=\"x\",URI=\"x\"\n"
        try Self.sideloading().check(head, head + "\(Track.english(group: "g"))\n")
    }

    @Test func theFallbackMayBeDeclaredLater() throws {
        let media = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"subs\",NAME=\"x\",URI=\"x\""
        try Self.sideloading().check(
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n\(media)\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"subs\"\nv\n\(media)\n\(Track.english())\n")
    }

    @Test func aTrackThatAGroupHasIsNotAddedToIt() throws {
        let media = { (group: String) in
            "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\(group)\",NAME=\"Mine\",URI=\"en.m3u8\""
        }
        let other = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"b\",NAME=\"x\",URI=\"x\""
        // In the group that lacks it, it has the name that it has in the other.
        try Self.sideloading().check(
            "#EXTM3U\n\(media("a"))\n\(other)\n",
            "#EXTM3U\n\(media("a"))\n\(other)\n\(Track.english(group: "b", name: "Mine"))\n")
    }

    // MARK: Variables

    @Test func groupsAreEqualAfterSubstitution() throws {
        let head = """
            #EXTM3U
            #EXT-X-DEFINE:NAME="g",VALUE="group"
            #EXT-X-DEFINE:NAME="e",VALUE="{$g}-2"
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="{$g}",NAME="x",URI="x"
            #EXT-X-STREAM-INF:SUBTITLES="group"
            v
            #EXT-X-STREAM-INF:SUBTITLES="{$e}"
            v
            #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="group-2",NAME="x",URI="x"

            """
        try Self.sideloading().check(
            head, head + "\(Track.english(group: "group"))\n\(Track.english(group: "group-2"))\n")
    }

    @Test func dollarSignsThatAreNoReference() throws {
        let head =
            "#EXTM3U\n#EXT-X-DEFINE:NAME=\"g\",VALUE=\"x\"\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"$a{$g}\",NAME=\"x\"\n"
        try Self.sideloading().check(
            head + "#EXT-X-STREAM-INF:SUBTITLES=\"$ax\"\nv\n",
            head + "#EXT-X-STREAM-INF:SUBTITLES=\"$ax\"\nv\n\(Track.english(group: "$ax"))\n")
    }

    @Test func importedVariablesStayAsTheyAreWritten() throws {
        let head =
            "#EXTM3U\n#EXT-X-DEFINE:NAME=\"a\",VALUE=\"a\"\n#EXT-X-DEFINE:IMPORT=\"g\"\n"
            + "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"{$g}\",NAME=\"x\",URI=\"x\"\n"
        try Self.sideloading().check(
            head + "#EXT-X-STREAM-INF:A=1\nv\n",
            head + "#EXT-X-STREAM-INF:A=1,SUBTITLES=\"{$g}\"\nv\n\(Track.english(group: "{$g}"))\n")
    }

    /// A value that no quoted string can hold is not put into one.
    @Test func aVariableWithAQuoteIsNone() throws {
        for value in ["\"a\"b\"c\"", "\"abc", "a\"\"b"] {
            let head =
                "#EXTM3U\n#EXT-X-DEFINE:NAME=\"g\",VALUE=\(value)\n"
                + "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"{$g}\",NAME=\"x\",URI=\"x\"\n"
            try Self.sideloading().check(
                head + "#EXT-X-STREAM-INF:A=1\nv\n",
                head + "#EXT-X-STREAM-INF:A=1,SUBTITLES=\"{$g}\"\nv\n\(Track.english(group: "{$g}"))\n")
        }
    }

    @Test func tracksWithVariables() throws {
        var track = Track.english
        track.uri = "{$base}/en.m3u8"
        track.name = "{$name}"
        track.groupID = "{$g}"
        track.usesVariables = true
        let head = """
            #EXTM3U
            #EXT-X-DEFINE:NAME="g",VALUE="group"
            #EXT-X-DEFINE:NAME="base",VALUE="https://example.com"
            #EXT-X-DEFINE:NAME="name",VALUE="English"

            """
        let tag =
            "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"group\",NAME=\"English\",LANGUAGE=\"en\",DEFAULT=NO,"
            + "AUTOSELECT=YES,URI=\"{$base}/en.m3u8\""
        try Sideloading([track]).check(
            "\(head)#EXT-X-STREAM-INF:A=1\nv\n",
            "\(head)#EXT-X-STREAM-INF:A=1,SUBTITLES=\"{$g}\"\nv\n"
                + tag + "\n")
        // The group is there already, and so is the track, by their values.
        let there = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"group\",NAME=\"x\",URI=\"https://example.com/en.m3u8\"\n"
        try Sideloading([track]).check(
            "\(head)#EXT-X-STREAM-INF:A=1\nv\n\(there)",
            "\(head)#EXT-X-STREAM-INF:A=1,SUBTITLES=\"{$g}\"\nv\n\(there)")
    }
}
