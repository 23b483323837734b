import Support
import Testing

/// `--map auto`: the map that the video's first segment tells.
@Suite struct AutomaticMapTests {
    /// A segment of MPEG-TS whose pictures begin at `ticks`, with five packets or more.
    static func transport(_ ticks: UInt64) -> [UInt8] {
        var stream = TransportStreamBytes()
        stream.tables([.init(type: 0x1B, pid: 0x100)])
        for picture in 0..<4 {
            stream.pes(pid: 0x100, streamID: 0xE0, pts: (ticks + UInt64(picture) * 3600) % (1 << 33))
        }
        return stream.bytes
    }

    private static let track = FragmentedMP4Bytes.Track(id: 1, timescale: 90_000)
    private static func fragment(_ ticks: UInt64) -> [UInt8] {
        FragmentedMP4Bytes.segment([.init(track: 1, decodeTime: ticks)])
    }

    private static func media(_ lines: String) -> String {
        "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXT-X-PLAYLIST-TYPE:VOD\n\(lines)#EXT-X-ENDLIST\n"
    }

    /// A folder with a master of the variants `audio`, `v/video` and `other`, of which the second has pictures.
    private func scratch(_ video: String = "#EXTINF:6,\na%20b.ts?x=1\n#EXTINF:6,\nc.ts\n") throws -> Scratch {
        let scratch = try Scratch([
            "m.m3u8": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS=\"mp4a.40.2\"\naudio.m3u8\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=2,CODECS=\"mp4a.40.2, avc1.64\"\nv/video.m3u8\n"
                + "#EXT-X-STREAM-INF:BANDWIDTH=3,RESOLUTION=1x1\nother.m3u8\n",
            "v/video.m3u8": Self.media(video), "en.vtt": "WEBVTT\n\n00:01.000 --> 00:02.000\na\n",
            "own.vtt": "WEBVTT\nX-TIMESTAMP-MAP=MPEGTS:900000,LOCAL:00:00:10.000\n\n00:11.000 --> 00:12.000\na\n",
        ])
        try scratch.write("v/a b.ts", Self.transport(126_000))
        try scratch.write("v/c.ts", Self.transport(540_000))
        return scratch
    }

    private func sideload(_ words: String..., file: String = "en.vtt", in scratch: Scratch) throws -> Ran {
        try Ran(
            ["sideload", "m.m3u8", "--track=uri=s.vtt,file=\(file)", "-oout", "--base-uri=relative"] + words,
            in: scratch)
    }

    /// The map in a file: ticks and time.
    private func map(_ name: String, in scratch: Scratch) throws -> String? {
        let lines = try scratch.read(name).split(separator: "\n")
        return lines.dropFirst().first.flatMap { line in
            line.hasPrefix("X-TIMESTAMP-MAP=") ? String(line.dropFirst("X-TIMESTAMP-MAP=".count)) : nil
        }
    }

    @Test(arguments: ["--chunk=1", "--chunk=188", "--chunk=65536"])
    func theFirstVariantWithVideoTells(_ chunk: String) throws {
        let scratch = try scratch()
        let ran = try sideload(chunk, in: scratch)
        #expect(ran.status == 0 && ran.errors == "" && ran.notes == [])
        #expect(try map("out/s.vtt", in: scratch) == "LOCAL:00:00:00.000,MPEGTS:126000")
        let cut = try sideload(chunk, "--segment", in: scratch)
        #expect(cut.status == 0 && cut.notes == [])
        #expect(try map("out/s-00000.vtt", in: scratch) == "LOCAL:00:00:00.000,MPEGTS:126000")
        // The video that is named counts more than the master's.
        _ = try scratch.write("w.m3u8", Array(Self.media("#EXTINF:6,\nv/c.ts\n").utf8))
        #expect(try sideload(chunk, "--media=w.m3u8", in: scratch).notes == [])
        #expect(try map("out/s.vtt", in: scratch) == "LOCAL:00:00:00.000,MPEGTS:540000")
        let segment = try Ran("segment", "en.vtt", "--media=w.m3u8", "-ocut", chunk, in: scratch)
        #expect(segment.status == 0 && segment.notes == [])
        #expect(try map("cut/en-00000.vtt", in: scratch) == "LOCAL:00:00:00.000,MPEGTS:540000")
    }

