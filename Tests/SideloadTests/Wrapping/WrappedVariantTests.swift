import M3U8
import Sideload
import Support
import Testing

/// A multivariant playlist around a media playlist (8216bis 4.4.6.2).
@Suite struct WrappedVariantTests {
    private static let media = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"

    /// What is in the media playlist, the BANDWIDTH that comes of it, and why.
    private static let bandwidths: [(lines: String, bandwidth: UInt64, reason: String)] = [
        ("#EXTINF:6,\na.ts\n", 2_000_000, "nothing is told"),
        ("#EXT-X-BITRATE:1500\n#EXTINF:6,\na.ts\n", 1_500_000, "EXT-X-BITRATE is in kbit/s"),
        (
            "#EXT-X-BITRATE:1500\n#EXTINF:6,\na.ts\n#EXT-X-BITRATE:900\n#EXTINF:6,\nb.ts\n", 1_500_000,
            "the peak of two"
        ),
        ("#EXTINF:6,\n#EXT-X-BYTERANGE:750000@0\na.ts\n", 1_000_000, "bytes and seconds"),
        ("#EXTINF:6,\n#EXT-X-BYTERANGE: 750001\na.ts\n", 1_000_002, "rounded up"),
        (
            "#EXT-X-BITRATE:9000\n#EXTINF:6,\n#EXT-X-BYTERANGE:750000@0\na.ts\n", 1_000_000,
            "EXT-X-BITRATE is not of a segment with a byte range"
        ),
        (
            "#EXTINF:6,\n#EXT-X-BYTERANGE:750000@0\na.ts\n#EXTINF:2.9,\n#EXT-X-BYTERANGE:750000\na.ts\n", 1_000_000,
            "less than half a target duration is not measured"
        ),
        (
            "#EXTINF:3,\n#EXT-X-BYTERANGE:750000@0\na.ts\n#EXTINF:6,\n#EXT-X-BYTERANGE:750000\na.ts\n", 2_000_000,
            "half a target duration is"
        ),
        ("#EXTINF:1,\n#EXT-X-BYTERANGE:125000@0\na.ts\n", 1_000_000, "unless there is nothing else"),
        ("#EXT-X-BITRATE:x\n#EXTINF:6,\na.ts\n", 2_000_000, "no number"),
        ("#EXT-X-BITRATE:0\n#EXTINF:6,\na.ts\n", 2_000_000, "0 tells nothing"),
        ("#EXTINF:0,\n#EXT-X-BYTERANGE:750000@0\na.ts\n", 2_000_000, "no time"),
        ("#EXT-X-BITRATE:9999999999999999\n#EXTINF:6,\na.ts\n", 2_000_000, "more than anybody has"),
        (
            "#EXTINF:0.000000001,\n#EXT-X-BYTERANGE:999999999999999@0\na.ts\n", .max,
            "more than 64 bits hold"
        ),
    ]

    @Test(arguments: bandwidths)
    func bandwidth(_ row: (lines: String, bandwidth: UInt64, reason: String)) throws {
        let text = Array((Self.media + row.lines).utf8)
        let expected = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=\(row.bandwidth)\nv.m3u8\n"
        let playlist = try WrappedVariant(uri: "v.m3u8").playlist(around: text)
        #expect(String(decoding: playlist, as: UTF8.self) == expected, "\(row.reason)")
        for split in Splits.all(of: text.count) {
            var reader = PlaylistReader(asking: .bitRate)
            for range in split { text[range].withUnsafeBytes { unsafe reader.write($0) } }
            reader.finish()
            #expect(reader.facts.verdict == .media)
            #expect((reader.facts.peak ?? WrappedVariant.defaultBandwidth) == row.bandwidth, "\(row.reason)")
        }
    }

