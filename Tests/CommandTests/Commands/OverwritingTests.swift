import Foundation
import Testing

/// Nothing that a command reads is overwritten, whatever it is called, and nothing is left behind when it is refused.
@Suite struct OverwritingTests {
    /// A folder in which every kind of file that a command reads is in the directory that it is told to write to.
    private func scratch() throws -> Scratch {
        let scratch = try Scratch([
            "m.m3u8": "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nw/b.m3u8\n", "a.vtt": Samples.webVTT,
            "w/a.m3u8": Samples.media, "w/en.vtt": Samples.webVTT, "w/b.m3u8": "#EXTM3U\n#EXTINF:6,\nb.vtt\n",
        ])
        // Packed audio behind the tag that tells its time stamp, under the name of subtitles.
        try scratch.write("w/b.vtt", Self.audio)
        return scratch
    }

    /// An ID3 tag with the time stamp 900000, and nothing else that matters.
    private static let audio: [UInt8] = {
        let owner = Array("com.apple.streaming.transportStreamTimestamp".utf8) + [0, 0, 0, 0, 0, 0, 0x0D, 0xBB, 0xA0]
        let frame = Array("PRIV".utf8) + [0, 0, 0, UInt8(owner.count), 0, 0] + owner
        return Array("ID3".utf8) + [4, 0, 0, 0, 0, 0, UInt8(frame.count)] + frame
    }()

    /// What is made first, the command, what is read, and what would take its place.
    @Test(arguments: [
        ("", "sideload m.m3u8 --media w/a.m3u8 --track uri=a.vtt,file=w/en.vtt -o w", "w/a.m3u8", "w/a.m3u8"),
        (
            "", "sideload m.m3u8 --media w/../w/a.m3u8 --track uri=a.vtt,file=w/en.vtt -o ./w", "w/../w/a.m3u8",
            "./w/a.m3u8"
        ),
        (
            "",
            "sideload m.m3u8 --track uri=x.vtt,file=a.vtt --track uri=en.vtt,file=a.vtt --track uri=y.vtt,file=w/en.vtt -o w",
            "w/en.vtt", "w/en.vtt"
        ),
        // The second track's file is where the first one's segments, or its playlist, go.
        (
            "cp a.vtt w/x-00001.vtt",
            "sideload m.m3u8 --segment --track uri=x.vtt,file=a.vtt --track uri=y.vtt,file=w/x-00001.vtt -o w",
            "w/x-00001.vtt", "w/x-00001.vtt"
        ),
        (
            "cp a.vtt w/x.m3u8", "sideload m.m3u8 --track uri=x.vtt,file=a.vtt --track uri=y.vtt,file=w/x.m3u8 -o w",
            "w/x.m3u8", "w/x.m3u8"
        ),
        // --map auto reads the playlist of the first variant and its first segment.
        ("", "sideload m.m3u8 --track uri=b.vtt,file=a.vtt -o w", "w/b.vtt", "w/b.vtt"),
        ("", "sideload m.m3u8 --map auto --track uri=s/b.vtt,file=a.vtt -o w", "w/b.m3u8", "w/b.m3u8"),
        ("", "sideload m.m3u8 --map-from w/b.vtt --track uri=b.vtt,file=a.vtt -o w", "w/b.vtt", "w/b.vtt"),
        ("", "segment a.vtt --map-from w/a-00000.vtt -o w", "w/a-00000.vtt", "w/a-00000.vtt"),
        ("", "sideload - --track uri=x.vtt,file=a.vtt -o w --name n <w/n", "standard input", "w/n"),
        // Whatever it is called.
        ("ln w/en.vtt hard", "sideload m.m3u8 --track uri=en.vtt,file=hard,type=vtt --map=7 -o w", "hard", "w/en.vtt"),
        ("ln -s w/en.vtt soft", "sideload m.m3u8 --track uri=en.vtt,file=soft --map=7 -o w", "soft", "w/en.vtt"),
        ("ln -s ../a.vtt w/l.vtt", "sideload m.m3u8 --track uri=l.vtt,file=w/l.vtt --map=7 -o w", "w/l.vtt", "w/l.vtt"),
        (
            "ln -s ../a.vtt w/l.vtt; ln -s w/l.vtt l2", "sideload m.m3u8 --track uri=l.vtt,file=l2 --map=7 -o w", "l2",
            "w/l.vtt"
        ),
        ("ln -s w v", "sideload m.m3u8 --track uri=en.vtt,file=v/en.vtt --map=7 -o w", "v/en.vtt", "w/en.vtt"),
        ("", "segment w/p.vtt --media w/p.m3u8 -o w", "w/p.m3u8", "w/p.m3u8"),
    ])
    func isRefused(_ preparation: String, _ command: String, _ source: String, _ place: String) throws {
        let scratch = try scratch()
        try scratch.write("w/a-00000.vtt", Self.audio)
        try scratch.write("w/n", Array(Samples.master.utf8))
        try scratch.write("w/p.vtt", Array(Samples.webVTT.utf8))
        try scratch.write("w/p.m3u8", Array(Samples.media.utf8))
        _ = try Ran(shell: preparation, in: scratch)
        let before = try contents(of: scratch)
        let ran = try Ran(shell: "\"$surtitle\" \(command)", in: scratch)
        #expect(ran.status == 1, "\(ran)")
        expectOneLine(ran.errors, about: "surtitle: \(source): would be overwritten by \(place);", "with -o")
        #expect(try contents(of: scratch) == before)
    }