    /// Media playlists, and the map that comes of them.
    @Test(arguments: [
        (
            "#EXT-X-MAP:URI=\"all.mp4\",BYTERANGE=\"%i@7\"\n#EXT-X-BYTERANGE:%s@%b\n#EXTINF:6,\nall.mp4\n",
            "00.000,MPEGTS:9000"
        ),
        ("#EXT-X-GAP\n#EXTINF:4.0015,\nnone.ts\n#EXTINF:2,\nc.ts\n", "04.001,MPEGTS:539955"),
        ("#EXT-X-KEY:METHOD=SAMPLE-AES,URI=\"k\"\n#EXTINF:6,\nc.ts\n", "00.000,MPEGTS:540000"),
        ("#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXT-X-KEY:METHOD=NONE\n#EXTINF:6,\nc.ts\n", "00.000,MPEGTS:540000"),
    ])
    func theFirstSegmentIsFound(_ video: String, _ expected: String) throws {
        let initial = FragmentedMP4Bytes.initSegment([Self.track])
        let segment = Self.fragment(9_000)
        let video = video.replacing("%i", with: "\(initial.count)").replacing("%s", with: "\(segment.count)")
            .replacing("%b", with: "\(initial.count + 12)")
        let scratch = try scratch(video)
        try scratch.write("v/all.mp4", [UInt8](repeating: 1, count: 7) + initial + [1, 2, 3, 4, 5] + segment + [9])
        let ran = try sideload(in: scratch)
        #expect(ran.status == 0 && ran.errors == "" && ran.notes == [], "\(ran)")
        #expect(try map("out/s.vtt", in: scratch) == "LOCAL:00:00:\(expected)")
    }

    /// What cannot be read, and the note about it: nothing is put in, and all else is done.
    @Test(arguments: [
        ("#EXT-X-KEY:METHOD=AES-128,URI=\"k\"\n#EXTINF:6,\nc.ts\n", "c.ts is encrypted (METHOD=AES-128)"),
        (
            "#EXTINF:6,\nhttps://h.example/c.ts\n",
            "https://h.example/c.ts is on the web, and is fetched only with --fetch"
        ),
        ("#EXTINF:6,\ngone.ts\n", "v/gone.ts: no such file"), ("#EXTINF:6,\nvideo.m3u8\n", "video.m3u8: "),
        ("#EXT-X-BYTERANGE:99999\n#EXTINF:6,\nc.ts\n", "fewer than EXT-X-BYTERANGE says"),
        ("#EXT-X-GAP\n#EXTINF:6,\nc.ts\n", "has nothing but gaps"), ("", "no media playlist with segments"),
        ("#EXT-X-BYTERANGE:x\n#EXTINF:6,\nc.ts\n", "v/video.m3u8: a line that leads to the first segment"),
        ("#EXTINF:6,\n{$name}.ts\n", "v/video.m3u8: the URI {$name}.ts holds a variable"),
    ])
    func whatCannotBeReadIsNoted(_ video: String, _ reason: String) throws {
        let scratch = try scratch(video)
        let ran = try sideload(in: scratch)
        #expect(ran.notes.count == 1)
        ran.expectNote(reason, "--map-from SEGMENT", "--map MPEGTS", "--map none")
        #expect(try scratch.read("out/s.vtt") == scratch.read("en.vtt"))
        #expect(try sideload("--map=none", in: scratch).notes == [])
    }

