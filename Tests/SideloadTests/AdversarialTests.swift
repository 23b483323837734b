import M3U8
import Sideload
import Support
import Testing

/// Playlists that try to cost more than they are long: a byte of a long one takes at most three times as long as of a short one.
///
/// The limits are far above their defaults, so that they hide nothing, but where the output is a product of what is in the playlist.
@Suite(.serialized, .enabled(if: ThreadTime.isMeasured, "skipped: SURTITLE_TIMES is not set, or no release build"))
struct AdversarialTests {
    @Test(arguments: groups + names + others)
    func timePerByte(input: CostlyInput) {
        let growth = input.growth(limit: 3)
        #expect(growth <= 3, "\(input): \(growth) times")
    }

    private static func input(
        _ name: String, tracks: [SubtitleTrack]? = nil, hasLimits: Bool = false,
        _ text: @escaping @Sendable (Int) -> [UInt8]
    ) -> [CostlyInput] {
        let limits =
            hasLimits
            ? SideloadLimits()
            : SideloadLimits(
                lines: LineLimits(longestLine: 8 << 20), heldRenditions: 1 << 30, longestGroupID: 8 << 20,
                appendedTags: 1 << 40)
        let checked = try? SubtitleTracks(tracks ?? [SubtitleTrack(uri: "en.m3u8", language: "en", name: "English")])
        return [nil, 4096, 16].map { chunk in
            CostlyInput(name, inChunksOf: chunk, text) { chunks in
                guard let checked else { return }
                var rewriter = MasterRewriter(checked, limits: limits)
                for chunk in chunks { try? rewriter.write(chunk) { _ in } }
                rewriter.finish { _ in }
            }
        }
    }

    private static let inf = "#EXT-X-STREAM-INF:BANDWIDTH=1"

    private static func media(_ group: String, _ name: String, _ uri: String) -> String {
        "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"\(group)\",NAME=\"\(name)\",URI=\"\(uri)\"\n"
    }

    private static let groups: [CostlyInput] =
        input("a group for each variant") { count in
            CostlyText.numbered(count, after: "#EXTM3U\n") { "\(inf),SUBTITLES=\"g\($0)\"\nv\n" }
        }
        + input("groups whose names begin alike") { count in
            CostlyText.numbered(count, after: "#EXTM3U\n") {
                "\(inf),SUBTITLES=\"\(String(repeating: "a", count: $0 % 200))\($0 / 200)\"\nv\n"
            }
        }
        + input("groups, and variants that all name the last") { count in
            let start = (0..<3300).map { "\(inf),SUBTITLES=\"g\($0)\"\nv\n" }.joined()
            return CostlyText.repeated("\(inf),SUBTITLES=\"g3299\"\nv\n", count, after: "#EXTM3U\n" + start)
        }
        + input("empty variables, and groups made of them") { count in
            let start = (0..<170).map { "#EXT-X-DEFINE:NAME=\"v\($0)\",VALUE=\"\"\n" }.joined()
            return CostlyText.numbered(count, after: "#EXTM3U\n" + start) { number in
                let references = (0..<30).map { "{$v\((number + $0) % 170)}" }.joined()
                return "\(inf),SUBTITLES=\"\(references)x\"\nv\n"
            }
        }
        + input("variables, and references that never end") { count in
            let start = (1..<170).map { "#EXT-X-DEFINE:NAME=\"\(String(repeating: "v", count: $0))\",VALUE=\"\"\n" }
                .joined()
            return CostlyText.repeated(
                "{$vvvvvvv", count, after: "#EXTM3U\n\(start)\(inf),SUBTITLES=\"", end: "}\"\nv\n")
        }

    private static let names: [CostlyInput] =
        input("numbered names") { count in
            CostlyText.numbered(count, after: "#EXTM3U\n\(inf)\nv\n") { media("s", "English \($0)", "\($0).m3u8") }
        }
        + input("names that are taken up to the last", tracks: tracks) { count in
            CostlyText.numbered(count, after: "#EXTM3U\n\(inf)\nv\n") {
                media("s", $0 == 0 ? "E" : "E \($0 + 1)", "\($0).m3u8")
            }
        }
        + input("groups, tracks and renditions", tracks: tracks, hasLimits: true) { count in
            CostlyText.numbered(count, after: "#EXTM3U\n") {
                $0 % 2 == 0 ? media("s", "n\($0)", "\($0).m3u8") : "\(inf),SUBTITLES=\"g\($0)\"\nv\n"
            }
        }

    private static let tracks = (0..<40).map { SubtitleTrack(uri: "track-\($0).m3u8", language: "en", name: "E") }

    private static let others: [CostlyInput] =
        input("audio renditions") { count in
            CostlyText.numbered(count, after: "#EXTM3U\n") {
                "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"\($0)\",URI=\"\($0).m3u8\"\n"
            }
        }
        + [",", "=", "\"", "SUBTITLES=\"a\",", "SUBTITLES=,"].flatMap { piece in
            input("a variant with one list of \(piece)") { count in
                let audio = "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"n\",URI=\"a.m3u8\"\n"
                return CostlyText.repeated(piece, count, after: "#EXTM3U\n\(audio)\(inf),", end: "\nv\n")
            }
        }
        + [
            CostlyInput("a language with many variants") { count in
                CostlyText.numbered(count, after: "en") { "-\(100_000 + $0)" }
            } _: { chunks in
                for chunk in chunks { _ = LanguageTag(chunk) }
            }
        ]
}
