import Foundation
import M3U8
import Sideload
import Support
import Testing

/// All rules at once, on random playlists and on those of other projects, judged by a naive parser.
@Suite struct SideloadOracleTests {
    /// Tracks, and what the judge must know of them.
    struct Configuration: Sendable {
        let sideloading: Sideloading
        let judge: NaiveSideload
    }

    static func configurations() throws -> [Configuration] { try compiled.get() }

    private static let compiled = Result {
        let defaultTrack = SubtitleTrack(uri: "en.m3u8", language: "en", name: "English", isDefault: true)
        let forced = SubtitleTrack(
            uri: "x.m3u8", language: "en", name: "English", isAutoselected: false, isForced: true)
        let english = NaiveSideload.Track(uri: "en.m3u8", name: "English", languages: ",LANGUAGE=\"en\"")
        let swedish = NaiveSideload.Track(uri: "sv.m3u8", name: "Svenska", languages: ",LANGUAGE=\"sv\"")
        var preferred = NaiveSideload([english, swedish])
        preferred.tracks[0].isDefault = true
        var keeping = preferred
        preferred.prefersTracks = true
        keeping.fallbackGroup = "grün"
        let forcedTag = NaiveSideload.Track(
            uri: "x.m3u8", name: "English", languages: ",LANGUAGE=\"en\"", rest: ",AUTOSELECT=NO,FORCED=YES")
        return [
            Configuration(sideloading: try Sideloading([Track.english]), judge: NaiveSideload([english])),
            Configuration(
                sideloading: try Sideloading([defaultTrack, Track.swedish], fallbackGroup: "grün"), judge: keeping),
            Configuration(
                sideloading: try Sideloading([defaultTrack, Track.swedish], policy: .prefersTracks), judge: preferred),
            // Of one language and one name, so that the third comes after the first and is numbered.
            Configuration(
                sideloading: try Sideloading([Track.english, Track.swedish, forced]),
                judge: NaiveSideload([english, forcedTag, swedish])),
        ]
    }

    static func judge(_ text: [UInt8], _ configuration: Configuration, splits: [[Range<Int>]], _ name: String) {
        let output = configuration.sideloading.answer(to: text, splits: splits).bytes
        let faults = configuration.judge.faults(of: output, from: text)
        let again = configuration.sideloading.answer(to: output, splits: []).bytes
        if faults.isEmpty, again == output { return }
        Issue.record(
            """
            \(name): \(faults)
            text:   \(String(decoding: text, as: UTF8.self))
            output: \(String(decoding: output, as: UTF8.self))
            again:  \(again == output ? "the same" : String(decoding: again, as: UTF8.self))
            """)
    }

    @Test func randomPlaylists() throws {
        var generator = SeededGenerator(seed: 101)
        let configurations = try Self.configurations()
        for round in 0..<600 {
            let text = MasterTokens.playlist(using: &generator)
            let splits =
                Splits.random(of: text.count, times: 4) + [Splits.even(of: text.count, size: 1)]
                + [Splits.even(of: text.count, size: 64)]
            Self.judge(text, configurations[round % configurations.count], splits: splits, "round \(round)")
        }
    }

    @Test func randomPlaylistsAtEverySplit() throws {
        var generator = SeededGenerator(seed: 102)
        let configurations = try Self.configurations()
        for round in 0..<20 {
            let text = MasterTokens.playlist(upTo: 6, using: &generator)
            Self.judge(text, configurations[round % 4], splits: Splits.all(of: text.count), "round \(round)")
        }
    }

    /// More groups and variables than the tables that find them have room for at first.
    @Test func playlistsOfManyGroups() throws {
        var generator = SeededGenerator(seed: 104)
        var text = "#EXTM3U\n#EXT-X-DEFINE:NAME=\"v0\",VALUE=\"0\"\n"
        for number in 1..<40 {
            text += "#EXT-X-DEFINE:NAME=\"v\(number)\",VALUE=\"{$v\(number / 2)}\(number)\"\n"
        }
        for _ in 0..<120 {
            let number = Int.random(in: 0..<60, using: &generator)
            let group = Bool.random(using: &generator) ? "group\(number)" : "{$v\(number % 45)}"
            let media = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\(group)\",NAME=\"\(number)\",URI=\"\(number)\"\n"
            let variant = "#EXT-X-STREAM-INF:A=1,SUBTITLES=\"\(group)\"\nv\n"
            text += number % 4 == 0 ? media : variant
        }
        Self.judge(Array(text.utf8), try Self.configurations()[1], splits: [], "many groups")
    }

    @Test func randomPlaylistsOfTheScannersTests() throws {
        var generator = SeededGenerator(seed: 103)
        let sideloading = try Self.configurations()[1].sideloading
        for _ in 0..<200 {
            let text = PlaylistTokens.playlist(using: &generator)
            let output = sideloading.answer(to: text, splits: Splits.random(of: text.count, times: 4)).bytes
            #expect(sideloading.answer(to: output, splits: []).bytes == output)
        }
    }

    @Test(.enabled(if: Conformance.isAvailable, "\(Conformance.skipped)"), arguments: ConformanceText.all)
    func conformance(_ file: ConformanceText) throws {
        let count = file.bytes.count
        let isLong = ProcessInfo.processInfo.environment["SURTITLE_LONG"] != nil && count < 10_000
        var splits = Splits.random(of: count, times: 4) + [Splits.even(of: count, size: 100)]
        if count > 100_000 { splits = [Splits.even(of: count, size: 1460)] }
        if count < 3000 { splits.append(Splits.even(of: count, size: 1)) }
        for configuration in try Self.configurations().prefix(count > 100_000 ? 1 : 4) {
            Self.judge(file.bytes, configuration, splits: isLong ? Splits.all(of: count) : splits, file.name)
        }
    }

    @Test func theJudgeFindsFault() throws {
        let judge = try Self.configurations()[0].judge
        let text = Array("#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n".utf8)
        let right = "#EXTM3U\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"subs\"\nv\n\(Track.english())\n"
        #expect(judge.faults(of: Array(right.utf8), from: text).isEmpty)
        for wrong in [
            String(decoding: text, as: UTF8.self), String(right.dropLast()), right + "\(Track.english())\n",
            right + "\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"other\"\nv\n\(Track.english(group: "other"))\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"subs\"\nv\n\(Track.english(group: "other"))\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"subs\"\nv\n\(Track.english(name: "English 2x"))\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:A=1,SUBTITLES=\"subs\"\nv\n\(Track.english(isDefault: true))\n",
        ] {
            #expect(!judge.faults(of: Array(wrong.utf8), from: text).isEmpty, "\(wrong)")
        }
    }
}
