import ByteScan
import Sideload
import Support
import Testing
import WebVTT

/// The table of keys, and what a file's name tells.
@Suite struct TrackKeyTests {
    /// A path, and the URI, language, name and flags that it stands for.
    @Test(
        arguments: [
            ("subs/movie.sv.srt", "movie.sv.vtt", "sv", "Svenska", ""),
            // Not Southern Kurdish, sdh.
            ("movie.fr.sdh.srt", "movie.fr.sdh.vtt", "fr", "Français (SDH)", "sdh"),
            ("movie.pt-BR.forced.srt", "movie.pt-BR.forced.vtt", "pt-BR", "Português (Brasil) (forced)", "forced"),
            (
                "movie.zh_hant.CC.Forced.vtt", "movie.zh_hant.CC.Forced.vtt", "zh-Hant", "繁體中文 (forced, SDH)",
                "forced sdh"
            ),
            ("movie.en_US.vtt", "movie.en_US.vtt", "en-US", "English (US)", ""),
            // Hindi, unless a language stands before it.
            ("movie.hi.srt", "movie.hi.vtt", "hi", "हिन्दी", ""), ("hi.srt", "hi.vtt", "hi", "हिन्दी", ""),
            ("movie.en.hi.srt", "movie.en.hi.vtt", "en", "English (SDH)", "sdh"),
            ("movie.en.HI.forced.srt", "movie.en.HI.forced.vtt", "en", "English (forced, SDH)", "forced sdh"),
            ("movie.en.forced.hi.srt", "movie.en.forced.hi.vtt", "en", "English (forced, SDH)", "forced sdh"),
            ("movie.hi.hi.srt", "movie.hi.hi.vtt", "hi", "हिन्दी (SDH)", "sdh"),
            ("movie.hi.forced.srt", "movie.hi.forced.vtt", "hi", "हिन्दी (forced)", "forced"),
            ("movie.sdh.hi.srt", "movie.sdh.hi.vtt", "hi", "हिन्दी", ""),
            ("movie.en.foreign.srt", "movie.en.foreign.vtt", "en", "English (forced)", "forced"),
            ("movie.en.default.srt", "movie.en.default.vtt", "en", "English", "default"),
            ("movie.default.en.srt", "movie.default.en.vtt", "en", "English", ""),
            ("sdh.srt", "sdh.vtt", nil, "sdh", ""), ("movie.sdh.srt", "movie.sdh.vtt", nil, "movie.sdh", "sdh"),
            (".srt", ".srt.vtt", nil, ".srt", ""), ("/a/b.sv.WEBVTT", "b.sv.vtt", "sv", "Svenska", ""),
            // A region of three digits, and what is no script that subtitles have, no region, or a group of languages.
            ("movie.es-419.srt", "movie.es-419.vtt", "es-419", "Español (Latinoamérica)", ""),
            ("movie.sr-Latn-RS.srt", "movie.sr-Latn-RS.vtt", "sr-Latn-RS", "Srpski (RS)", ""),
            ("movie.zh-cmn.srt", "movie.zh-cmn.vtt", nil, "movie.zh-cmn", ""),
            ("movie.en-Zzzz.srt", "movie.en-Zzzz.vtt", nil, "movie.en-Zzzz", ""),
            ("movie.en-US-x-a.srt", "movie.en-US-x-a.vtt", nil, "movie.en-US-x-a", ""),
            ("movie.bh.srt", "movie.bh.vtt", nil, "movie.bh", ""),
        ] as [(String, String, String?, String, String)])
    func aNameTells(_ path: String, _ uri: String, _ language: String?, _ name: String, _ flags: String) throws {
        let configuration = try TrackConfiguration(spec: path)
        let track = configuration.track
        #expect(track.uri == uri && track.language == language && track.name == name)
        let found = [("default", track.isDefault), ("forced", track.isForced), ("sdh", track.isSDH)]
        #expect(found.filter(\.1).map(\.0).joined(separator: " ") == flags)
        #expect(configuration.file == path && configuration.format == .webVTT)
    }

    /// What has a scheme, or is a playlist, is a URI and no file.
    @Test(
        arguments: [
            ("subs/sv.m3u8", "sv", "Svenska", .playlist), ("subs/x.M3U", nil, "x", .playlist),
            ("https://h/a/movie.sv.forced.vtt?b", "sv", "Svenska (forced)", .webVTT),
            ("http://h/a%20b.srt", nil, "a b", .subRip),
        ] as [(String, String?, String, SubtitleFormat)])
    func aURITells(_ uri: String, _ language: String?, _ name: String, _ format: SubtitleFormat) throws {
        let configuration = try TrackConfiguration(spec: uri)
        let track = configuration.track
        #expect(track.uri == uri && track.language == language && track.name == name)
        #expect(configuration.file == nil && configuration.format == format)
        #expect(track.isForced == uri.contains("forced") && !track.isSDH && !track.isDefault)
    }

