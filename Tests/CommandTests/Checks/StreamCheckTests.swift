import Support
import Testing

/// What a stream leads to: what is read, in which order, and what is looked for without being read.
@Suite struct StreamCheckTests {
    private static let list = "#EXTM3U\n#EXT-X-TARGETDURATION:9\n"
    private static let end = "#EXT-X-ENDLIST\n"
    private static let media = "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"a\",URI=\"en.m3u8\"\n"
    private static let variant = "#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1x1,SUBTITLES=\"s\"\nv.m3u8\n"
    private static let cues =
        "WEBVTT\nX-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:126000\n\n00:01.000 --> 00:02.000\na\n"

    /// What is said of `m.m3u8`, with these files in the place of some or beside them, and last the summary.
    private func said(_ changes: [String: String] = [:], of place: String = "m.m3u8") throws -> [String] {
        let files = [
            "m.m3u8": "#EXTM3U\n" + Self.media + Self.variant, "v.m3u8": "\(Self.list)#EXTINF:9,\na.aac\n\(Self.end)",
            "en.m3u8": "\(Self.list)#EXTINF:9,\nen.vtt\n\(Self.end)", "en.vtt": Self.cues,
        ]
        let scratch = try Scratch(files.merging(changes) { $1 })
        try scratch.write("a.aac", AudioTagBytes.timestamp(126_000) + [0])
        try scratch.write("b.aac", AudioTagBytes.timestamp(0) + [0])
        return try Ran("check", place, in: scratch).text.split(separator: "\n").map(String.init)
    }

    private static func whole(_ playlists: Int, _ references: Int, _ broken: Int = 0) -> String {
        "m.m3u8: \(playlists) playlists, 1 file of subtitles, \(references) references: "
            + (broken == 0 ? "nothing is broken" : "\(broken) broken")
    }

