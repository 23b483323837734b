import M3U8
import Testing

@testable import surtitle

@Suite struct MediaPlaylistTests {
    private static func scan(_ text: String) throws -> MediaPlaylist {
        let scratch = try Scratch(["v.m3u8": "#EXTM3U\n" + text])
        let path = scratch.folder.appendingPathComponent("v.m3u8").path
        let whole = try MediaPlaylist.scan(InputFile(path), chunk: 65_536).playlist
        let bytes = try MediaPlaylist.scan(InputFile(path), chunk: 1).playlist
        #expect("\(whole)" == "\(bytes)")
        return whole
    }

    @Test(
        arguments: [
            ("#EXTINF:1,\na\n#EXTINF:2.5,\nb\n", [1000, 2500], 2),
            ("#EXTINF:1,\n#EXTINF:2,\nb\n#EXTINF:9,\n", [2000], 1),
            ("#EXTINF:0,\na\n#EXTINF:1,\n\n# comment\nb\n", [1000], 2), ("a\n#EXTINF:1,\nb\nc\n", [1000], 1),
        ] as [(String, [Int64], Int)])
    func durationsCountWithTheirURI(_ text: String, _ milliseconds: [Int64], _ count: Int) throws {
        let playlist = try Self.scan(text)
        #expect(playlist.durations.map(\.millisecondsRoundedUp) == milliseconds && playlist.segmentCount == count)
        #expect(playlist.duration.millisecondsRoundedUp == milliseconds.reduce(0, +))
    }

    @Test func everyDiscontinuityBeginsATimeLine() throws {
        let playlist = try Self.scan(
            """
            #EXT-X-KEY:METHOD=AES-128,URI="k"
            #EXT-X-MAP:URI="i.mp4",BYTERANGE="700@20"
            #EXT-X-GAP
            #EXTINF:1,
            gap.ts
            #EXT-X-BYTERANGE:100@50
            #EXTINF:2,
            a.ts
            #EXT-X-BYTERANGE:10
            #EXTINF:1,
            a.ts
            #EXT-X-DISCONTINUITY
            #EXT-X-KEY:METHOD=SAMPLE-AES,URI="k"
            #EXT-X-BYTERANGE:10
            #EXTINF:4,
            a.ts
            #EXT-X-DISCONTINUITY
            #EXT-X-GAP
            #EXTINF:8,
            c.ts

            """)
        #expect(playlist.timeLines.map(\.start.millisecondsRoundedUp) == [0, 4000, 8000])
        #expect(playlist.timeLines.map(\.isDiscontinuous) == [false, true, true])
        #expect(playlist.timeLines.map(\.firstDuration) == [0, 3, 4])
        let segments = playlist.timeLines.map(\.segment)
        #expect(segments[0]?.start.millisecondsRoundedUp == 1000 && segments[0]?.isEncrypted == true)
        #expect(segments[0]?.resource.uri == "a.ts" && segments[0]?.resource.range == 50..<150)
        #expect(segments[0]?.initialization?.uri == "i.mp4" && segments[0]?.initialization?.range == 20..<720)
        // A range without an offset goes on where the one before ended.
        #expect(segments[1]?.resource.range == 160..<170 && segments[1]?.isEncrypted == false)
        #expect(segments[2] == nil)
    }

    @Test(arguments: [
        ("#EXT-X-PROGRAM-DATE-TIME:2024-01-01T00:00:00Z\n#EXTINF:6,\na\n", "2024-01-01T00:00:00Z", false),
        (
            "#EXTINF:6,\na\n#EXT-X-PROGRAM-DATE-TIME:2024-01-01T00:00:00Z\n#EXTINF:6,\nb\n", "2023-12-31T23:59:54.000Z",
            false
        ),
        (
            "#EXTINF:6,\na\n#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME:2024-01-01T00:00:00Z\n#EXTINF:6,\nb\n", nil,
            true
        ),
        ("#EXTINF:6,\na\n#EXTINF:6,\nb\n", nil, false),
        ("#EXT-X-PROGRAM-DATE-TIME:soon\n#EXTINF:6,\na\n", nil, true),
        (
            "#EXT-X-DISCONTINUITY\n#EXT-X-PROGRAM-DATE-TIME: 2024-01-01T00:00:00Z \n#EXTINF:6,\na\n",
            "2024-01-01T00:00:00Z", false
        ),
    ])
    func theFirstDateIsCountedBack(_ text: String, _ date: String?, _ isDistant: Bool) throws {
        let playlist = try Self.scan(text)
        #expect(playlist.programDateTime?.text == date && playlist.hasDistantDate == isDistant)
    }

    @Test(
        arguments: [
            ("7", 7), (" 7 ", 7), ("\t18446744073709551615", UInt64.max), ("", nil), ("-1", nil), ("x", nil),
        ] as [(String, UInt64?)])
    func theDiscontinuitySequence(_ value: String, _ expected: UInt64?) throws {
        #expect(try Self.scan("#EXT-X-DISCONTINUITY-SEQUENCE:\(value)\n").discontinuitySequence == expected)
    }

    @Test(
        arguments: [
            ("100", 0, 0..<100), ("100@7", 3, 7..<107), ("5", 3, 3..<8), ("0@0", 9, 0..<0),
            ("", 0, nil), ("x", 0, nil), ("1@", 0, nil), ("1@-1", 0, nil), ("9223372036854775807@1", 0, nil),
            ("9223372036854775807", 1, nil), ("99999999999999999999", 0, nil),
        ] as [(String, Int, Range<Int>?)])
    func byteRanges(_ text: String, _ next: Int, _ range: Range<Int>?) {
        #expect(ByteRangeText(text)?.range(after: next) == range)
    }
}