    @Test func whatNeedsNoChangeStays() throws {
        let scratch = try scratch()
        let ran = try Ran("sideload", "m.m3u8", "--track=uri=en.vtt,file=w/en.vtt", "--map=none", "-ow", in: scratch)
        #expect(ran.status == 0, "\(ran)")
        #expect(try scratch.read("w/en.vtt") == Samples.webVTT)
        #expect(try scratch.read("w/en.m3u8").contains("\nen.vtt\n"))
    }

    /// A command that replaced a pipe would leave its reader waiting.
    @Test func onlyFilesAreReplaced() throws {
        let ran = try Ran(
            shell: "mkfifo w/x.vtt; \"$surtitle\" sideload m.m3u8 --track uri=x.vtt,file=a.vtt -o w", in: scratch())
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "w/x.vtt", "is a device, a pipe")
    }

    /// Whoever may replace everything would find a file at /dev/stdout afterwards.
    @Test func aLinkToAPipeIsNotReplaced() throws {
        let scratch = try scratch()
        let master = "\"$surtitle\" master m.m3u8 --track uri=en.m3u8,language=en"
        let linked = try Ran(shell: "mkfifo p; ln -s p out.m3u8; \(master) -o out.m3u8", in: scratch)
        #expect(linked.status == 1)
        expectOneLine(linked.errors, about: "out.m3u8", "is a device, a pipe")
        // Messages go to a file, for which the link stands all the same.
        let logged = try Ran(shell: "ln -s /dev/fd/2 log; \(master) -o log; test -L log || echo replaced", in: scratch)
        #expect(logged.text == "")
        expectOneLine(logged.errors, about: "./log", "or a standard stream")
        let piped = try Ran(shell: "\(master) -o /dev/stdout | cat; test -L /dev/stdout", in: scratch)
        let printed = try Ran(shell: master, in: scratch)
        #expect(piped.status == 0 && piped.output == printed.output && !printed.output.isEmpty, "\(piped)")
    }

    /// Everything in the folder, with what is in it.
    private func contents(of scratch: Scratch) throws -> [String: [UInt8]] {
        var contents: [String: [UInt8]] = [:]
        for name in scratch.files(in: ".") { contents[name] = try scratch.bytes(name) }
        return contents
    }
}
