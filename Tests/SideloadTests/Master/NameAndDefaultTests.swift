import M3U8
import Sideload
import Support
import Testing

/// Rules 4 and 5: names are unique in their group, and one of its renditions at most is the default (8216bis 4.4.6.1).
@Suite struct NameAndDefaultTests {
    /// A track keeps the name it has in the playlist, unless that would break out of its quotes or is empty.
    @Test(arguments: ["NAME=\"Eng\"X=\"lish\"", "NAME=\"\"", "NAME=", "A=1", "NAME=\"a\rb\""])
    func aNameThatCannotBeWrittenAgainIsNotTakenOver(name: String) throws {
        let group = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\",\(name),URI=\"en.m3u8\"\n"
        let other = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"h\",NAME=\"x\",URI=\"x\"\n"
        try Sideloading([Track.english]).check(
            "#EXTM3U\n\(group)\(other)", "#EXTM3U\n\(group)\(other)\(Track.english(group: "h"))\n")
    }

    static func media(
        _ name: String, group: String = "g", uri: String? = nil, isDefault: String? = nil
    ) -> String {
        "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\(group)\",NAME=\"\(name)\""
            + (isDefault.map { ",DEFAULT=\($0)" } ?? "") + ",URI=\"\(uri ?? name)\""
    }

    // MARK: Rule 4

    @Test(arguments: [
        ([], "English"), (["English"], "English 2"), (["English", "English 2"], "English 3"),
        (["English 2"], "English"),
        (["English", "English 3"], "English 2"), (["English", "English 5"], "English 2"), (["english"], "English"),
        (["English "], "English"),
        ((["English"] + (2...11).map { "English \($0)" }), "English 12"),
        // What is no number from 2 on, written as numbers are, takes none.
        (
            ["English", "English 1", "English 0", "English 02", "English 2x", "English ", "EnglishX2", "Xnglish 2"],
            "English 2"
        ),
        (["English", "English 2", "English 100000003", "English 1000000003", "English 3 "], "English 3"),
    ])
    func aTakenNameIsNumbered(taken: [String], name: String) throws {
        let head = "#EXTM3U\n" + (taken + ["x"]).map { Self.media($0) + "\n" }.joined()
        try Sideloading([Track.english]).check(head, head + "\(Track.english(group: "g", name: name))\n")
    }

    @Test func aNameIsTheSameInAllGroups() throws {
        let head = "#EXTM3U\n\(Self.media("English", group: "a"))\n\(Self.media("x", group: "b"))\n"
        try Sideloading([Track.english]).check(
            head,
            head + "\(Track.english(group: "a", name: "English 2"))\n\(Track.english(group: "b", name: "English 2"))\n")
    }

    @Test func tracksOfOneNameAreNumbered() throws {
        let tracks = ["a", "b", "c"].map { SubtitleTrack(uri: $0, language: "en", name: "English") }
        let head = "#EXTM3U\n\(Self.media("English 2"))\n"
        let tags = [("a", "English"), ("b", "English 3"), ("c", "English 4")].map {
            Track.tag($0, "en", $1, group: "g")
        }
        try Sideloading(tracks).check(head, head + tags.map { "\($0)\n" }.joined())
    }

    /// A track that is in one group has the name it has there in the others, unless another rendition has that name.
    @Test func aKnownNameThatIsTakenElsewhereIsNumbered() throws {
        let head =
            "#EXTM3U\n\(Self.media("English", group: "a", uri: "en.m3u8"))\n\(Self.media("English", group: "b"))\n"
        try Sideloading([Track.english]).check(head, head + "\(Track.english(group: "b", name: "English 2"))\n")
    }

    /// The number that the track itself has in a group is free for it in the others.
    @Test func theNumberOfTheTrackItselfIsFree() throws {
        let head =
            "#EXTM3U\n\(Self.media("English", group: "a", uri: "en.m3u8"))\n"
            + "\(Self.media("English 2", group: "b", uri: "en.m3u8"))\n\(Self.media("English", group: "c"))\n"
        try Sideloading([Track.english]).check(head, head + "\(Track.english(group: "c", name: "English 2"))\n")
    }

    @Test func namesOfOtherTypesDoNotCount() throws {
        let head =
            "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"g\",NAME=\"English\",URI=\"SUBTITLES\"\n\(Self.media("x"))\n"
        try Sideloading([Track.english]).check(head, head + "\(Track.english(group: "g"))\n")
    }

    // MARK: Rule 5

    static let defaultTrack = SubtitleTrack(uri: "en.m3u8", language: "en", name: "English", isDefault: true)

    @Test func theTrackIsTheDefaultWhereThereIsNone() throws {
        for value in [nil, "NO", "yes", "\"NO\""] {
            let head = "#EXTM3U\n\(Self.media("x", isDefault: value))\n"
            try Sideloading([Self.defaultTrack]).check(head, head + "\(Track.english(group: "g", isDefault: true))\n")
        }
    }

    @Test func anExistingDefaultWins() throws {
        for value in ["YES", "\"YES\""] {
            let head = "#EXTM3U\n\(Self.media("x", isDefault: value))\n\(Self.media("y"))\n"
            try Sideloading([Self.defaultTrack]).check(head, head + "\(Track.english(group: "g"))\n")
        }
    }