    /// Which key is to blame for what is wrong with a track: of a name that nobody gave, what it comes of.
    @Test(
        arguments: [
            ("uri=a.vtt,name=N", .name, "name"), ("uri=a.vtt,language=sv", .name, "language"),
            ("a.sv.srt", .name, "file"), ("uri=a.vtt,file=b.srt,language=sv", .name, "language"),
            ("uri=a.vtt", .name, "uri"),
            ("uri=a.vtt", .uri, "uri"), ("uri=a.vtt", .language, "language"),
            ("uri=a.vtt", .associatedLanguage, "assoc-language"), ("uri=a.vtt", .stableRenditionID, "stable-id"),
            ("uri=a.vtt", .groupID, "group"), ("uri=a.vtt", nil, nil),
        ] as [(String, SubtitleTrackError.Field?, String?)])
    func theKeyToBlame(_ spec: String, _ field: SubtitleTrackError.Field?, _ key: String?) throws {
        var fields = TrackFields()
        for item in TrackConfiguration.items(of: Array(spec.utf8)) {
            let parts = item.split(separator: UInt8(ascii: "=")).map { Array($0) }
            try (parts.count > 1 ? parts[0] : Array("file".utf8))
                .withView { (name) throws(TrackKeyError) in try fields.read(name, parts.last) }
        }
        let error = SubtitleTrackError(field == nil ? .duplicateURI : .empty, track: 0, field)
        #expect(fields.key(of: error).map { "\($0)" } == key)
    }

    /// Names of any words in any order tell what the oracle reads of them.
    @Test func aNameTellsWhatTheOracleReads() throws {
        let words = ["movie", "sv", "hi", "is", "pt-BR", "x9", "", "No"] + NaiveFileName.flags.keys.sorted() + ["SDH"]
        var generator = SeededGenerator(seed: 639)
        var told = 0
        for _ in 0..<3000 {
            let name = (0..<Int.random(in: 1...6, using: &generator))
                .map { _ in words.randomElement(using: &generator) ?? "" }.joined(separator: ".")
            guard !name.isEmpty else { continue }
            let naive = NaiveFileName(name, languages: ["sv", "hi", "is", "pt-BR", "No"])
            let track = try TrackConfiguration(spec: "\(name).srt").track
            let flags = [("default", track.isDefault), ("forced", track.isForced), ("sdh", track.isSDH)]
            #expect(track.language == naive.language?.replacing("No", with: "no"), "\(name)")
            #expect(flags.filter(\.1).map(\.0) == naive.flags, "\(name)")
            if naive.language != nil, !naive.flags.isEmpty { told += 1 }
        }
        #expect(told > 300)
    }