    /// Subtitles are held against the first variant with video. Those before and behind it are read too.
    @Test func theFirstVariantWithVideoCounts() throws {
        let sound = "#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"mp4a.40.2\",SUBTITLES=\"s\"\nx.m3u8\n"
        let other = { (name: String, segment: String) in
            [name: "\(Self.list)#EXTINF:9,\nb.aac\n#EXTINF:9,\n\(segment)\n\(Self.end)"]
        }
        let later = Self.variant.replacing("v.m3u8", with: "w.m3u8")
        let master = ["m.m3u8": "#EXTM3U\n" + Self.media + sound + Self.variant + later]
        let files = master.merging(other("x.m3u8", "b.aac")) { $1 }.merging(other("w.m3u8", "gone.aac")) { $1 }
        #expect(
            try said(files) == [
                "w.m3u8: line 6, at byte 60: gone.aac leads nowhere: no such file", Self.whole(5, 10, 1),
            ])
    }

    /// A gap is missing, as it says.
    @Test func gapsAreNotLookedFor() throws {
        let gap = { (name: String) in "#EXT-X-GAP\n#EXTINF:9,\n\(name)\n" }
        let files = [
            "v.m3u8": "\(Self.list)#EXTINF:9,\na.aac\n\(gap("no.aac"))\(Self.end)",
            "en.m3u8": "\(Self.list)#EXTINF:9,\nen.vtt\n\(gap("no.vtt"))\(Self.end)",
        ]
        #expect(try said(files) == [Self.whole(3, 4)])
    }

    /// A file of `a.aac`'s 74 bytes.
    @Test(arguments: [("74@0", nil), ("1@73", nil), ("75@0", 75), ("1@74", 75)])
    func rangesEndInTheFile(_ range: String, _ end: Int?) throws {
        let size = AudioTagBytes.timestamp(126_000).count + 1
        #expect(size == 74)
        let segments = "#EXTINF:9,\na.aac\n#EXT-X-BYTERANGE:\(range)\n#EXTINF:9,\na.aac\n"
        let said = try said(["v.m3u8": Self.list + segments + Self.end], of: "v.m3u8")
        let fault =
            "v.m3u8: line 7, at byte \(78 + range.utf8.count): a.aac has 74 bytes, fewer than EXT-X-BYTERANGE says, "
        #expect(
            said.filter { $0.contains("BYTERANGE") } == (end.map { [fault + "which ends at \($0)"] } ?? []), "\(said)")
    }

    /// Of a file on the web the last byte of its range is asked for, and may come with all the others.
    @Test(
        arguments: [("74@0", "bytes=73-73", nil), ("75@0", "bytes=74-74", 75), ("1@74", "bytes=74-74", 75)],
        [true, false])
    func rangesEndInTheFileOnTheWeb(_ row: (range: String, asked: String, end: Int?), _ hasRanges: Bool) throws {
        let (range, asked, end) = row
        let file = AudioTagBytes.timestamp(126_000) + [0]
        let segments = "#EXTINF:9,\na.aac\n#EXT-X-BYTERANGE:\(range)\n#EXTINF:9,\nb.aac\n"
        let playlist = Array((Self.list + segments + Self.end).utf8)
        let server = try LoopbackServer { request in
            request.target == "/v.m3u8" ? .ok(playlist) : hasRanges ? .part(of: file, request) : .ok(file)
        }
        let ran = try Ran("check", server.url("/v.m3u8"), in: Scratch())
        let ranges = server.requests.filter { $0.target == "/b.aac" }.compactMap { $0.fields["range"] }
        let fault = "b.aac has fewer bytes than EXT-X-BYTERANGE says, which ends at "
        let said = ran.text.split(separator: "\n").filter { $0.contains("BYTERANGE") }
        #expect(ranges == [asked] && said.count == (end == nil ? 0 : 1), "\(ran.text) \(ranges)")
        #expect(said.allSatisfy { $0.hasSuffix(fault + "\(end ?? 0)") } && ran.status == (end == nil ? 0 : 1))
    }

    /// A rendition of another type is no track of subtitles, and its segments are looked for.
    @Test func soundIsNoTrack() throws {
        let files = [
            "m.m3u8": "#EXTM3U\n#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"s\",NAME=\"a\",URI=\"x.m3u8\"\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=1,AUDIO=\"s\"\nv.m3u8\n",
            "x.m3u8": "\(Self.list)#EXTINF:9,\nno.aac\n\(Self.end)",
        ]
        #expect(
            try said(files) == [
                "x.m3u8: line 4, at byte 43: no.aac leads nowhere: no such file",
                "note: m.m3u8: no EXT-X-MEDIA declares subtitles, so players offer none",
                "m.m3u8: 3 playlists, 0 files of subtitles, 4 references: 1 broken",
            ])
    }

    /// Files of subtitles in another form are looked for, though nobody reads them here.
    @Test func fragmentsAreLookedFor() throws {
        let map = "#EXT-X-MAP:URI=\"a.aac\"\n"
        let list = { (name: String) in "\(Self.list)\(map)#EXTINF:9,\n\(name)\n\(Self.end)" }
        let note =
            "note: en.m3u8: line 5, at byte 66: the subtitles are in fragmented MP4, and their cues are not looked at"
        let summary = { (end: String) in "m.m3u8: 3 playlists, 0 files of subtitles, 5 references: \(end)" }
        #expect(try said(["en.m3u8": list("b.aac")]) == [note, summary("nothing is broken")])
        #expect(
            try said(["en.m3u8": list("gone.m4s")]) == [
                note, "en.m3u8: line 5, at byte 66: gone.m4s leads nowhere: no such file", summary("1 broken"),
            ])
    }

    /// What else a playlist of subtitles refers to; what has another scheme is not looked for.
    @Test func whatElseSubtitlesReferToIsLookedFor() throws {
        let date = "#EXT-X-DATERANGE:ID=\"a\",START-DATE=\"2026-01-01T00:00:00Z\",X-ASSET-URI="
        let list = { (uri: String) in "\(Self.list)\(date)\"\(uri)\"\n#EXTINF:9,\nen.vtt\n\(Self.end)" }
        #expect(
            try said(["en.m3u8": list("gone")]) == [
                "en.m3u8: line 3, at byte 32: gone leads nowhere: no such file", Self.whole(3, 5, 1),
            ])
        #expect(try said(["en.m3u8": list("data:,")]) == [Self.whole(3, 5)])
    }

    /// A playlist of both kinds is read as a multivariant one.
    @Test func aMixedPlaylistIsAMultivariantOne() throws {
        let mixed = "#EXTM3U\n" + Self.media + Self.variant + "#EXTINF:9,\na.aac\n"
        let said = try said(["m.m3u8": mixed])
        #expect(said.count == 2 && said[0].hasSuffix(": tags of media stand in a multivariant playlist (8216bis 4.1)"))
        #expect(said.last == Self.whole(3, 4, 1))
    }
}