    /// A track's tag is the same in every group: the track is not the default where another group keeps its own.
    @Test func anExistingDefaultOfAnotherGroupWinsInAll() throws {
        let head = "#EXTM3U\n\(Self.media("x", group: "a", isDefault: "YES"))\n\(Self.media("x", group: "b"))\n"
        try Sideloading([Self.defaultTrack]).check(
            head, head + "\(Track.english(group: "a"))\n\(Track.english(group: "b"))\n")
    }

    /// The track itself may be the default of a group already, and then is in all; or not, and then is in none.
    @Test(arguments: [("YES", true), ("NO", false), (nil, false)])
    func aTrackThatIsThereIsTheSameInAllGroups(value: String?, isDefault: Bool) throws {
        let there = Self.media("English", group: "a", uri: "en.m3u8", isDefault: value)
        let head = "#EXTM3U\n\(there)\n\(Self.media("x", group: "b"))\n"
        for policy in [SubtitleTracks.DefaultPolicy.keepsExisting, .prefersTracks] {
            try Sideloading([Self.defaultTrack], policy: policy).check(
                head, head + "\(Track.english(group: "b", isDefault: isDefault))\n")
        }
    }

    /// A default that is only declared after the group was synthesized counts too.
    @Test func aDefaultOfALaterGroupWinsInAll() throws {
        let head =
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"a\"\nv\n\(Self.media("x", group: "b"))\n"
            + "\(Self.media("y", group: "c", isDefault: "YES"))\n"
        try Sideloading([Self.defaultTrack]).check(
            head,
            head + "\(Self.media("x", group: "a"))\n"
                + ["a", "b", "c"].map { Track.english(group: $0) + "\n" }.joined())
    }

    @Test func anExistingDefaultGivesWayWhereTheCallerAsks() throws {
        let head = "#EXTM3U\n\(Self.media("x", isDefault: "YES"))\n\(Self.media("y", group: "h", isDefault: " YES "))\n"
        try Sideloading([Track.swedish, Self.defaultTrack], policy: .prefersTracks).check(
            head,
            "#EXTM3U\n\(Self.media("x", isDefault: "NO"))\n\(Self.media("y", group: "h", isDefault: " NO "))\n"
                + ["g", "h"].map {
                    "\(Track.tag("sv.m3u8", "sv", "Svenska", group: $0))\n\(Track.english(group: $0, isDefault: true))\n"
                }.joined())
    }

    @Test func itGivesWayInACopy() throws {
        try Sideloading([Self.defaultTrack], policy: .prefersTracks).check(
            "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"used\"\nv\n\(Self.media("x", isDefault: "YES"))\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"used\"\nv\n\(Self.media("x", isDefault: "NO"))\n"
                + "\(Self.media("x", group: "used", isDefault: "NO"))\n\(Track.english(group: "used", isDefault: true))\n"
                + "\(Track.english(group: "g", isDefault: true))\n")
    }

    @Test func aCopiedDefaultWins() throws {
        let head = "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"used\"\nv\n\(Self.media("x", isDefault: "YES"))\n"
        try Sideloading([Self.defaultTrack]).check(
            head,
            head + "\(Self.media("x", group: "used", isDefault: "YES"))\n\(Track.english(group: "used"))\n"
                + "\(Track.english(group: "g"))\n")
    }

    @Test func aDefaultGivesWayToNobodyWithoutADefaultTrack() throws {
        let head = "#EXTM3U\n\(Self.media("x", isDefault: "YES"))\n"
        try Sideloading([Track.english], policy: .prefersTracks).check(head, head + "\(Track.english(group: "g"))\n")
    }

    /// Another track of the list that is in the playlist and is its default gives way too.
    @Test func anotherTrackThatIsTheDefaultGivesWay() throws {
        let there = { (value: String) in Self.media("Svenska", uri: "sv.m3u8", isDefault: value) }
        try Sideloading([Self.defaultTrack, Track.swedish], policy: .prefersTracks).check(
            "#EXTM3U\n\(there("YES"))\n", "#EXTM3U\n\(there("NO"))\n\(Track.english(group: "g", isDefault: true))\n")
        let own = "#EXTM3U\n\(Self.media("x", uri: "en.m3u8", isDefault: "YES"))\n"
        try Sideloading([Self.defaultTrack], policy: .prefersTracks).check(own, own)
    }

    @Test func theFirstOfTwoDefaultAttributesCounts() throws {
        let line = { (first: String, second: String) in
            "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\",NAME=\"x\",DEFAULT=\(first),DEFAULT=\(second),URI=\"x\""
        }
        try Sideloading([Self.defaultTrack]).check(
            "#EXTM3U\n\(line("NO", "YES"))\n",
            "#EXTM3U\n\(line("NO", "YES"))\n\(Track.english(group: "g", isDefault: true))\n")
        try Sideloading([Self.defaultTrack], policy: .prefersTracks).check(
            "#EXTM3U\n\(line("YES", "NO"))\n",
            "#EXTM3U\n\(line("NO", "NO"))\n\(Track.english(group: "g", isDefault: true))\n")
    }
}