    /// A variable in a URI is not a file's name, even if there is such a file.
    @Test func aVariantWithAVariableIsNoFile() throws {
        let scratch = try scratch()
        _ = try scratch.write("m.m3u8", Array(try scratch.read("m.m3u8").replacing("v/video", with: "{$v}/video").utf8))
        _ = try scratch.write("{$v}/video.m3u8", Array(Self.media("#EXTINF:6,\n../v/c.ts\n").utf8))
        let ran = try Ran("sideload", "m.m3u8", "--track=uri=s.vtt,file=en.vtt", "-oout", in: scratch)
        ran.expectNote("m.m3u8: the URI {$v}/video.m3u8 holds a variable", "--map-from SEGMENT")
        #expect(try map("out/s.vtt", in: scratch) == nil)
        // Nor is it missing from the folder.
        ran.expectNote("refers to audio.m3u8 and 1 more files, not in out")
    }

    @Test func segmentsThatAreNamed() throws {
        let scratch = try scratch()
        try scratch.write("i.mp4", FragmentedMP4Bytes.initSegment([Self.track]))
        try scratch.write("s.m4s", Self.fragment(77))
        #expect(try sideload("--map-from=v/c.ts", in: scratch).notes == [])
        #expect(try map("out/s.vtt", in: scratch) == "LOCAL:00:00:00.000,MPEGTS:540000")
        _ = try sideload("--map-from=i.mp4", "--map-from=s.m4s", "--segment", in: scratch)
        #expect(try map("out/s-00000.vtt", in: scratch) == "LOCAL:00:00:00.000,MPEGTS:77")
        let cut = try Ran("segment", "en.vtt", "--map-from=v/c.ts", "-ocut", in: scratch)
        #expect(cut.status == 0 && cut.notes == [])
        #expect(try map("cut/en-00000.vtt", in: scratch) == "LOCAL:00:00:00.000,MPEGTS:540000")
        for (words, reason) in [
            (["--map-from=s.m4s"], "s.m4s: "), (["--map-from=en.vtt"], "en.vtt: "),
            (["--map-from=gone"], "gone: no such file"),
        ] {
            let ran = try Ran(
                ["sideload", "m.m3u8", "--track=uri=s.vtt,file=en.vtt", "-onone"] + words, in: scratch)
            #expect(ran.status == 1 && !scratch.exists("none"))
            expectOneLine(ran.errors, about: reason, "give a segment that tells, or --map")
        }
    }

    /// Files with a map of their own, which is 0 s, 0.1 s and more from the video's: 900000 ticks are their 10 s.
    @Test(arguments: [
        (0, nil), (9_000, nil), (8_589_925_592, nil), (9_001, "0.100 s earlier"), (90_000, "1.000 s earlier"),
        (8_589_844_592, "1.000 s later"),
    ])
    func theFilesOwnMapWins(_ ticks: UInt64, _ note: String?) throws {
        let scratch = try scratch("#EXTINF:6,\nown.ts\n")
        try scratch.write("v/own.ts", Self.transport(ticks))
        for words in [[], ["--segment"]] {
            let ran = try Ran(
                ["sideload", "m.m3u8", "--track=uri=s.vtt,file=own.vtt", "-oout", "--base-uri=relative"] + words,
                in: scratch)
            if let note {
                ran.expectNote("own.vtt: its own X-TIMESTAMP-MAP counts", note)
            } else {
                #expect(ran.notes == [])
            }
            let name = words.isEmpty ? "out/s.vtt" : "out/s-00001.vtt"
            #expect(try map(name, in: scratch) == "MPEGTS:900000,LOCAL:00:00:10.000")
        }
        _ = try sideload("--map=5", file: "own.vtt", in: scratch)
        #expect(try map("out/s.vtt", in: scratch) == "LOCAL:00:00:00.000,MPEGTS:5")
    }

    @Test func withoutAVideoSegmentsHaveNoMap() throws {
        let scratch = try scratch()
        let ran = try Ran("segment", "en.vtt", "-ocut", in: scratch)
        #expect(ran.status == 0 && ran.errors == "" && ran.notes == [])
        #expect(try map("cut/en-00000.vtt", in: scratch) == nil)
    }

