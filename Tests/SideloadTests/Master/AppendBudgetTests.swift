import Drivers
import M3U8
import Support
import Testing

@testable import Sideload

/// What the library appends is limited, and the line that would exceed the limit is known.
@Suite struct AppendBudgetTests {
    /// A group of `renditions` renditions, and `used` groups that variants name and nobody declares.
    static func playlist(renditions: Int, used: Int, uri: String = "") -> [UInt8] {
        var text = "#EXTM3U\n"
        for number in 0..<renditions {
            text += "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\",NAME=\"\(number)\",URI=\"\(uri)\(number)\"\n"
        }
        for number in 0..<used { text += "#EXT-X-STREAM-INF:SUBTITLES=\"\(number)\"\nv\n" }
        return Array(text.utf8)
    }

    /// Twelve kilobytes that would become 840: with ten times as many of both, 110 would become 87 000.
    @Test func copiesAreLimited() throws {
        #expect(SideloadLimits().appendedTags == 4 << 20)
        let text = Self.playlist(renditions: 90, used: 150)
        let splits = [Splits.even(of: text.count, size: 1000)]
        var sideloading = try Sideloading([Track.english])
        let whole = sideloading.answer(to: text, splits: [])
        #expect(whole.exceededLimit == nil)
        #expect(whole.bytes.count > 800_000)

        sideloading.limits.appendedTags = 100_000
        let answer = sideloading.answer(to: text, splits: splits)
        let exceeded = try #require(answer.exceededLimit)
        #expect(exceeded.limit == .appendedTags)
        #expect(exceeded.bytes == 100_000)
        #expect(exceeded.description.contains("\(exceeded.position)"))
        #expect(answer.bytes.starts(with: text))
        let appended = answer.bytes.count - text.count
        // The estimate uses the longest names, and is not much too high.
        #expect(appended <= 100_000 && appended > 80_000)

        // Every group that was named before has all its renditions.
        let before = NaivePlaylist.lines(of: Array(text[..<exceeded.position]))
        let groups = before.count { $0.tagName == Array("EXT-X-STREAM-INF".utf8) }
        let tags = NaivePlaylist.lines(of: Array(answer.bytes[text.count...])).filter { $0.tagName != nil }
        #expect(tags.count == groups * 91 + 1)

        sideloading.limits.lines.policy = .fail
        let failing = sideloading.answer(to: text, splits: splits)
        #expect(failing.error == exceeded)
        #expect(failing.bytes == answer.bytes)
    }

    /// Wherever a playlist ends, no more is appended than a limit that leaves room for one group: each line that adds to
    /// it is asked, whatever comes after.
    @Test func noPlaylistGetsMoreThanTheLimit() throws {
        let long = String(repeating: "x", count: 90)
        let media = { (group: String, name: String) in
            "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\(group)\",NAME=\"\(name)\",URI=\"\(name)\"\n"
        }
        let uses = ["a", "b", "c"].map { "#EXT-X-STREAM-INF:SUBTITLES=\"\($0)\"\nv\n" }
        let lines =
            ["#EXT-X-STREAM-INF:A=1\nv\n", uses[0], media("g", "n"), uses[1], "#EXT-X-STREAM-INF:A=2\nw\n", uses[2]]
            + [media("g", long), media("h", long + "y"), "#EXT-X-STREAM-INF:SUBTITLES=\"\(long)\"\nv\n"]
        var sideloading = try Sideloading([Track.english])
        var exceeded: Set<Int> = []
        for count in 1...lines.count {
            let text = Array(("#EXTM3U\n" + lines.prefix(count).joined()).utf8)
            for limit in stride(from: 150, through: 3000, by: 30) {
                sideloading.limits.appendedTags = limit
                let answer = sideloading.answer(to: text, splits: [])
                if let error = answer.exceededLimit { exceeded.insert(error.position) }
                let appended = NaivePlaylist.lines(of: answer.bytes).dropFirst(
                    NaivePlaylist.lines(of: text).count
                ).reduce(0) { $0 + $1.text.count + 1 }
                #expect(appended <= limit, "\(count) of the lines")
            }
        }
        // Lines of each kind have exceeded it.
        #expect(exceeded.count == 7)
    }

