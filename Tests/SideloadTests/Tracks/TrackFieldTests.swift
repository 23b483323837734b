import Sideload
import Support
import Testing

/// Rules 6 and 7: what a track's tag says, and what no tag may say.
@Suite struct TrackFieldTests {
    /// The tag that `track` becomes.
    static func tag(_ track: SubtitleTrack) throws -> String {
        let text = "#EXTM3U\n#EXT-X-STREAM-INF:SUBTITLES=\"s\"\nv\n"
        let output = try SubtitleTracks([track]).sideloaded(into: Array(text.utf8)).bytes
        return String(decoding: output.dropFirst(text.utf8.count).dropLast(), as: UTF8.self)
    }

    static let start = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"n\""

    // MARK: Rule 6

    @Test func leastOfAll() throws {
        #expect(
            try Self.tag(SubtitleTrack(uri: "u", name: "n")) == "\(Self.start),DEFAULT=NO,AUTOSELECT=YES,URI=\"u\"")
        #expect(
            try Self.tag(SubtitleTrack(uri: "u", name: "n", isAutoselected: false))
                == "\(Self.start),DEFAULT=NO,AUTOSELECT=NO,URI=\"u\"")
    }

    @Test func theOrderIsFixed() throws {
        let track = SubtitleTrack(
            uri: "https://example.com/s.m3u8?a=1,b=2", language: "sr-Latn", name: "n", isDefault: true,
            isAutoselected: false,
            isForced: true, isSDH: true, associatedLanguage: "sr-Cyrl", stableRenditionID: "Az09+/=.-_", groupID: "x")
        #expect(
            try Self.tag(track)
                == "\(Self.start),LANGUAGE=\"sr-Latn\",ASSOC-LANGUAGE=\"sr-Cyrl\",DEFAULT=YES,AUTOSELECT=YES,FORCED=YES,"
                + "CHARACTERISTICS=\"public.accessibility.transcribes-spoken-dialog,"
                + "public.accessibility.describes-music-and-sound\",STABLE-RENDITION-ID=\"Az09+/=.-_\","
                + "URI=\"https://example.com/s.m3u8?a=1,b=2\"")
    }

    @Test func defaultsAndTracksForTheDeafAreSelectedByThemselves() throws {
        for track in [
            SubtitleTrack(uri: "u", name: "n", isDefault: true, isAutoselected: false),
            SubtitleTrack(uri: "u", name: "n", isAutoselected: false, isSDH: true),
        ] {
            #expect(try Self.tag(track).contains(",AUTOSELECT=YES,") || Self.tag(track).hasSuffix(",AUTOSELECT=YES"))
        }
    }

    @Test func languagesAreMapped() throws {
        #expect(try Self.tag(SubtitleTrack(uri: "u", language: "ger", name: "n")).contains(",LANGUAGE=\"de\","))
        let track = SubtitleTrack(uri: "u", name: "n", associatedLanguage: "EN-gb")
        #expect(try Self.tag(track).contains(",ASSOC-LANGUAGE=\"en-GB\","))
    }

    @Test func textInAnyScriptIsCopied() throws {
        let track = SubtitleTrack(uri: "字/ü.m3u8?x='1'&y={z}$", name: "Español, \\ = 中文 🎬\u{A0}")
        #expect(try Self.tag(track).contains("NAME=\"Español, \\ = 中文 🎬\u{A0}\""))
        #expect(try Self.tag(track).hasSuffix("URI=\"字/ü.m3u8?x='1'&y={z}$\""))
    }

    /// AAS 9.17: tracks of one language stand together, in the caller's order.
    @Test func tracksOfOneLanguageStandTogether() throws {
        let languages: [String?] = ["en", "sv", "eng", nil, "de", "SV", nil, "en-US", "en"]
        let tracks = languages.enumerated().map { SubtitleTrack(uri: "\($0)", language: $1, name: "\($0)") }
        let output = try SubtitleTracks(tracks).sideloaded(into: Array("#EXTM3U\n#EXT-X-STREAM-INF:A=1\nv\n".utf8))
            .bytes
        let order = String(decoding: output, as: UTF8.self).split(separator: "NAME=\"").dropFirst().compactMap(\.first)
        #expect(String(order) == "028153467")
    }

    // MARK: Rule 7

    static let badTexts: [(String, @Sendable (SubtitleTrackError.Field) -> SubtitleTrackError)] = [
        ("", { SubtitleTrackError(.empty, track: 1, $0) }), ("a\"b", { SubtitleTrackError(.unquotable, track: 1, $0) }),
        ("a\n", { SubtitleTrackError(.unquotable, track: 1, $0) }),
        ("\r", { SubtitleTrackError(.unquotable, track: 1, $0) }),
        ("\r\n", { SubtitleTrackError(.unquotable, track: 1, $0) }),
        ("a{$b}", { SubtitleTrackError(.variableReference, track: 1, $0) }),
        ("{$", { SubtitleTrackError(.variableReference, track: 1, $0) }),
        ("{{$", { SubtitleTrackError(.variableReference, track: 1, $0) }),
        ("a\u{B}b", { SubtitleTrackError(.controlCharacter, track: 1, $0) }),
        ("\t", { SubtitleTrackError(.controlCharacter, track: 1, $0) }),
        ("eight or more bytes\u{85}", { SubtitleTrackError(.controlCharacter, track: 1, $0) }),
        ("é\u{2028}é", { SubtitleTrackError(.controlCharacter, track: 1, $0) }),
    ]

    /// C0, DEL, C1 and the separators, alone and anywhere in a longer text; their neighbours are like any other character.
    @Test func controlCharactersAreRefused() throws {
        let controls = Array(0...0x1F) + Array(0x7F...0x9F) + [0x2028, 0x2029]
        for value in controls where value != 0x0A && value != 0x0D {
            let control = try #require(Unicode.Scalar(UInt32(value)))
            for text in ["\(control)", "0123456\(control)", "0123456789\(control)abcdefgh", "é\(control)é"] {
                #expect(throws: SubtitleTrackError(.controlCharacter, track: 0, .name)) {
                    try SubtitleTracks([SubtitleTrack(uri: "u", name: text)])
                }
            }
        }
        for value in [0x20, 0x7E, 0xA0, 0xAD, 0x2027, 0x202A, 0x2068, 0x10FFFF] as [UInt32] {
            let other = try #require(Unicode.Scalar(value))
            _ = try SubtitleTracks([SubtitleTrack(uri: "u\(other)", name: "0123456\(other)89")])
        }
    }

    /// A rendition's URI is a media playlist.
    @Test(arguments: [
        ("en.vtt", true), ("a/EN.VTT?x=1#y", true), ("en.WebVTT", true), ("en.srt#t", true), ("https://a/b.Srt?", true),
        (".vtt", true), ("a.m3u8", false), ("a.m3u8?f=en.vtt", false), ("a.m3u8#en.srt", false), ("vtt", false),
        ("en.vtt/", false), ("en.vtt.m3u8", false), ("en.svtt", false), ("?.vtt", false),
    ])
    func subtitleFilesAreNoRenditions(uri: String, isRefused: Bool) {
        let error = SubtitleTrackError(.subtitleFile, track: 1, .uri)
        let result = Result { try SubtitleTracks([Track.english, SubtitleTrack(uri: uri, name: "n")]) }
        if isRefused {
            #expect(throws: error) { try result.get() }
            #expect(error.description.contains("media playlist"))
        } else {
            #expect(throws: Never.self) { try result.get() }
        }
    }

    @Test func noFieldBreaksOutOfItsQuotes() {
        let fields: [(SubtitleTrackError.Field, WritableKeyPath<SubtitleTrack, String>)] = [
            (.uri, \.uri), (.name, \.name),
        ]
        let optional: [(SubtitleTrackError.Field, WritableKeyPath<SubtitleTrack, String?>)] = [
            (.language, \.language), (.associatedLanguage, \.associatedLanguage),
            (.stableRenditionID, \.stableRenditionID), (.groupID, \.groupID),
        ]
        for (text, error) in Self.badTexts {
            for (field, path) in fields {
                var track = SubtitleTrack(uri: "u", name: "n")
                track[keyPath: path] = text
                #expect(throws: error(field)) { try SubtitleTracks([Track.english, track]) }
            }
            for (field, path) in optional {
                var track = SubtitleTrack(uri: "u", name: "n")
                track[keyPath: path] = text
                #expect(throws: error(field)) { try SubtitleTracks([Track.english, track]) }
            }
        }
    }

    @Test func theFallbackGroupIsNoBetter() {
        for (text, error) in Self.badTexts {
            let expected = error(.groupID)
            let ownFault = SubtitleTrackError(expected.reason, .groupID)
            #expect(throws: ownFault) { try SubtitleTracks([Track.english], fallbackGroup: text) }
            // What tracks may do, it may not.
            let track = SubtitleTrack(uri: "u", name: "n", usesVariables: true)
            #expect(throws: ownFault) { try SubtitleTracks([track], fallbackGroup: text) }
            #expect(throws: expected) {
                var track = Track.swedish
                track.groupID = text
                _ = try SubtitleTracks([Track.english, track])
            }
        }
    }

    @Test func referencesAreForThoseWhoAskForThem() throws {
        for text in ["{$a}", "x{$b}y"] {
            let track = SubtitleTrack(uri: text, name: text, groupID: text, usesVariables: true)
            #expect(try Self.tag(track).contains("NAME=\"\(text)\""))
        }
        #expect(throws: SubtitleTrackError(.unquotable, track: 0, .uri)) {
            try SubtitleTracks([SubtitleTrack(uri: "{$a}\"", name: "n", usesVariables: true)])
        }
    }

    @Test(
        arguments: [
            ([], SubtitleTrackError(.noTracks)),
            ([Track.english, Track.swedish, Track.english], SubtitleTrackError(.duplicateURI, track: 2)),
            (
                [
                    SubtitleTrack(uri: "a", name: "a", isDefault: true), Track.swedish,
                    SubtitleTrack(uri: "b", name: "b", isDefault: true),
                ], SubtitleTrackError(.secondDefault, track: 2)
            ),
            (
                [
                    SubtitleTrack(uri: "a", name: "a", groupID: "a"), Track.swedish,
                    SubtitleTrack(uri: "b", name: "b", groupID: "b"),
                ],
                SubtitleTrackError(.conflictingGroup, track: 2)
            ),
            (
                [Track.swedish, SubtitleTrack(uri: "a", language: "not a language", name: "a")],
                SubtitleTrackError(.notALanguage, track: 1, .language)
            ),
            (
                [SubtitleTrack(uri: "a", name: "a", associatedLanguage: "e")],
                SubtitleTrackError(.notALanguage, track: 0, .associatedLanguage)
            ),
            (
                [SubtitleTrack(uri: "a", name: "a", stableRenditionID: "a b")],
                SubtitleTrackError(.invalidStableRenditionID, track: 0, .stableRenditionID)
            ),
            (
                [Track.english, SubtitleTrack(uri: "a", name: "a", stableRenditionID: "é")],
                SubtitleTrackError(.invalidStableRenditionID, track: 1, .stableRenditionID)
            ),
        ] as [([SubtitleTrack], SubtitleTrackError)])
    func refusals(tracks: [SubtitleTrack], error: SubtitleTrackError) {
        #expect(throws: error) { try SubtitleTracks(tracks) }
        #expect(!error.description.isEmpty)
    }

    /// No string of any kind gets a line of its own into the playlist, or an attribute.
    @Test func randomFieldsAreRefusedOrStayInTheirQuotes() throws {
        var generator = SeededGenerator(seed: 81)
        let pieces = [
            "\"", "\r", "\n", "{$", "{", "$", "}", ",", "=", "a", "URI=", "#EXT-X-MEDIA:", "é", "\0", " ", "en",
        ]
        func random() -> String {
            (0..<Int.random(in: 0...3, using: &generator)).map { _ in pieces[Int.random(in: 0..<16, using: &generator)]
            }.joined()
        }
        var accepted = 0
        for _ in 0..<1500 {
            let track = SubtitleTrack(uri: random() + "u", name: random() + "n", stableRenditionID: nil)
            guard let tag = try? Self.tag(track) else { continue }
            accepted += 1
            #expect(!tag.utf8.contains(0x0A) && !tag.utf8.contains(0x0D))
            let items = NaiveAttributes.items(of: Array(tag.utf8.dropFirst("#EXT-X-MEDIA:".utf8.count)))
            let names = items.map { String(decoding: $0.name, as: UTF8.self) }
            #expect(names == ["TYPE", "GROUP-ID", "NAME", "DEFAULT", "AUTOSELECT", "URI"])
            #expect(items[2].content == Array(track.name.utf8))
            #expect(items[5].content == Array(track.uri.utf8))
        }
        #expect(accepted > 200)
    }
}