    /// The name of a track hangs on what it is, and not on how it is written.
    @Test(arguments: [
        ("movie.fr.srt", "uri=movie.fr.vtt,language=fr", "Français"),
        ("movie.fr.srt", "uri=x.vtt,file=movie.fr.srt", "Français"), ("a/fr.vtt", "uri=a/fr.vtt", "Français"),
        ("movie.fr.sdh.srt", "uri=x.vtt,language=fr,sdh", "Français (SDH)"),
        ("movie.fr.sdh.srt", "uri=x.vtt,language=fre,kind=captions", "Français (SDH)"),
        ("movie.fr.sdh.srt", "uri=movie.fr.sdh.vtt", "Français (SDH)"),
        ("movie.fr.sdh.srt,sdh=no", "uri=movie.fr.sdh.vtt,sdh=no", "Français"),
        ("movie.fr.forced.srt", "uri=x.m3u8,language=fr,forced", "Français (forced)"),
        ("movie.haw.forced.vtt", "uri=x.vtt,language=haw,forced", "haw (forced)"),
        ("movie.en.srt,language=en_US", "uri=x.vtt,language=en_US", "English (US)"),
        ("movie.final.srt", "uri=x.vtt,file=a/movie.final.srt", "movie.final"),
        ("movie.fr.srt,name=N,sdh", "uri=movie.fr.vtt,name=N,sdh", "N"),
    ])
    func theNameIsTheSame(_ path: String, _ keys: String, _ name: String) throws {
        #expect(try TrackConfiguration(spec: path).track.name == name)
        #expect(try TrackConfiguration(spec: keys).track.name == name)
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
        ("uri=a.m3u8,shift=1", .fileOfPlaylist, "shift is for a .vtt uri"),
        ("uri=a.m3u8,encoding=latin1", .fileOfPlaylist, "encoding is for a .vtt uri"),
        ("uri=a.vtt,shift=1.0005", .shift, "shift is 1.0005, which is no number of seconds"),
        ("uri=a.vtt,shift=1:60", .shift, "and no time, like 1:00"), ("uri=a.vtt,shift", .noValue, "shift=[-]SECONDS"),
        ("uri=a.vtt,encoding=", .noValue, "encoding needs a value: encoding=NAME"),
        ("uri=a.vtt,file=-", .file, "standard input"), ("cues=-", .file, "standard input"),
        ("uri=a.vtt,cues=-", .file, "standard input"),
        (
            "uri=a.vtt,at=noon", .anchor,
            "at is noon, which is no date, like 2026-11-23T20:00:00Z, no segment, like msn:1200"
        ),
        ("uri=a.vtt,at=msn:4611686018427387904", .anchor, "no segment"),
        ("uri=a.vtt,at=msn:-1", .anchor, "no segment"), ("uri=a.vtt,at=msn:", .anchor, "no segment"),
        ("uri=a.vtt,at=2026-11-23", .anchor, "no date"), ("uri=a.vtt,at=2026-02-30T00:00:00Z", .anchor, "no date"),
        ("uri=a.vtt,at", .noValue, "at needs a value: at=DATE|msn:NUMBER|media"),
        ("uri=a.vtt,live", .noValue, "live=yes|no"), ("uri=a.vtt,live=maybe", .word, "live is maybe; use yes or no"),
        ("uri=a.vtt,at=media,then=b.vtt@2026-11-23T20:00:00Z", .following, "at is a date too"),
        ("uri=a.vtt,then=b.vtt@2026-11-23T20:00:00Z", .following, "at is a date too"),
        ("uri=a.vtt,at=2026-11-23T20:00:00Z,then=b.vtt", .following, "write FILE@DATE"),
        ("uri=a.vtt,at=2026-11-23T20:00:00Z,then=@2026-11-23T20:00:00Z", .following, "write FILE@DATE"),
        ("uri=a.vtt,at=2026-11-23T20:00:00Z,then=b.vtt@2026-11-23T20:00:00Z;", .following, "write FILE@DATE"),
        ("cues=http,at=2026-11-23T20:00:00Z,then=b.vtt@2026-11-23T20:00:00Z", .cues, "then is for a whole file"),
        ("uri=a.m3u8,at=media", .fileOfPlaylist, "at is for a .vtt uri"),
        ("uri=a.m3u8,cues=http", .fileOfPlaylist, "cues is for a .vtt uri"),
        ("cues=http,file=a.vtt", .cues, "file is for a whole file, and the cues of this track come"),
        ("cues=http,encoding=latin1", .cues, "encoding is for a whole file"),
        ("cues=http,live=no", .cues, "live is for a whole file"),
    ])
    func isRefused(_ spec: String, _ reason: TrackKeyError.Reason, _ words: String) {
        let error = #expect(throws: TrackKeyError.self) { try TrackConfiguration(spec: spec) }
        #expect(
            error?.reason == reason && error.map { "\($0)" }?.contains(words) == true, "\(error.map { "\($0)" } ?? "")")
    }

    @Test func filesThatFollow() throws {
        let spec = "a.srt,at=2026-11-23T20:00:00Z,then=b@c.srt@2026-11-23T21:00:00+01:00;d e.vtt@2026-11-23T22:00:00.5Z"
        var track = try TrackConfiguration(spec: spec)
        let date: Int64 = 1_795_464_000_000_000_000
        let files = [
            FollowingFile(path: "b@c.srt", date: date), FollowingFile(path: "d e.vtt", date: date + 7_200_500_000_000),
        ]
        #expect(track.followingFiles == files)
        track.placeFiles { "/f/" + $0 }
        #expect(track.file == "/f/a.srt" && track.followingFiles.map(\.path) == ["/f/b@c.srt", "/f/d e.vtt"])
        #expect(track.then == "/f/b@c.srt@2026-11-23T20:00:00Z;/f/d e.vtt@2026-11-23T22:00:00.5Z")
        var growing = try TrackConfiguration(spec: "cues=said.jsonl")
        growing.placeFiles { "/f/" + $0 }
        #expect(growing.cues == "/f/said.jsonl" && growing.file == nil && growing.followingFiles == [])
        growing.cues = "http"
        growing.placeFiles { "/f/" + $0 }
        #expect(growing.cues == "http")
    }

    /// Beside a live stream: what cue time 0 is, and how it is written again.
    @Test(
        arguments: [
            ("a.srt", nil, ""), ("a.srt,at=media", .media, "media"), ("a.srt,at=msn:1200", .segment(1200), "msn:1200"),
            (
                "a.srt,at=msn:4611686018427387903", .segment(4_611_686_018_427_387_903), "msn:4611686018427387903"
            ),
            ("a.srt,at=1970-01-01T00:00:01.5Z", .date(1_500_000_000), "1970-01-01T00:00:01.5Z"),
            ("a.srt,at=1970-01-01T01:00:00+01:00", .date(0), "1970-01-01T00:00:00Z"),
            ("a.srt,at=1969-12-31T23:59:59", .date(-1_000_000_000), "1969-12-31T23:59:59Z"),
            (
                "a.srt,at=2026-11-23T20:00:00.123456789Z", .date(1_795_464_000_123_456_789),
                "2026-11-23T20:00:00.123456789Z"
            ),
        ] as [(String, TrackAnchor?, String)])
    func whatCueTime0Is(_ spec: String, _ anchor: TrackAnchor?, _ spelling: String) throws {
        let track = try TrackConfiguration(spec: spec)
        #expect(track.anchor == anchor && track.followsLiveStreams && track.cues == nil)
        #expect(anchor.map { String(decoding: $0.spelling, as: UTF8.self) } ?? "" == spelling)
    }

    /// A track needs no URI where its file, or where its cues come from, is told.
    @Test(
        arguments: [
            ("file=a/en.srt,language=en", "en.vtt", nil, "English"), ("file=a b.vtt", "a%20b.vtt", nil, "a b"),
            ("cues=http,language=pt-BR", "pt-BR.vtt", "http", "Português (Brasil)"),
            ("cues=http", "cues.vtt", "http", "subtitles"), ("uri=x.vtt,cues=http", "x.vtt", "http", "x"),
            ("cues=log/words.jsonl,language=sv", "words.vtt", "log/words.jsonl", "Svenska"),
            ("cues=log/talk.sv.jsonl", "talk.sv.vtt", "log/talk.sv.jsonl", "Svenska"),
        ] as [(String, String, String?, String)])
    func aTrackWithoutURI(_ spec: String, _ uri: String, _ cues: String?, _ name: String) throws {
        let configuration = try TrackConfiguration(spec: spec)
        #expect(configuration.track.uri == uri && configuration.cues == cues && configuration.track.name == name)
        #expect(configuration.cuesFile == (cues == "http" ? nil : cues) && configuration.format == .webVTT)
        #expect(try TrackConfiguration(spec: "a.vtt,live=no").followsLiveStreams == false)
    }

    /// How the file is read: the encoding as it is written, and the shift in milliseconds.
    @Test(
        arguments: [
            ("a.srt", nil, 0), ("a.srt,encoding=windows-1252", "windows-1252", 0), ("a.srt,shift=-1.4", nil, -1400),
            ("a.srt,shift=+2", nil, 2000), ("a.srt,shift=1:00", nil, 60_000),
            ("a.srt,shift=-1:02:03.5", nil, -3_723_500),
            ("uri=a.vtt,shift=0,encoding=utf-8", "utf-8", 0),
        ] as [(String, String?, Int64)])
    func howAFileIsRead(_ spec: String, _ encoding: String?, _ shift: Int64) throws {
        let track = try TrackConfiguration(spec: spec)
        #expect(track.encoding == encoding && track.shift == shift)
    }

    @Test(
        arguments: [
            (0, "0"), (1, "0.001"), (-1400, "-1.4"), (60_000, "60"), (-20, "-0.02"),
            (9_999_999_999_999_999, "9999999999999.999"),
        ] as [(Int64, String)])
    func aShiftIsReadAsItIsWritten(_ milliseconds: Int64, _ text: String) {
        #expect(ShiftSpelling.text(milliseconds) == Array(text.utf8))
        #expect(Array(text.utf8).withView { ShiftSpelling.milliseconds($0) } == milliseconds)
    }

    @Test(arguments: [
        "", "-", "+", "1.0005", "-1.0005", "10000000000000", "-10000000000000", "--1", "+-1", "1:60", "1:00.0005", "1:",
        ":1",
    ])
    func whatIsNoShift(_ text: String) {
        #expect(Array(text.utf8).withView { ShiftSpelling.milliseconds($0) } == nil)
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