    /// The line of a variable that the names of tracks may stand for exceeds it, not the one after it.
    @Test func aVariableExceedsIt() throws {
        let track = SubtitleTrack(uri: "x", name: "{$a}", usesVariables: true)
        var sideloading = try Sideloading([track])
        let head = "#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n"
        let define = "#EXT-X-DEFINE:NAME=\"a\",VALUE=\"\(String(repeating: "x", count: 1000))\"\n"
        sideloading.limits.appendedTags = 900
        #expect(sideloading.answer(to: Array(head.utf8), splits: []).exceededLimit == nil)
        let answer = sideloading.answer(to: Array((head + define + "#EXT-X-STREAM-INF:A=2\nw\n").utf8), splits: [])
        #expect(answer.exceededLimit?.limit == .appendedTags && answer.exceededLimit?.position == head.utf8.count)
    }

    /// What is estimated, term by term. The sums are worked out by hand.
    @Test func theEstimate() throws {
        let named = SubtitleTrack(uri: "x", name: "{$a}$", groupID: "{$g}", usesVariables: true)
        let sizes = try SubtitleTracks([Track.english, named]).sizes
        let other = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\",NAME=\"{$a}$\",DEFAULT=YES,AUTOSELECT=YES,URI=\"x\""
        // As the default, with a space, twenty digits and CRLF, and without the group.
        let tags = Int64(Track.english(group: "", isDefault: true).utf8.count + other.utf8.count + 2 * 23)
        #expect(sizes.count == 2 && sizes.tagBytes == tags && sizes.nameReferences == 2)
        #expect(sizes.fallbackBytes == 4 && sizes.fallbackReferences == 1)

        func span(_ count: Int) -> TextArena.Span { TextArena.Span(start: 9, end: 9 + count) }
        func rendition(_ line: Int, _ name: Int) -> RenditionLedger.Rendition {
            RenditionLedger.Rendition(line: span(line), name: span(name), uri: span(1), role: .ordinary)
        }
        var budget = AppendBudget()
        // The fallback group alone, of four bytes a track.
        #expect(budget.byteCount(for: sizes) == tags + 8)
        // The longest value, in two names and in each track's group.
        budget.countVariable(value: 5)
        budget.countVariable(value: 3)
        #expect(budget.byteCount(for: sizes) == tags + 10 + 18)
        budget.countGroup(name: span(3))
        #expect(budget.byteCount(for: sizes) == 2 * (tags + 10) + 18 + 2 * 3)
        // A copy with four bytes more and the group's name, and the longer name for each track.
        budget.countRendition(rendition(50, 7), isInTemplate: true)
        #expect(budget.byteCount(for: sizes) == 2 * (tags + 10 + 2 * 7) + 24 + 54 + 3)
        budget.countRendition(rendition(40, 9), isInTemplate: false)
        #expect(budget.byteCount(for: sizes) == 2 * (tags + 10 + 2 * 9) + 24 + 54 + 3)
        budget.countRendition(rendition(10, 1), isInTemplate: true)
        #expect(budget.byteCount(for: sizes) == 2 * (tags + 28) + 24 + 68 + 6)
        budget.countGroup(name: span(5))
        #expect(budget.byteCount(for: sizes) == 3 * (tags + 28) + 18 + 2 * 8 + 2 * 68 + 2 * 8)
        budget.countDeclaration(name: span(3))
        #expect(budget.byteCount(for: sizes) == 3 * (tags + 28) + 18 + 2 * 8 + 68 + 2 * 5)
    }

