import Testing

/// How much `surtitle sideload` reads of the files that it is given.
@Suite struct SideloadReadsTests {
    private static let count = 40_000

    /// A file of a few MB, whose cues are in order or not.
    private static func subtitles(isInOrder: Bool, map: String = "") -> String {
        let text = String(repeating: "x", count: 100)
        let cues = (0..<count).map { index in
            let second = isInOrder ? index : count - index
            let time = "\(second / 3600 + 10):\(second / 60 % 60 + 10):\(second % 60 + 10 > 59 ? 59 : second % 60 + 10)"
            return "\n\(time).000 --> \(time).900\n\(text)\n"
        }
        return "WEBVTT\n\(map)" + cues.joined()
    }

    private static let master = "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,RESOLUTION=1x1\nv.m3u8\n"
    private static let media =
        "#EXTM3U\n#EXT-X-TARGETDURATION:60000\n#EXTINF:60000,\nv.ts\n#EXT-X-ENDLIST\n"

    #if os(Linux)
    /// Each file is read twice at most: once for what it says, and once for what becomes of it. Where the duration is known
    /// its header says enough; what is cut is read once, and a second time if a cue comes too late.
    @Test(arguments: [
        (isInOrder: true, words: "", reads: 2), (true, "--segment --target=600", 2),
        (false, "--segment --target=600", 2), (true, "--map=9000", 2), (true, "--media=v.m3u8", 1),
        (true, "--media=v.m3u8 --map=9000", 1), (true, "--segment --media=v.m3u8", 1),
        (false, "--segment --target=600 --media=v.m3u8", 2),
    ])
    func readsAreCounted(_ row: (isInOrder: Bool, words: String, reads: Int)) throws {
        let subtitles = Self.subtitles(isInOrder: row.isInOrder)
        let size = subtitles.utf8.count
        let scratch = try Scratch(["m.m3u8": Self.master, "v.m3u8": Self.media, "s.vtt": subtitles])
        try scratch.write("v.ts", AutomaticMapTests.transport(126_000))
        // What a shell's children have read counts as its own once they have ended (Linux, proc_pid_io).
        let ran = try Ran(
            shell: """
                "$surtitle" --version >/dev/null; sed -n 's/^rchar: //p' /proc/$$/io
                "$surtitle" sideload m.m3u8 --track uri=t.vtt,file=s.vtt \(row.words) -o out || exit 1
                sed -n 's/^rchar: //p' /proc/$$/io
                """, in: scratch)
        #expect(ran.status == 0 && ran.errors == "", "\(ran)")
        let counts = ran.text.split(separator: "\n").compactMap { Int($0) }
        try #require(counts.count == 2)
        let read = counts[1] - counts[0]
        // What is loaded with the command is far less than half a file.
        #expect(read > size && read < size * row.reads + size / 2, "\(read) of \(size)")
        let name = row.words.contains("--segment") ? "out/t-00000.vtt" : "out/t.vtt"
        if row.words.contains("--map") { #expect(try scratch.read(name).contains("MPEGTS:9000")) }
    }
    #endif
}
