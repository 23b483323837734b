import M3U8
import Sideload
import Testing
import WebVTT

@testable import surtitle

@Suite struct TrackSpecTests {
    @Test(arguments: [
        ("", [""]), ("a", ["a"]), ("a,b", ["a", "b"]), (",", ["", ""]), ("a\\,b,c", ["a,b", "c"]), ("a\\b", ["a\\b"]),
        ("a\\\\,b", ["a\\,b"]), ("a\\", ["a\\"]), ("\\,\\,", [",,"]), ("é\\,字,ü", ["é,字", "ü"]),
        ("a,\u{301}b\\,\u{301}c", ["a", "\u{301}b,\u{301}c"]),
    ])
    func isCutAtCommas(_ text: String, _ items: [String]) {
        #expect(
            TrackConfiguration.items(of: Array(text.utf8)) == items.map { Array($0.utf8) })
    }

    private static func spec(_ change: (inout TrackConfiguration) -> Void) -> TrackConfiguration {
        var spec = TrackConfiguration(SubtitleTrack(uri: "en.vtt", name: "English"), format: .webVTT)
        change(&spec)
        return spec
    }

    private static let good: [(String, TrackConfiguration)] = [
        ("uri=en.vtt", spec { _ in }),
        ("uri=subs/en.m3u8", spec { ($0.track.uri, $0.format) = ("subs/en.m3u8", .playlist) }),
        ("uri=EN.VTT?a=b#c", spec { ($0.track.uri, $0.track.name) = ("EN.VTT?a=b#c", "English") }),
        ("uri=a/sv%20x.webvtt", spec { ($0.track.uri, $0.track.name) = ("a/sv%20x.webvtt", "sv x") }),
        ("uri=en,type=vtt", spec { $0.track.uri = "en" }),
        (
            "uri=http://a/?id=5,type=m3u8",
            spec { ($0.track.uri, $0.format, $0.track.name) = ("http://a/?id=5", .playlist, "subtitles") }
        ),
        ("uri=en.vtt,type=m3u8", spec { $0.format = .playlist }),
        (
            "uri=x.vtt,language=sv",
            spec { ($0.track.uri, $0.track.language, $0.track.name) = ("x.vtt", "sv", "Svenska") }
        ),
        ("uri=x.vtt,language=-", spec { ($0.track.uri, $0.track.language, $0.track.name) = ("x.vtt", "-", "-") }),
        (
            "uri=en.vtt,default=yes,forced=no,sdh=yes",
            spec { ($0.track.isDefault, $0.track.isSDH, $0.track.name) = (true, true, "English (SDH)") }
        ),
        (
            "uri=en.vtt,default=no,forced=yes,sdh=no",
            spec { ($0.track.isForced, $0.track.name) = (true, "English (forced)") }
        ),
        ("uri=en.vtt,sdh=no,kind=subtitles", spec { _ in }),
        ("name=English\\, US,uri=en.vtt", spec { $0.track.name = "English, US" }),
        ("name=\u{301}x,uri=a/\u{301}.vtt", spec { ($0.track.uri, $0.track.name) = ("a/\u{301}.vtt", "\u{301}x") }),
        (
            "uri=en.vtt,default,forced,sdh,name=N",
            spec {
                ($0.track.isDefault, $0.track.isForced, $0.track.isSDH) = (true, true, true)
                $0.track.name = "N"
            }
        ),
        (
            "uri=en.vtt,kind=captions",
            spec { ($0.track.isSDH, $0.track.kind, $0.track.name) = (true, .captions, "English (SDH)") }
        ),
        ("uri=en.vtt,kind=subtitles", spec { _ in }),
        ("uri=en.vtt,sdh,kind=subtitles", spec { ($0.track.isSDH, $0.track.name) = (true, "English (SDH)") }),
        ("uri=en.vtt,autoselect=no", spec { $0.track.isAutoselected = false }),
        ("uri=en.vtt,autoselect=yes", spec { _ in }),
        ("uri=en.vtt,file=en.SRT", spec { $0.file = "en.SRT" }),
        ("uri=en.srt,type=vtt", spec { $0.track.uri = "en.srt" }),
        ("uri=en.vtt,file=a=b.vtt", spec { ($0.file, $0.track.name) = ("a=b.vtt", "a=b") }),
        ("uri=en.vtt,duration=634.567", spec { $0.duration = DecimalSeconds(nanoseconds: 634_567_000_000) }),
        ("uri=en.vtt,duration=5", spec { $0.duration = DecimalSeconds(nanoseconds: 5000_000_000) }),
        ("uri=en.vtt,duration=90s", spec { $0.duration = DecimalSeconds(nanoseconds: 90_000_000_000) }),
        ("uri=en.vtt,duration=1:30", spec { $0.duration = DecimalSeconds(nanoseconds: 90_000_000_000) }),
        ("uri=en.vtt,duration=90:00.5", spec { $0.duration = DecimalSeconds(nanoseconds: 5_400_500_000_000) }),
        ("uri=en.vtt,duration=1:02:03.5", spec { $0.duration = DecimalSeconds(nanoseconds: 3_723_500_000_000) }),
        ("uri=en.vtt,duration=0.0001", spec { $0.duration = DecimalSeconds(nanoseconds: 100_000) }),
        (
            "uri=en.vtt,group=g,stable-id=s,assoc-language=fr",
            spec { ($0.track.groupID, $0.track.stableRenditionID, $0.track.associatedLanguage) = ("g", "s", "fr") }
        ),
    ]

    @Test(arguments: good)
    func isRead(_ text: String, _ expected: TrackConfiguration) throws {
        #expect(try TrackConfiguration(option: text, number: 1) == expected)
    }

    @Test(arguments: [
        ("", "nothing stands"), ("uri=en.vtt,", "nothing stands"), ("uri=en.vtt,,default", "nothing stands"),
        ("=x", "nothing stands"), ("language=en", "uri is missing"), ("uri=", "uri needs a value"),
        ("uri", "uri needs a value"), ("uri=en.vtt,name=", "name needs a value"),
        ("uri=en.vtt,default=1", "default is 1; use yes or no"), ("uri=en.vtt,sdh=", "sdh needs a value: sdh[=yes|no]"),
        ("uri=en.vtt,forced=true", "forced is true; use yes or no"),
        ("uri=en.vtt,sdh=no,kind=captions", "captions means sdh"),
        ("subs/en.txt", "unknown key \"subs/en.txt\""), ("default,subs/en.srt", "unknown key \"subs/en.srt\""),
        ("subs/en.txt", "a path comes first and ends in .vtt, .srt or .m3u8"),
        ("en.srt,file=x.srt", "file is there twice"), ("https://example.com/en.srt", "players do not take"),
        ("en.srt,type=m3u8", "file is for a .vtt uri"),
        ("uri=en.vtt,duration=1:60", "like 10:34.567 or 1:02:03.5"), ("uri=en.vtt,duration=1:5", "no time"),
        ("uri=en.vtt,duration=1:2:03", "no time"), ("uri=en.vtt,duration=:30", "no time"),
        ("uri=en.vtt,duration=1:30s", "no time"), ("uri=en.vtt,duration=1:1:1:11", "no time"),
        ("uri=en.vtt,duration=0:00", "no time"), ("uri=en.vtt,duration=+1:30", "no time"),
        ("uri=en.vtt,duration=1:30\\,5", "no time"), ("uri=en.vtt,duration=s", "no time"),
        ("uri=en.vtt,duration=-1:30", "no time"), ("uri=en.vtt,duration=1: 30", "no time"),
        ("uri=en.vtt,uri=sv.vtt", "uri is there twice"),
        ("uri=en.vtt,default,default", "default is there twice"),
        ("uri=en.vtt,lang=en", "unknown key \"lang\"; did you mean language?"),
        ("uri=en.vtt,bold", "unknown key \"bold\""), ("uri=en.vtt,name=a, b", "unknown key \" b\""),
        ("uri=en.vtt,autoselect=1", "autoselect is 1; use yes or no"),
        ("uri=en.vtt,kind=sdh", "use subtitles or captions"),
        ("uri=en.vtt,type=srt", "players do not take"), ("uri=en.vtt,type=ass", "type is ass; use vtt, srt or m3u8"),
        ("uri=en", "add the type: vtt, srt or m3u8"),
        ("uri=https://example.com/", "add the type: vtt, srt or m3u8"), ("uri=en.srt", "players do not take"),
        ("uri=en.m3u8,file=en.vtt", "file is for a .vtt uri"),
        ("uri=en.vtt,file=-", "cannot be standard input"), ("uri=en.vtt,duration=0", "no number of seconds above 0"),
        ("uri=en.vtt,duration=-1", "no number"), ("uri=en.vtt,duration=1e3", "no number"),
        ("uri=en.vtt,duration=1\\,5", "no number"), ("uri=en.vtt,duration=x", "no number"),
    ])
    func isRefused(_ text: String, _ part: String) {
        let error = #expect(throws: Failure.self) { try TrackConfiguration(option: text, number: 3) }
        #expect(error?.status == 2)
        #expect(error?.message?.hasPrefix("track 3") == true)
        #expect(error?.message?.contains(part) == true, "\(error?.message ?? "")")
    }

    /// A path, and the uri, language, name and flags that it stands for.
    private static let paths: [(String, String, String?, String, String)] = [
        ("subs/movie.sv.srt", "movie.sv.vtt", "sv", "Svenska", ""),
        ("movie.en.vtt", "movie.en.vtt", "en", "English", ""),
        ("/a/en.webvtt", "en.vtt", "en", "English", ""),
        ("../m.eng.SRT", "m.eng.vtt", "en", "English", ""),
        ("movie.pt-BR.srt", "movie.pt-BR.vtt", "pt-BR", "Português (Brasil)", ""),
        ("movie.zh_hans.srt", "movie.zh_hans.vtt", "zh-Hans", "简体中文", ""),
        ("movie.zh-Hant-TW.srt", "movie.zh-Hant-TW.vtt", "zh-Hant-TW", "繁體中文 (TW)", ""),
        ("movie.es-419.srt", "movie.es-419.vtt", "es-419", "Español (Latinoamérica)", ""),
        ("movie.en-GB.srt", "movie.en-GB.vtt", "en-GB", "English (GB)", ""),
        ("movie.ger.srt", "movie.ger.vtt", "de", "Deutsch", ""),
        ("movie.srt,language=no+1", "movie.vtt", "no+1", "no+1", ""),
        ("movie.haw.srt", "movie.haw.vtt", "haw", "haw", ""),
        ("movie.final.srt", "movie.final.vtt", nil, "movie.final", ""),
        ("movie.v2.vtt", "movie.v2.vtt", nil, "movie.v2", ""),
        ("movie.srt", "movie.vtt", nil, "movie", ""),
        ("movie.no-logo.srt", "movie.no-logo.vtt", nil, "movie.no-logo", ""),
        ("movie.en-edited.srt", "movie.en-edited.vtt", nil, "movie.en-edited", ""),
        ("movie.qqq.srt", "movie.qqq.vtt", nil, "movie.qqq", ""),
        ("movie.en.sdh.srt", "movie.en.sdh.vtt", "en", "English (SDH)", "sdh"),
        ("movie.en.CC.srt", "movie.en.CC.vtt", "en", "English (SDH)", "sdh"),
        ("movie.en.forced.srt", "movie.en.forced.vtt", "en", "English (forced)", "forced"),
        ("movie.en.forced.sdh.srt", "movie.en.forced.sdh.vtt", "en", "English (forced, SDH)", "forced sdh"),
        ("movie.forced.srt", "movie.forced.vtt", nil, "movie.forced", "forced"),
        ("forced.srt", "forced.vtt", nil, "forced", ""),
        ("a b#é?%:1.fr.srt", "a%20b%23%C3%A9%3F%25%3A1.fr.vtt", "fr", "Français", ""),
        ("\u{F}\u{10}.vtt,name=N", "%0F%10.vtt", nil, "N", ""),
        ("a\\,b.fr.srt", "a,b.fr.vtt", "fr", "Français", ""),
        ("movie.en.sdh.srt,sdh=no,language=sv", "movie.en.sdh.vtt", "sv", "Svenska", ""),
        ("movie.en.forced.srt,forced=no,default,name=N", "movie.en.forced.vtt", "en", "N", "default"),
        ("movie.en.sdh.srt,kind=subtitles", "movie.en.sdh.vtt", "en", "English (SDH)", "sdh"),
        ("subs/movie.sv.srt,uri=x/y.vtt", "x/y.vtt", "sv", "Svenska", ""),
        ("subs/movie.srt,uri=x/y.vtt", "x/y.vtt", nil, "movie", ""),
    ]

    @Test(arguments: paths)
    func isAPath(_ text: String, _ uri: String, _ language: String?, _ name: String, _ flags: String) throws {
        let spec = try TrackConfiguration(option: text, number: 1)
        #expect(
            spec.track.uri == uri && spec.track.language == language && spec.track.name == name
                && spec.format == .webVTT)
        #expect(spec.file == String(decoding: TrackConfiguration.items(of: Array(text.utf8))[0], as: UTF8.self))
        let found = [("default", spec.track.isDefault), ("forced", spec.track.isForced), ("sdh", spec.track.isSDH)]
        #expect(found.filter(\.1).map(\.0).joined(separator: " ") == flags)
    }

    @Test(arguments: [
        ("subs/sv.m3u8", "sv", "Svenska", SubtitleFormat.playlist),
        ("https://example.com/a/movie.en.vtt?x", "en", "English", .webVTT),
    ])
    func isAURI(_ text: String, _ language: String, _ name: String, _ format: SubtitleFormat) throws {
        let spec = try TrackConfiguration(option: text, number: 1)
        #expect(spec.track.uri == text && spec.file == nil && spec.format == format)
        #expect(spec.track.language == language && spec.track.name == name)
    }

    @Test func becomesATrack() throws {
        let spec = try TrackConfiguration(
            option:
                "uri=en.vtt,language=en,name=N,default,forced,sdh,autoselect=no,group=g,stable-id=s,assoc-language=fr",
            number: 1)
        let track = spec.track(uri: "en.m3u8")
        #expect(track.uri == "en.m3u8" && track.language == "en" && track.name == "N" && track.groupID == "g")
        #expect(track.isDefault && track.isForced && track.isSDH && !track.isAutoselected)
        #expect(track.stableRenditionID == "s" && track.associatedLanguage == "fr" && !track.usesVariables)
    }
}