    /// Every limit, on playlists of every kind: as without a limit before the line that exceeds it, from there on the
    /// text.
    @Test func everyLimit() throws {
        var generator = SeededGenerator(seed: 111)
        let configurations = try SideloadOracleTests.configurations()
        var exceededCount = 0
        for round in 0..<400 {
            let text = MasterTokens.playlist(using: &generator)
            var sideloading = configurations[round % configurations.count].sideloading
            let unlimited = sideloading.answer(to: text, splits: [])
            sideloading.limits.appendedTags = Int.random(in: 0...2000, using: &generator)
            let splits = Splits.random(of: text.count, times: 4)
            let answer = sideloading.answer(to: text, splits: splits)
            sideloading.limits.lines.policy = .fail
            let failing = sideloading.answer(to: text, splits: splits)
            #expect(failing.bytes == answer.bytes && failing.exceededLimit == answer.exceededLimit)

            guard let exceeded = answer.exceededLimit else {
                #expect(answer == unlimited)
                let appended = Self.appended(to: text, answer)
                #expect(appended.bytes <= sideloading.limits.appendedTags || appended.groups == 1)
                continue
            }
            exceededCount += 1
            #expect(exceeded.limit == .appendedTags)
            // It is what the playlist up to that line becomes, with the rest of the text before what is appended to it.
            let head = sideloading.answer(to: Array(text[..<exceeded.position]), splits: [])
            #expect(head.exceededLimit == nil)
            let rest = Array(text[exceeded.position...])
            let lines = NaivePlaylist.lines(of: answer.bytes)
            let start = try #require(lines.map(\.position).last { answer.bytes[$0...].starts(with: rest) })
            let appended = answer.bytes[(start + rest.count)...].drop { $0 == 0x0A || $0 == 0x0D }
            let expected = Array(answer.bytes[..<start]) + Array(appended)
            #expect(head.bytes == expected, "\(String(decoding: text, as: UTF8.self))")
        }
        #expect(exceededCount > 50)
    }

    /// How many bytes of tags are appended, and to how many groups.
    static func appended(to text: [UInt8], _ answer: RewriterAnswer) -> (bytes: Int, groups: Int) {
        let lines = NaivePlaylist.lines(of: answer.bytes).dropFirst(NaivePlaylist.lines(of: text).count)
        let groups = lines.compactMap { NaiveAttributes.first("GROUP-ID", in: $0.value ?? []) }
        return (lines.reduce(0) { $0 + $1.whole.count }, Set(groups).count)
    }

    /// One name goes into every variant's line, so its length decides how much the lines grow.
    @Test(arguments: [LineLimits.Policy.passThrough, .fail])
    func namesOfGroupsAreLimited(policy: LineLimits.Policy) throws {
        var sideloading = try Sideloading([Track.english])
        sideloading.limits = SideloadLimits(lines: LineLimits(policy: policy), longestGroupID: 40)
        for (count, isTooLong) in [(40, false), (41, true), (500, true)] {
            let name = String(repeating: "n", count: count)
            let half = String(repeating: "n", count: count / 2)
            let define = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v\",VALUE=\"\(half)\"\n"
            let reference = "{$v}{$v}\(count % 2 == 0 ? "" : "n")"
            let declaring = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\(reference)\",NAME=\"x\",URI=\"x\"\n"
            let using = "#EXT-X-STREAM-INF:A=1,SUBTITLES=\"\(name)\"\nv\n"
            let lacking = "#EXT-X-STREAM-INF:A=1\nv\n"
            for line in [declaring, using] {
                let text = define + line + lacking
                let answer = sideloading.answer(to: Array(text.utf8))
                if isTooLong {
                    #expect(String(decoding: answer.bytes, as: UTF8.self) == text)
                    let position = define.utf8.count
                    #expect(answer.exceededLimit?.position == position)
                    #expect(answer.exceededLimit?.limit == .longestGroupID)
                    #expect(answer.exceededLimit?.bytes == 40)
                    #expect(answer.exceededLimit?.description.contains("at byte \(position)") == true)
                    #expect(answer.error == (policy == .fail ? answer.exceededLimit : nil))
                } else {
                    #expect(answer.exceededLimit == nil)
                    let output = String(decoding: answer.bytes, as: UTF8.self)
                    #expect(output.contains(using))
                    #expect(output.contains(Track.english(group: name)))
                }
            }
        }
    }

    /// The fallback group is declared if variants got it before the limit.
    @Test func whatWasNamedBeforeALongNameIsDeclared() throws {
        let long = String(repeating: "n", count: 300)
        let head = "#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n"
        let rest = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\(long)\",NAME=\"x\",URI=\"x\"\n#EXT-X-STREAM-INF:A=2\nv\n"
        let answer = try Sideloading([Track.english]).answer(to: Array((head + rest).utf8))
        let expected =
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"subs\"\nv\n\(rest)\(Track.english())\n"
        #expect(String(decoding: answer.bytes, as: UTF8.self) == expected)
        #expect(answer.exceededLimit?.position == head.utf8.count)
    }

