import Foundation
import M3U8
import Sideload
import Support
import Testing
import WebVTT

/// Tracks and durations in files of configuration, and what a person writes.
@Suite struct SubtitleTrackCodableTests {
    static var full: TrackConfiguration {
        let track = SubtitleTrack(
            uri: "en.m3u8", language: "en", name: "English", isDefault: true, isAutoselected: false, isForced: true,
            isSDH: true, associatedLanguage: "de", stableRenditionID: "a", groupID: "g", kind: .captions,
            usesVariables: true)
        var configuration = TrackConfiguration(track, format: .webVTT)
        configuration.duration = DecimalSeconds(nanoseconds: 634_567_000_001)
        configuration.file = "en.srt"
        configuration.encoding = "windows-1252"
        configuration.shift = -1400
        configuration.followsLiveStreams = false
        configuration.anchor = .date(1_795_464_000_500_000_000)
        configuration.then = "b.vtt@2026-11-23T21:00:00Z"
        return configuration
    }

    private static let english = TrackConfiguration(Track.english, format: .playlist)

    @Test func aTrackIsReadAsItIsWritten() throws {
        var growing = TrackConfiguration(Track.swedish, format: .webVTT)
        (growing.cues, growing.anchor) = ("http", .segment(7))
        for track in [Self.full, Self.english, TrackConfiguration(Track.swedish, format: .subRip), growing] {
            let data = try JSONEncoder().encode(track)
            #expect(try JSONDecoder().decode(TrackConfiguration.self, from: data) == track)
        }
        #expect(Set([Self.full.track, Track.english, Track.english]).count == 2)
    }

    @Test func theKeysAreTheCommandLines() throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        #expect(
            String(decoding: try encoder.encode(Self.english), as: UTF8.self)
                == #"{"language":"en","name":"English","uri":"en.m3u8"}"#)
        let text = #"{"uri":"x","name":"X","default":true,"kind":"captions","type":"vtt","duration":"90.5"}"#
        let track = try JSONDecoder().decode(TrackConfiguration.self, from: Data(text.utf8))
        #expect(track.track.isDefault && track.track.kind == .captions && track.track.isAutoselected)
        #expect(track.format == .webVTT && track.duration?.nanoseconds == 90_500_000_000)
        let other = #"{"uri":"x.srt","duration":90.25,"sdh":true,"language":"sv","unknown":1}"#
        let named = try JSONDecoder().decode(TrackConfiguration.self, from: Data(other.utf8))
        #expect(named.format == .subRip && named.duration?.nanoseconds == 90_250_000_000)
        #expect(named.track.isSDH && named.track.name == "Svenska (SDH)")
        for (text, shift) in [("-1.5", -1500), ("60", 60_000), (#""1:00.25""#, 60_250)] as [(String, Int64)] {
            let shifted = #"{"uri":"x.vtt","shift":\#(text),"encoding":"latin1"}"#
            let track = try JSONDecoder().decode(TrackConfiguration.self, from: Data(shifted.utf8))
            #expect(track.shift == shift && track.encoding == "latin1")
        }
    }

    @Test(arguments: [
        #"{"name":"X"}"#, #"{"uri":"x.vtt","kind":"other"}"#, #"{"uri":"x.vtt","duration":"1:60"}"#, #"{"uri":"x"}"#,
        #"{"uri":"x.vtt","duration":"0"}"#, #"{"uri":"x.vtt","duration":"-1"}"#, #"{"uri":"x.vtt","duration":-1}"#,
        #"{"uri":"x.vtt","duration":""}"#, #"{"uri":"x.vtt","default":"yes"}"#, #"{"uri":1}"#,
        #"{"uri":"x.vtt","shift":"x"}"#, #"{"uri":"x.vtt","shift":0.0001}"#, #"{"uri":"x.m3u8","shift":1}"#,
        #"{"uri":"x.vtt","kind":"captions","sdh":false}"#, #"{"uri":"x.m3u8","file":"x.vtt"}"#,
        #"{"uri":"x.vtt","at":"noon"}"#, #"{"uri":"x.vtt","live":"no"}"#, #"{"cues":"http","live":false}"#,
    ])
    func whatIsNoTrackIsRefused(text: String) {
        #expect(throws: DecodingError.self) { try JSONDecoder().decode(TrackConfiguration.self, from: Data(text.utf8)) }
    }

    @Test func captionsMeanSDH() throws {
        var track = Track.english
        track.kind = .captions
        let captions = try SubtitleTracks([track])
        track.kind = .subtitles
        #expect(try SubtitleTracks([track]).fingerprint != captions.fingerprint)
        track.isSDH = true
        #expect(try SubtitleTracks([track]).fingerprint == captions.fingerprint)
    }

    @Test func durationsAreExactOrRefused() throws {
        #expect(MediaDuration(.milliseconds(5966)) == MediaDuration(milliseconds: 5966))
        #expect(MediaDuration(.nanoseconds(1)) == MediaDuration(nanoseconds: 1))
        #expect(MediaDuration(Duration(secondsComponent: 0, attosecondsComponent: 1)) == nil)
        #expect(MediaDuration(.seconds(-1)) == nil)
        #expect(MediaDuration(.seconds(Int64.max)) == nil)
        #expect(SegmentBoundaries(every: .seconds(6)) == SegmentBoundaries(every: 6_000_000_000))
        #expect(
            SegmentBoundaries(every: .seconds(6), until: .seconds(9))
                == SegmentBoundaries(every: 6_000_000_000, until: 9_000_000_000))
        #expect(SegmentBoundaries(every: .seconds(-6)) == nil && SegmentBoundaries(every: .seconds(0)) == nil)
        func shift(_ shifter: consuming CueShifter?) -> Int64? { shifter?.shift }
        #expect(shift(CueShifter(by: .milliseconds(-1400))) == -1400)
        #expect(shift(CueShifter(by: .microseconds(1))) == nil)
        #expect(shift(CueShifter(by: .seconds(Int64.max))) == nil)
    }

    @Test func aWholePlaylistTellsWhatBecameOfIt() throws {
        let tracks = try SubtitleTracks([Track.english])
        let text = Array("#EXTM3U\n#EXT-X-STREAM-INF:A=\"\n#EXT-X-STREAM-INF:A=1\nv\n".utf8)
        let whole = try tracks.sideloaded(into: text)
        #expect(whole.verdict == .multivariant && whole.uneditableLines == 1 && whole.firstUneditableLine == 8)
        #expect(whole.addedBytes == Track.english().utf8.count + 1 && whole.exceededLimit == nil)
        #expect(try tracks.sideloaded(into: text.span.bytes) == whole)
        let limited = try tracks.sideloaded(into: text, limits: SideloadLimits(lines: LineLimits(longestLine: 5)))
        #expect(limited.exceededLimit?.position == 8 && limited.bytes == text && limited.addedBytes == 0)
    }
}
