import ByteScan
import Sideload
import Testing
import WebVTT

/// The table of keys, and what a file's name tells.
@Suite struct TrackKeyTests {
    /// A path, and the URI, language, name and flags that it stands for.
    @Test(
        arguments: [
            ("subs/movie.sv.srt", "movie.sv.vtt", "sv", "Svenska", ""),
            // Not Southern Kurdish, sdh.
            ("movie.fr.sdh.srt", "movie.fr.sdh.vtt", "fr", "Français", "sdh"),
            ("movie.pt-BR.forced.srt", "movie.pt-BR.forced.vtt", "pt-BR", "Português (Brasil)", "forced"),
            ("movie.zh_hant.CC.Forced.vtt", "movie.zh_hant.CC.Forced.vtt", "zh-Hant", "繁體中文", "forced sdh"),
            ("sdh.srt", "sdh.vtt", nil, "sdh", ""), ("movie.sdh.srt", "movie.sdh.vtt", nil, "movie.sdh", "sdh"),
            (".srt", ".srt.vtt", nil, ".srt", ""), ("/a/b.sv.WEBVTT", "b.sv.vtt", "sv", "Svenska", ""),
        ] as [(String, String, String?, String, String)])
    func aNameTells(_ path: String, _ uri: String, _ language: String?, _ name: String, _ flags: String) throws {
        let configuration = try TrackConfiguration(spec: path)
        let track = configuration.track
        #expect(track.uri == uri && track.language == language && track.name == name)
        #expect(
            (track.isForced ? ["forced"] : []) + (track.isSDH ? ["sdh"] : [])
                == flags.split(separator: " ").map(String.init))
        #expect(configuration.file == path && configuration.format == .webVTT)
    }

    @Test(arguments: [
        ("uri=a.vtt,languag=sv", TrackKeyError.Reason.unknown, "unknown key \"languag\"; did you mean language?"),
        ("uri=a.vtt,colour=red", .unknown, "unknown key \"colour\"; remove it"),
        ("uri=a.vtt,", .noName, "nothing stands between two commas"),
        ("uri=a.vtt,uri=b.vtt", .repeated, "uri is there twice"),
        ("uri=a.vtt,sdh=", .noValue, "sdh needs a value: sdh[=yes|no]"),
        ("uri=a.vtt,autoselect", .noValue, "autoselect needs a value: autoselect=yes|no"),
        ("uri=a,type=ass", .word, "type is ass; use vtt, srt or m3u8"),
        ("uri=a.vtt,default=1", .word, "default is 1; use yes or no"),
        ("uri=a.vtt,duration=0", .time, "duration is 0, which is no number"), ("language=sv", .noURI, "uri is missing"),
        ("uri=a.vtt,kind=captions,sdh=no", .captions, "captions means sdh"), ("uri=a", .format, "ends in none of"),
        ("uri=a,mime-type=text/plain", .mediaType, "a type of subtitles"),
        ("uri=a.m3u8,file=b.vtt", .fileOfPlaylist, "file is for a .vtt uri"),
        ("uri=a.vtt,file=-", .file, "standard input"),
    ])
    func isRefused(_ spec: String, _ reason: TrackKeyError.Reason, _ words: String) {
        let error = #expect(throws: TrackKeyError.self) { try TrackConfiguration(spec: spec) }
        #expect(
            error?.reason == reason && error.map { "\($0)" }?.contains(words) == true, "\(error.map { "\($0)" } ?? "")")
    }

    /// What is said counts more than a media type, and that more than the URI's end.
    @Test(arguments: [
        ("uri=a.srt", SubtitleFormat.subRip), ("uri=a.srt,type=vtt", .webVTT), ("type=vtt,uri=a.srt", .webVTT),
        ("uri=a.vtt,mime-type=Application/X-SubRip;a=b", .subRip),
        ("mime-type=text/vtt,type=m3u8,uri=a.srt", .playlist),
    ])
    func whatAFileIs(_ spec: String, _ format: SubtitleFormat) throws {
        #expect(try TrackConfiguration(spec: spec).format == format)
    }

    @Test(arguments: SubtitleFormat.allCases)
    func aFormatHasItsWords(_ format: SubtitleFormat) {
        #expect(SubtitleFormat(suffix: ByteView(format.name)) == format)
        #expect(SubtitleFormat(mediaType: ByteView(format.mediaType)) == format)
        #expect(Array("\(format.name)".uppercased().utf8).withView { SubtitleFormat(suffix: $0) } == format)
        #expect(
            Array(" \(format.mediaType)\t; charset=utf-8".utf8).withView { SubtitleFormat(mediaType: $0) } == format)
        #expect(SubtitleFormat(suffix: ByteView("txt")) == nil && SubtitleFormat(mediaType: ByteView("text/vt")) == nil)
    }
}
