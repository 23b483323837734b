import Foundation
import Support
import Testing

/// `master --wrap` and `sideload --wrap`: a media playlist becomes the one variant of a multivariant one.
@Suite struct WrapTests {
    private static let tag =
        "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"subs\",NAME=\"English\",LANGUAGE=\"en\",DEFAULT=NO,AUTOSELECT=YES,"
        + "URI=\"en.m3u8\"\n"
    private static let track = ["--track", "uri=en.m3u8,language=en,name=English"]

    private static func wrapped(_ attributes: String, _ uri: String) -> String {
        "#EXTM3U\n#EXT-X-STREAM-INF:\(attributes),SUBTITLES=\"subs\"\n\(uri)\n" + tag
    }

    /// Arguments, what comes out, and why.
    private static let rows: [(arguments: [String], output: String, reason: String)] = [
        (["v.m3u8", "--wrap"], wrapped("BANDWIDTH=2000000", "v.m3u8"), "the file's own name"),
        (["a b.m3u8", "--wrap"], wrapped("BANDWIDTH=2000000", "a%20b.m3u8"), "encoded"),
        (["d/v.m3u8", "--wrap"], wrapped("BANDWIDTH=2000000", "v.m3u8"), "without its folder"),
        (
            ["v.m3u8", "--wrap", "--variant-uri", "https://h/v.m3u8?a=b"],
            wrapped("BANDWIDTH=2000000", "https://h/v.m3u8?a=b"), "the URI that is given"
        ),
        (
            [
                "v.m3u8", "--wrap", "--bandwidth", "5", "--codecs", "avc1.64001e,mp4a.40.2", "--resolution",
                "640x360",
            ],
            wrapped("BANDWIDTH=5,CODECS=\"avc1.64001e,mp4a.40.2\",RESOLUTION=640x360", "v.m3u8"), "every attribute"
        ),
        (["rate.m3u8", "--wrap"], wrapped("BANDWIDTH=1500000", "rate.m3u8"), "what EXT-X-BITRATE tells"),
        (["rate.m3u8", "--wrap", "--bandwidth=7"], wrapped("BANDWIDTH=7", "rate.m3u8"), "the option wins"),
    ]

    private static func scratch() throws -> Scratch {
        let rate = Samples.media.replacing("#EXTINF:6.006", with: "#EXT-X-BITRATE:1500\n#EXTINF:6.006")
        return try Scratch([
            "v.m3u8": Samples.media, "a b.m3u8": Samples.media, "d/v.m3u8": Samples.media, "rate.m3u8": rate,
            "m.m3u8": Samples.master, "en.vtt": Samples.webVTT,
        ])
    }

    @Test(arguments: rows)
    func master(_ row: (arguments: [String], output: String, reason: String)) throws {
        let scratch = try Self.scratch()
        for chunk in [[], ["--chunk", "1"]] {
            let ran = try Ran(["master"] + row.arguments + Self.track + chunk, in: scratch)
            #expect(ran.status == 0 && ran.errors == "" && ran.notes.isEmpty, "\(row.reason)")
            #expect(ran.text == row.output, "\(row.reason)")
        }
    }

    /// What is no media playlist is treated as without the option.
    @Test(arguments: [Samples.master, Samples.mixed, Samples.undecided, Samples.webVTT, ""])
    func leavesTheRest(_ text: String) throws {
        let scratch = try Scratch(["m": text])
        let without = try Ran(["master", "m"] + Self.track, in: scratch)
        let with = try Ran(["master", "m", "--wrap"] + Self.track, in: scratch)
        #expect(with.status == without.status && with.output == without.output && with.errors == without.errors)
    }

    @Test func standardInputNeedsAURI() throws {
        let scratch = try Self.scratch()
        let input = Array(Samples.media.utf8)
        let ran = try Ran(["master", "--wrap"] + Self.track, input: input, in: scratch)
        #expect(ran.status == 2 && ran.text == "" && ran.errors.contains("--variant-uri"))
        let named = try Ran(["master", "--wrap", "--variant-uri=v.m3u8"] + Self.track, input: input, in: scratch)
        #expect(named.status == 0 && named.text == Self.wrapped("BANDWIDTH=2000000", "v.m3u8"))
        let master = try Ran(["master", "--wrap"] + Self.track, input: Array(Samples.master.utf8), in: scratch)
        #expect(master.status == 0, "a multivariant playlist needs none")
    }

    @Test(arguments: [
        (["--variant-uri", "v.m3u8"], "--variant-uri is for --wrap"),
        (["--bandwidth", "1"], "--bandwidth is for --wrap"),
        (["--codecs", "x"], "--codecs is for --wrap"), (["--resolution", "1x1"], "--resolution is for --wrap"),
        (["--wrap", "--bandwidth", "fast"], "--bandwidth fast"), (["--wrap", "--bandwidth", "+5"], "--bandwidth +5"),
        (["--wrap", "--bandwidth", "0"], "the bandwidth is 0"), (["--wrap", "--codecs", "a\"b"], "the codecs"),
        (["--wrap", "--resolution", "wide"], "the resolution"), (["--wrap", "--variant-uri", "#a"], "percent-encode"),
    ])
    func refusesArguments(_ options: [String], _ reason: String) throws {
        let scratch = try Self.scratch()
        for command in [["master", "v.m3u8"], ["sideload", "v.m3u8", "-o", "out"]] {
            let ran = try Ran(command + Self.track + options, in: scratch)
            #expect(ran.status == 2 && ran.text == "" && ran.errors.contains(reason), "\(ran.errors)")
            #expect(!scratch.exists("out"))
        }
    }