    /// The one rendition of the template group counts in every synthesized group.
    @Test func aLongRenditionCounts() throws {
        let text = Self.playlist(renditions: 1, used: 20, uri: String(repeating: "x", count: 2000))
        var sideloading = try Sideloading([Track.english])
        sideloading.limits.appendedTags = 20_000
        let answer = sideloading.answer(to: text, splits: [])
        #expect(answer.exceededLimit?.limit == .appendedTags)
        let appended = answer.bytes.count - text.count
        #expect(appended <= 20_000 && appended > 16_000)
    }

    /// A copy may grow by two quotes and a line ending of two bytes, besides the longer name of its group.
    @Test(arguments: ["g", "\"g\""])
    func theGrowthOfCopiesCounts(group: String) throws {
        var text = "#EXTM3U\r\n"
        for number in 0..<100 {
            text += "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\(group),NAME=\"\(number)\",URI=\"\(number)\"\r\n"
        }
        for number in 0..<50 { text += "#EXT-X-STREAM-INF:SUBTITLES=\"\(number)\"\r\nv\r\n" }
        let bytes = Array(text.utf8)
        var sideloading = try Sideloading([Track.english])
        let appended = sideloading.answer(to: bytes, splits: []).bytes.count - bytes.count
        #expect(appended > 5000 * 60)
        sideloading.limits.appendedTags = appended - 1
        let answer = sideloading.answer(to: bytes, splits: [])
        #expect(answer.exceededLimit?.limit == .appendedTags)
        #expect(answer.bytes.count - bytes.count < appended)
    }

    /// Groups that are declared after they are used get no copies, so none are counted.
    @Test func declaredGroupsDoNotCountAsSynthesized() throws {
        let names = (100..<150).map { "\(String(repeating: "g", count: 57))\($0)" }
        var text = "#EXTM3U\n"
        for name in names { text += "#EXT-X-STREAM-INF:SUBTITLES=\"\(name)\"\nv\n" }
        for name in names { text += "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\(name)\",NAME=\"x\",URI=\"x\"\n" }
        for number in 0..<50 {
            text += "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\(names[0])\",NAME=\"\(number)\",URI=\"\(number)\"\n"
        }
        var sideloading = try Sideloading([Track.english])
        sideloading.limits.appendedTags = 25_000
        let answer = sideloading.answer(to: Array(text.utf8), splits: [])
        #expect(answer.exceededLimit == nil)
        #expect(answer.bytes.count - text.utf8.count == 50 * (Track.english(group: names[0]).utf8.count + 1))
    }

    /// A name with variables counts with the length that it gets.
    @Test func namesMadeOfVariablesCount() throws {
        var track = Track.english
        track.name = "{$v}"
        track.usesVariables = true
        let value = String(repeating: "x", count: 5000)
        var text = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v\",VALUE=\"\(value)\"\n"
        for number in 0..<100 { text += "#EXT-X-STREAM-INF:SUBTITLES=\"\(number)\"\nv\n" }
        let bytes = Array(text.utf8)
        var sideloading = try Sideloading([track])
        sideloading.limits.appendedTags = 50_000
        let answer = sideloading.answer(to: bytes, splits: [Splits.even(of: bytes.count, size: 100)])
        #expect(answer.exceededLimit?.limit == .appendedTags)
        let appended = answer.bytes.count - bytes.count
        #expect(appended <= 50_000 && appended > 40_000)
    }

    /// The length told ahead is right past these limits too.
    @Test func theLengthIsExactPastALimit() throws {
        let text = Self.playlist(renditions: 30, used: 40)
        let tracks = try SubtitleTracks([Track.english, Track.swedish])
        for limit in stride(from: 1000, to: 150_000, by: 14_001) {
            var rewriter = MasterRewriter(tracks, limits: SideloadLimits(appendedTags: limit))
            let (length, output) = try text.withUnsafeBytes { bytes in
                let length = try rewriter.outputLength(of: bytes)
                var output: [UInt8] = []
                try rewriter.write(bytes) { output += $0.bytes }
                rewriter.finish { output += $0.bytes }
                return (length, output)
            }
            #expect(length == output.count)
            #expect(try tracks.sideloaded(into: text, limits: SideloadLimits(appendedTags: limit)).bytes == output)
            #expect(output.count - text.count <= limit)
        }
    }
}
