import Sideload
import Testing

@testable import surtitle

@Suite struct TrackSpecTests {
    @Test(arguments: [
        ("", [""]), ("a", ["a"]), ("a,b", ["a", "b"]), (",", ["", ""]), ("a\\,b,c", ["a,b", "c"]), ("a\\b", ["a\\b"]),
        ("a\\\\,b", ["a\\,b"]), ("a\\", ["a\\"]), ("\\,\\,", [",,"]), ("é\\,字,ü", ["é,字", "ü"]),
        ("a,\u{301}b\\,\u{301}c", ["a", "\u{301}b,\u{301}c"]),
    ])
    func isCutAtCommas(_ text: String, _ items: [String]) { #expect(TrackSpec.items(of: text) == items) }

    private static func spec(_ change: (inout TrackSpec) -> Void) -> TrackSpec {
        var spec = TrackSpec()
        spec.uri = "en.vtt"
        spec.name = "en"
        change(&spec)
        return spec
    }

    private static let good: [(String, TrackSpec)] = [
        ("uri=en.vtt", spec { _ in }),
        ("uri=subs/en.m3u8", spec { ($0.uri, $0.target) = ("subs/en.m3u8", .playlist) }),
        ("uri=EN.VTT?a=b#c", spec { ($0.uri, $0.name) = ("EN.VTT?a=b#c", "EN") }),
        ("uri=a/sv%20x.webvtt", spec { ($0.uri, $0.name) = ("a/sv%20x.webvtt", "sv x") }),
        ("uri=en,type=vtt", spec { $0.uri = "en" }),
        (
            "uri=http://a/?id=5,type=m3u8",
            spec { ($0.uri, $0.target, $0.name) = ("http://a/?id=5", .playlist, "subtitles") }
        ),
        ("uri=en.vtt,type=m3u8", spec { $0.target = .playlist }),
        ("uri=x.vtt,language=sv", spec { ($0.uri, $0.language, $0.name) = ("x.vtt", "sv", "sv") }),
        ("name=English\\, US,uri=en.vtt", spec { $0.name = "English, US" }),
        ("name=\u{301}x,uri=a/\u{301}.vtt", spec { ($0.uri, $0.name) = ("a/\u{301}.vtt", "\u{301}x") }),
        ("uri=en.vtt,default,forced,sdh", spec { ($0.isDefault, $0.isForced, $0.isSDH) = (true, true, true) }),
        ("uri=en.vtt,kind=captions", spec { $0.isSDH = true }),
        ("uri=en.vtt,kind=subtitles", spec { _ in }),
        ("uri=en.vtt,sdh,kind=subtitles", spec { $0.isSDH = true }),
        ("uri=en.vtt,autoselect=no", spec { $0.isAutoselected = false }),
        ("uri=en.vtt,autoselect=yes", spec { _ in }),
        ("uri=en.vtt,file=en.SRT", spec { $0.file = "en.SRT" }),
        ("uri=en.srt,type=vtt", spec { $0.uri = "en.srt" }),
        ("uri=en.vtt,file=a=b.vtt", spec { $0.file = "a=b.vtt" }),
        ("uri=en.vtt,duration=634.567", spec { $0.duration = MediaDuration(milliseconds: 634_567) }),
        ("uri=en.vtt,duration=5", spec { $0.duration = MediaDuration(milliseconds: 5000) }),
        ("uri=en.vtt,duration=0.0001", spec { $0.duration = MediaDuration(milliseconds: 1) }),
        (
            "uri=en.vtt,group=g,stable-id=s,assoc-language=fr",
            spec { ($0.group, $0.stableID, $0.associatedLanguage) = ("g", "s", "fr") }
        ),
    ]

    @Test(arguments: good)
    func isRead(_ text: String, _ expected: TrackSpec) throws {
        #expect(try TrackSpec(text, number: 1) == expected)
    }

    @Test(arguments: [
        ("", "nothing stands"), ("uri=en.vtt,", "nothing stands"), ("uri=en.vtt,,default", "nothing stands"),
        ("=x", "nothing stands"), ("language=en", "uri is missing"), ("uri=", "uri needs a value"),
        ("uri", "uri needs a value"), ("uri=en.vtt,name=", "name needs a value"),
        ("uri=en.vtt,default=yes", "is a flag"),
        ("uri=en.vtt,sdh=", "is a flag"), ("uri=en.vtt,uri=sv.vtt", "uri is there twice"),
        ("uri=en.vtt,default,default", "default is there twice"), ("uri=en.vtt,lang=en", "unknown key lang"),
        ("uri=en.vtt,bold", "unknown key bold"), ("uri=en.vtt,name=a, b", "unknown key  b"),
        ("uri=en.vtt,autoselect=1", "autoselect is 1; use yes or no"),
        ("uri=en.vtt,kind=sdh", "use subtitles or captions"),
        ("uri=en.vtt,type=srt", "use vtt or m3u8"), ("uri=en", "add type=vtt or type=m3u8"),
        ("uri=https://example.com/", "add type=vtt or type=m3u8"), ("uri=en.srt", "players do not take"),
        ("uri=en.m3u8,file=en.vtt", "file is for a .vtt URI"),
        ("uri=en.vtt,file=-", "cannot be standard input"), ("uri=en.vtt,duration=0", "no number of seconds above 0"),
        ("uri=en.vtt,duration=-1", "no number"), ("uri=en.vtt,duration=1e3", "no number"),
        ("uri=en.vtt,duration=1\\,5", "no number"), ("uri=en.vtt,duration=x", "no number"),
    ])
    func isRefused(_ text: String, _ part: String) {
        let error = #expect(throws: Failure.self) { try TrackSpec(text, number: 3) }
        #expect(error?.status == 2)
        #expect(error?.message?.hasPrefix("track 3") == true)
        #expect(error?.message?.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test func becomesATrack() throws {
        let spec = try TrackSpec(
            "uri=en.vtt,language=en,name=N,default,forced,sdh,autoselect=no,group=g,stable-id=s,assoc-language=fr",
            number: 1)
        let track = spec.track(uri: "en.m3u8")
        #expect(track.uri == "en.m3u8" && track.language == "en" && track.name == "N" && track.groupID == "g")
        #expect(track.isDefault && track.isForced && track.isSDH && !track.isAutoselected)
        #expect(track.stableRenditionID == "s" && track.associatedLanguage == "fr" && !track.usesVariables)
    }
}
