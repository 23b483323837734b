import M3U8
import Sideload
import Support
import Testing

/// Past a limit no byte is lost, and every group that a variant was given is declared.
@Suite struct SideloadLimitTests {
    static let text = Array(
        """
        #EXTM3U
        #EXT-X-STREAM-INF:A=1
        v
        #EXT-X-DEFINE:NAME="name",VALUE="value"
        #EXT-X-STREAM-INF:SUBTITLES="used"
        v
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="one",NAME="x",DEFAULT=YES,URI="x"
        #EXT-X-STREAM-INF:A=2
        v
        #EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="two",NAME="y",URI="y"
        #EXT-X-STREAM-INF:A=3
        v

        """.utf8)

    static func sideloading(_ limits: SideloadLimits) throws -> Sideloading {
        let track = SubtitleTrack(uri: "en.m3u8", language: "en", name: "English", isDefault: true)
        var sideloading = try Sideloading([track], policy: .prefersTracks)
        sideloading.limits = limits
        return sideloading
    }

    @Test func theLimitsThatAreDocumented() {
        let limits = SideloadLimits()
        #expect(limits.heldRenditions == 262_144 && limits.longestGroupID == 256 && limits.appendedTags == 4_194_304)
        #expect(limits.lines.longestLine == LineLimits().longestLine && limits.lines.policy == .passThrough)
        let pipeline = PipelineLimits(SideloadLimits(lines: LineLimits(longestLine: 7), appendedTags: 9))
        #expect(pipeline.lines.longestLine == 7 && pipeline.tracks.lines.longestLine == 7)
        #expect(pipeline.tracks.appendedTags == 9)
    }

    @Test func whatIsRememberedIsLimited() throws {
        var positions: Set<Int> = []
        let unlimited = try Self.sideloading(SideloadLimits()).answer(to: Self.text)
        #expect(unlimited.exceededLimit == nil)
        for held in stride(from: 0, through: 1900, by: 9) {
            var limits = SideloadLimits(heldRenditions: held)
            let passing = try Self.sideloading(limits).answer(
                to: Self.text, splits: Splits.random(of: Self.text.count, times: 4))
            limits.lines.policy = .fail
            let failing = try Self.sideloading(limits).answer(
                to: Self.text, splits: Splits.random(of: Self.text.count, times: 4))
            #expect(failing.bytes == passing.bytes)
            #expect(failing.error == failing.exceededLimit)
            #expect(passing.error == nil)
            #expect(passing.exceededLimit == failing.exceededLimit)
            guard let exceeded = passing.exceededLimit else {
                #expect(passing == unlimited)
                continue
            }
            positions.insert(exceeded.position)
            #expect(exceeded.limit == .heldRenditions)
            #expect(exceeded.bytes == held)
            // Before the line that exceeds the limit the output is as without one; from there on it is the text.
            let rest = Array(Self.text[exceeded.position...])
            let lines = NaivePlaylist.lines(of: passing.bytes)
            let appended = lines.drop { line in !passing.bytes[line.position...].starts(with: rest) }
            let start = try #require(appended.first?.position)
            #expect(unlimited.bytes.starts(with: passing.bytes[..<start]))
            Self.checkGroups(passing.bytes)
        }
        #expect(positions.count >= 4)
    }