    @Test func everyAttribute() throws {
        let variant = WrappedVariant(
            uri: "https://h/v.m3u8?a=b", bandwidth: 5, codecs: "avc1.64001e,mp4a.40.2", resolution: "640x360")
        #expect(
            String(decoding: try variant.playlist(around: Array(Self.media.utf8)), as: UTF8.self)
                == "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=5,CODECS=\"avc1.64001e,mp4a.40.2\",RESOLUTION=640x360\n"
                + "https://h/v.m3u8?a=b\n")
        let hdr = WrappedVariant(uri: "v", bandwidth: 5, frameRate: "23.976", videoRange: .hlg)
        #expect(hdr.isHDR && !variant.isHDR)
        #expect(
            String(decoding: try hdr.playlist(measured: nil), as: UTF8.self)
                == "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=5,FRAME-RATE=23.976,VIDEO-RANGE=HLG\nv\n")
    }

    @Test(
        arguments: [
            (nil, "", false), (.sdr, ",VIDEO-RANGE=SDR", false), (.hlg, ",VIDEO-RANGE=HLG", true),
            (.pq, ",VIDEO-RANGE=PQ", true),
        ]
            as [(WrappedVariant.VideoRange?, String, Bool)])
    func everyVideoRange(_ range: WrappedVariant.VideoRange?, _ text: String, _ isHDR: Bool) throws {
        let variant = WrappedVariant(uri: "v", bandwidth: 5, frameRate: "25", videoRange: range)
        #expect(variant.isHDR == isHDR)
        #expect(
            String(decoding: try variant.playlist(measured: 7), as: UTF8.self)
                == "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=5,FRAME-RATE=25\(text)\nv\n")
    }

    /// The longest values that are taken, and the shortest.
    @Test(arguments: [("1x1", "1"), ("123456789x123456789", "1234.123"), ("0640x0360", "0.001")])
    func takesValues(_ resolution: String, _ frameRate: String) throws {
        let variant = WrappedVariant(uri: "v", resolution: resolution, frameRate: frameRate)
        #expect(
            String(decoding: try variant.playlist(measured: 7), as: UTF8.self)
                == "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=7,RESOLUTION=\(resolution),FRAME-RATE=\(frameRate)\nv\n")
    }

    /// Values that would not be read back as they were written.
    @Test func refusesValues() {
        let uris = ["", "#a", " a", "a ", "a\nb", "a\rb", "a\u{85}b", "{$a}"].map { WrappedVariant(uri: $0) }
        let codecs = ["", "a\"b", "a\nb", "{$a}"].map { WrappedVariant(uri: "v", codecs: $0) }
        let resolutions = [
            "", "640", "640x", "x360", "640x360x1", "640X360", "-1x2", "0x360", "640 x360", "1234567890x1",
        ]
        .map { WrappedVariant(uri: "v", resolution: $0) }
        func reason(_ variant: WrappedVariant) -> WrappedVariantError.Reason? {
            do {
                _ = try variant.playlist(measured: nil)
                return nil
            } catch {
                return error.reason
            }
        }
        for variant in uris { #expect(reason(variant) == .uri, "\(variant)") }
        for variant in codecs { #expect(reason(variant) == .codecs, "\(variant)") }
        for variant in resolutions { #expect(reason(variant) == .resolution, "\(variant)") }
        for rate in ["", ".", "25.", "0", "0.000", "1.2345", "-1", "1.2.3", "12345"] {
            #expect(reason(WrappedVariant(uri: "v", frameRate: rate)) == .frameRate, "\(rate)")
        }
        // Players refuse HDR of which they know no frame rate.
        #expect(reason(WrappedVariant(uri: "v", videoRange: .pq)) == .frameRate)
        #expect(reason(WrappedVariant(uri: "v", videoRange: .sdr)) == nil)
        #expect(reason(WrappedVariant(uri: "v", bandwidth: 0)) == .bandwidth)
        #expect(reason(WrappedVariant(uri: "v", bandwidth: .max)) == nil)
    }

    @Test(arguments: [
        ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n", PlaylistVerdict.multivariant),
        ("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n#EXTINF:6,\na.ts\n", .mixed),
        ("#EXTM3U\n", .undecided), ("", .notPlaylist), ("WEBVTT\n#EXTINF:6,\na.ts\n", .notPlaylist),
    ])
    func refusesOtherPlaylists(_ text: String, _ verdict: PlaylistVerdict) {
        #expect(throws: WrappedVariantError.self) { try WrappedVariant(uri: "v").playlist(around: Array(text.utf8)) }
        do {
            _ = try WrappedVariant(uri: "v").playlist(around: Array(text.utf8))
        } catch {
            #expect(error.reason == .notMedia(verdict))
        }
    }

    /// What is made gets tracks like any other multivariant playlist.
    @Test func getsTracks() throws {
        let tracks = try SubtitleTracks([SubtitleTrack(uri: "en.m3u8", language: "en", name: "English")])
        let master = try WrappedVariant(uri: "v.m3u8").playlist(around: Array(Self.media.utf8))
        let whole = try tracks.sideloaded(into: master)
        #expect(whole.verdict == .multivariant && whole.uneditableLines == 0)
        #expect(
            String(decoding: whole.bytes, as: UTF8.self)
                == "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=2000000,SUBTITLES=\"subs\"\nv.m3u8\n"
                + "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"subs\",NAME=\"English\",LANGUAGE=\"en\",DEFAULT=NO,AUTOSELECT=YES,"
                + "URI=\"en.m3u8\"\n")
    }
}
