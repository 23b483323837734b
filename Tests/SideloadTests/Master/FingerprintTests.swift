import M3U8
import Sideload
import Support
import Testing

/// A fingerprint is another for every configuration whose output may be another, and stays what it is.
@Suite struct FingerprintTests {
    /// Changes of one track, each of which changes what is written.
    static let changes: [@Sendable (inout SubtitleTrack) -> Void] = [
        { $0.uri = "other.m3u8" }, { $0.language = "fr" }, { $0.language = nil }, { $0.name = "Other" },
        { $0.isDefault = true }, { $0.isAutoselected = false }, { $0.isForced = true }, { $0.isSDH = true },
        { $0.associatedLanguage = "de" }, { $0.stableRenditionID = "a" }, { $0.groupID = "g" },
    ]

    @Test func everyFieldCounts() throws {
        var seen = [try fingerprint([Track.english, Track.swedish]): "unchanged"]
        func note(_ fingerprint: UInt64, _ what: String) {
            #expect(seen.updateValue(what, forKey: fingerprint) == nil, "\(what) is as another")
        }
        for (number, change) in Self.changes.enumerated() {
            var track = Track.english
            change(&track)
            note(try fingerprint([track, Track.swedish]), "change \(number)")
        }
        note(try fingerprint([Track.swedish, Track.english]), "order")
        note(try fingerprint([Track.english]), "one")
        note(try fingerprint([Track.english, Track.swedish], group: "x"), "group")
        var track = Track.english
        track.isDefault = true
        note(try fingerprint([track, Track.swedish], policy: .prefersTracks), "policy")
        let tracks = try SubtitleTracks([Track.english, Track.swedish])
        #expect(tracks.fingerprint(with: SideloadLimits()) == tracks.fingerprint)
        for limits in [
            SideloadLimits(lines: LineLimits(longestLine: 1)), SideloadLimits(lines: LineLimits(policy: .fail)),
            SideloadLimits(heldRenditions: 1), SideloadLimits(longestGroupID: 1), SideloadLimits(appendedTags: 1),
        ] {
            note(tracks.fingerprint(with: limits), "\(limits)")
        }
    }

    /// The policy changes nothing as long as no track asks to be the default, nor do names of one language.
    @Test func whatIsWrittenAlikeIsAlike() throws {
        #expect(try fingerprint([Track.english]) == fingerprint([Track.english], policy: .prefersTracks))
        var german = SubtitleTrack(uri: "de.m3u8", language: "ger", name: "Deutsch")
        let code = try fingerprint([german])
        german.language = "de"
        #expect(try fingerprint([german]) == code)
    }

    /// Caches keep it for years: the same in every run, on every machine. Another number here is another version of the output.
    @Test func itStaysWhatItIs() throws {
        #expect(try fingerprint([Track.english, Track.swedish]) == 0x9417_e857_4a01_0115)
    }

    private func fingerprint(
        _ tracks: [SubtitleTrack], group: String = "subs", policy: SubtitleTracks.DefaultPolicy = .keepsExisting
    ) throws -> UInt64 {
        try SubtitleTracks(tracks, fallbackGroup: group, defaultPolicy: policy).fingerprint
    }
}