    @Test func whatIsNoFileGoesOutWithoutAMap() throws {
        let scratch = try scratch()
        let ran = try sideload("--track=uri=https://h.example/x.vtt,duration=5,language=sv", in: scratch)
        ran.expectNote("track 2: https://h.example/x.vtt goes out as it is, without an X-TIMESTAMP-MAP")
        #expect(ran.notes.count == 1)
    }

    /// Behind an EXT-X-DISCONTINUITY the time stamps start anew.
    @Test func everyTimelineHasItsMap() throws {
        let scratch = try scratch(
            "#EXTINF:6,\na%20b.ts\n#EXTINF:4,\nc.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:6,\nc.ts\n#EXT-X-DISCONTINUITY\n#EXTINF:6,\nd.ts\n"
        )
        try scratch.write("v/d.ts", Self.transport(7))
        let ran = try sideload("--segment", "--media=v/video.m3u8", in: scratch)
        #expect(ran.status == 0 && ran.errors == "" && ran.notes == [])
        #expect(
            try (0..<4).map { try map("out/s-0000\($0).vtt", in: scratch) } == [
                "LOCAL:00:00:00.000,MPEGTS:126000", "LOCAL:00:00:00.000,MPEGTS:126000",
                "LOCAL:00:00:10.000,MPEGTS:540000", "LOCAL:00:00:16.000,MPEGTS:7",
            ])
        #expect(
            try scratch.read("out/s.m3u8").contains(
                "#EXTINF:6.000,\ns-00000.vtt\n#EXTINF:4.000,\ns-00001.vtt\n#EXT-X-DISCONTINUITY\n#EXTINF:6.000,\n"
                    + "s-00002.vtt\n#EXT-X-DISCONTINUITY\n#EXTINF:6.000,\ns-00003.vtt\n"))
        // Segments of another length end where a timeline does.
        _ = try sideload("--segment", "--media=v/video.m3u8", "--target=4", in: scratch)
        #expect(
            try scratch.read("out/s.m3u8").split(separator: "\n").filter {
                $0.hasPrefix("#EXTINF") || $0.hasPrefix("#EXT-X-DISC")
            }
            .map { $0.dropFirst(5) }
                == [
                    "NF:4.000,", "NF:4.000,", "NF:2.000,", "X-DISCONTINUITY", "NF:4.000,", "NF:2.000,",
                    "X-DISCONTINUITY",
                    "NF:4.000,", "NF:2.000,",
                ].map { $0[...] })
        #expect(try map("out/s-00003.vtt", in: scratch) == "LOCAL:00:00:10.000,MPEGTS:540000")
        try sideload("--media=v/video.m3u8", in: scratch).expectNote("v/video.m3u8", "EXT-X-DISCONTINUITY", "--segment")
        try scratch.write("v/d.ts", [])
        try sideload("--segment", "--media=v/video.m3u8", in: scratch)
            .expectNote("v/video.m3u8", "behind an EXT-X-DISCONTINUITY cannot be read")
        try sideload("--segment", "--media=v/video.m3u8", "--map=5", in: scratch)
            .expectNote("v/video.m3u8", "behind an EXT-X-DISCONTINUITY cannot be read")
        #expect(try map("out/s-00003.vtt", in: scratch) == nil)
    }

    @Test(arguments: [
        (["--map=none", "--map-from=v/c.ts"], "--map-from is for --map auto"),
        (["--map=1", "--map-from=v/c.ts"], "--map-from is for"),
    ])
    func refusesArguments(_ words: [String], _ reason: String) throws {
        let ran = try Ran(["segment", "en.vtt", "-ocut"] + words, in: scratch())
        #expect(ran.status == 2)
        expectOneLine(ran.errors, about: "surtitle", reason)
    }
}