    /// Every group that an edited variant names is declared, with the track.
    static func checkGroups(_ output: [UInt8]) {
        let lines = NaivePlaylist.lines(of: output)
        let declared = lines.filter { $0.tagName == Array("EXT-X-MEDIA".utf8) }.compactMap { line in
            NaiveAttributes.first("GROUP-ID", in: line.value ?? [])
        }
        for line in lines where line.tagName == Array("EXT-X-STREAM-INF".utf8) {
            guard let group = NaiveAttributes.first("SUBTITLES", in: line.value ?? []) else { continue }
            if group != Array("used".utf8) { #expect(declared.contains(group), "\(line.text)") }
        }
    }

    @Test func aLineThatIsTooLongEndsTheEdits() throws {
        let long = "#EXT-X-STREAM-INF:A=\(String(repeating: "1", count: 100))"
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n\(long)\nw\n#EXT-X-STREAM-INF:A=2\n"
        for policy in [LineLimits.Policy.passThrough, .fail] {
            let limits = SideloadLimits(lines: LineLimits(longestLine: 100, policy: policy))
            let answer = try Self.sideloading(limits).answer(to: Array(text.utf8))
            let expected =
                "#EXTM3U\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"subs\"\nv\n\(long)\nw\n#EXT-X-STREAM-INF:A=2\n"
                + "\(Track.english(isDefault: true))\n"
            #expect(String(decoding: answer.bytes, as: UTF8.self) == expected)
            #expect(answer.exceededLimit?.position == 32)
            #expect(answer.exceededLimit?.limit == .longestLine)
            #expect((answer.error != nil) == (policy == .fail))
        }
    }

    /// Values made of values grow with every line; the limit ends that before they are in memory.
    @Test func variablesCannotGrowWithoutEnd() throws {
        var text = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"\(String(repeating: "x", count: 1000))\"\n"
        for number in 1...12 {
            let references = String(repeating: "{$v\(number - 1)}", count: 1000)
            text += "#EXT-X-DEFINE:NAME=\"v\(number)\",VALUE=\"\(references)\"\n"
        }
        text += "#EXT-X-STREAM-INF:SUBTITLES=\"{$v12}\"\nv\n#EXT-X-STREAM-INF:A=1\nw\n"
        let bytes = Array(text.utf8)
        let splits = [Splits.even(of: bytes.count, size: 1000)]
        let answer = try Sideloading([Track.english]).answer(to: bytes, splits: splits)
        #expect(answer.bytes == bytes)
        #expect(answer.exceededLimit?.limit == .heldRenditions)
        #expect(answer.exceededLimit?.bytes == 256 << 10)
    }

    /// A group and a rendition cost 64 bytes each besides their texts: a limit of just that is enough.
    @Test func aRenditionThatFitsExactlyIsKept() throws {
        let line = { (name: String) in "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\",NAME=\"\(name)\",URI=\"\(name)\"" }
        let first = line("a").utf8.count + "gaa".utf8.count + 2 * 64
        let second = line("b").utf8.count + "bb".utf8.count + 64
        for (count, cost) in [(1, first), (2, first + second)] {
            let text = "#EXTM3U\n" + ["a", "b"].prefix(count).map { line($0) + "\n" }.joined()
            for (held, fits) in [(cost - 1, false), (cost, true)] {
                let answer = try Self.sideloading(SideloadLimits(heldRenditions: held)).answer(to: Array(text.utf8))
                #expect((answer.exceededLimit == nil) == fits, "\(count) in \(held) bytes")
            }
        }
    }

    /// A name that would not fit is not cut to one that fits.
    @Test func aGroupIsNotMistakenForTheBeginningOfItsName() throws {
        let head = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v\",VALUE=\"\(String(repeating: "a", count: 150))\"\n"
        for length in 1...160 {
            let group = String(repeating: "a", count: length)
            let text =
                head + "#EXT-X-STREAM-INF:SUBTITLES=\"\(group)\"\nv\n#EXT-X-STREAM-INF:SUBTITLES=\"{$v}{$v}\"\nv\n"
            let answer = try Self.sideloading(SideloadLimits(heldRenditions: 1440)).answer(
                to: Array(text.utf8), splits: [[0..<text.utf8.count]])
            guard answer.exceededLimit != nil else { continue }
            let declared = String(decoding: answer.bytes.dropFirst(text.utf8.count), as: UTF8.self)
            #expect(declared == "\(Track.english(group: group, isDefault: true))\n" || declared.isEmpty)
        }
    }

    @Test func aLimitThatOnlyTheLastLineExceedsIsToldToo() throws {
        let text = Array("#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\",NAME=\"x\",URI=\"x\"".utf8)
        let limits = SideloadLimits(lines: LineLimits(policy: .fail), heldRenditions: 10)
        let answer = try Self.sideloading(limits).answer(to: text)
        #expect(answer.bytes == text)
        #expect(answer.exceededLimit?.position == 8)
    }

    /// A call for a whole playlist, and a sequence, throw there after all.
    @Test func theLastLineMakesAWholePlaylistThrow() async throws {
        let text = Array("#EXTM3U\n#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"g\",NAME=\"x\",URI=\"x\"".utf8)
        let tracks = try SubtitleTracks([Track.english])
        var limits = SideloadLimits(heldRenditions: 10)
        #expect(try tracks.sideloaded(into: text, limits: limits).bytes == text)
        limits.lines.policy = .fail
        let error = #expect(throws: LimitError.self) { try tracks.sideloaded(into: text, limits: limits).bytes }
        #expect(error?.position == 8)

        let chunks = AsyncStream<[UInt8]> { stream in
            for byte in text { stream.yield([byte]) }
            stream.finish()
        }
        var iterator = chunks.sideloading(tracks, limits: limits).makeAsyncIterator()
        var output: [UInt8] = []
        await #expect(throws: LimitError.self) {
            while let bytes = try await iterator.next() { output += bytes }
        }
        #expect(output == text)
        #expect(try await iterator.next() == nil)
    }
}