    /// The playlist of the track lasts as long as the media playlist, which needs no --media.
    @Test func sideload() throws {
        let scratch = try Self.scratch()
        let track = ["--track", "uri=en.vtt,file=en.vtt,language=en,name=English"]
        let ran = try Ran(["sideload", "v.m3u8", "--wrap", "--map", "none", "-o", "."] + track, in: scratch)
        #expect(ran.status == 0 && ran.errors == "" && ran.notes.isEmpty, "\(ran.errors) \(ran.notes)")
        #expect(try scratch.read("master.m3u8") == Self.wrapped("BANDWIDTH=2000000", "v.m3u8"))
        #expect(try scratch.read("en.m3u8").contains("#EXTINF:11.506,\nen.vtt\n"))
        #expect(try scratch.read("v.m3u8") == Samples.media)
    }

    @Test func sideloadElsewhere() throws {
        let scratch = try Self.scratch()
        let arguments = ["sideload", "d/v.m3u8", "--wrap", "-o", "out", "--name", "all.m3u8"] + Self.track
        let noted = try Ran(arguments, in: scratch)
        noted.expectNote("all.m3u8", "v.m3u8", "--base-uri")
        #expect(try scratch.read("out/all.m3u8") == Self.wrapped("BANDWIDTH=2000000", "v.m3u8"))
        let relative = try Ran(arguments + ["--base-uri", "relative"], in: scratch)
        #expect(relative.status == 0 && relative.notes.allSatisfy { $0.hasPrefix("track 1: ") })
        #expect(try scratch.read("out/all.m3u8") == Self.wrapped("BANDWIDTH=2000000", "../d/v.m3u8"))
        let absolute = try Ran(arguments + ["--base-uri", "https://h/x/"], in: scratch)
        #expect(absolute.status == 0 && absolute.notes.allSatisfy { $0.hasPrefix("track 1: ") })
        #expect(try scratch.read("out/all.m3u8") == Self.wrapped("BANDWIDTH=2000000", "https://h/x/v.m3u8"))
    }

    @Test func sideloadFromStandardInput() throws {
        let scratch = try Self.scratch()
        let arguments = ["sideload", "-", "--wrap", "-o", "out", "--variant-uri", "https://h/v.m3u8"] + Self.track
        let ran = try Ran(arguments, input: Array(Samples.media.utf8), in: scratch)
        #expect(ran.status == 0 && ran.errors == "", "\(ran.errors)")
        #expect(try scratch.read("out/master.m3u8") == Self.wrapped("BANDWIDTH=2000000", "https://h/v.m3u8"))
    }

    /// A playlist that would be its own variant.
    @Test func refusesToReferToItself() throws {
        let scratch = try Scratch(["in/master.m3u8": Samples.media])
        let ran = try Ran(["sideload", "in/master.m3u8", "--wrap", "-o", "out"] + Self.track, in: scratch)
        #expect(ran.status == 2 && ran.errors.contains("--name"), "\(ran.errors)")
        #expect(!scratch.exists("out"))
        let named = try Ran(
            ["sideload", "in/master.m3u8", "--wrap", "-o", "in", "--name", "all.m3u8"] + Self.track, in: scratch)
        #expect(named.status == 0 && named.notes.allSatisfy { $0.hasPrefix("track 1: ") }, "\(named.errors)")
        #expect(try scratch.read("in/all.m3u8") == Self.wrapped("BANDWIDTH=2000000", "master.m3u8"))
    }

    @Test func withoutTheOptionNothingIsWrapped() throws {
        let scratch = try Self.scratch()
        let ran = try Ran(["sideload", "v.m3u8", "-o", "out"] + Self.track, in: scratch)
        #expect(ran.status == 1 && ran.errors.contains("makes this a media playlist"))
        #expect(!scratch.exists("out"))
    }
}

/// A wrapped single rendition in the distribution's ffmpeg, where that is installed. It ignores subtitles: Tests/Players has players that show them.
@Suite(.enabled(if: Tool.isInstalled("ffmpeg") && Tool.isInstalled("ffprobe"), "ffmpeg is not installed"))
struct WrappedPlaybackTests {
    @Test func ffmpegPlaysIt() throws {
        let scratch = try Scratch(["subs/en.vtt": "WEBVTT\n\n00:00:00.500 --> 00:00:01.500\nhello\n"])
        let made = try Ran(
            shell: """
                ffmpeg -nostdin -v error -f lavfi -i testsrc=size=64x36:rate=25 -t 2 -c:v mpeg2video -g 25 \
                  -f hls -hls_time 1 -hls_playlist_type vod video.m3u8
                """, in: scratch)
        try #require(made.status == 0, "\(made.errors)")
        let ran = try Ran(
            "sideload", "video.m3u8", "--wrap", "--track", "subs/en.vtt,default", "-o", ".", "--name", "all.m3u8",
            in: scratch)
        #expect(ran.status == 0 && ran.errors == "" && ran.notes.isEmpty, "\(ran.errors) \(ran.notes)")
        let played = try Ran(
            shell: "ffmpeg -nostdin -v error -i all.m3u8 -map 0:v -f framemd5 - | grep -vc '^#'", in: scratch)
        #expect(played.text == "50\n" && played.errors == "", "\(played.text) \(played.errors)")
        // The map is that of the first segment of the media playlist itself.
        let start = try Ran(
            shell: "ffprobe -v error -select_streams v:0 -show_entries stream=start_pts -of csv=p=0 video0.ts",
            in: scratch)
        let tick = try #require(UInt64(start.text.prefix { $0.isNumber }))
        #expect(try scratch.read("en.vtt").hasPrefix("WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:\(tick)\n"))
    }
}
