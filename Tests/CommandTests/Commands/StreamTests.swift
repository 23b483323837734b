import Foundation
import Testing

@Suite struct StreamTests {
    private static func bigMaster(_ variants: Int) -> [UInt8] {
        Array(("#EXTM3U\n" + String(repeating: Samples.master.dropFirst(8).description, count: variants)).utf8)
    }

    @Test(arguments: ["master big --track uri=en.m3u8", "edit big --drop EXT-X-MEDIA", "inspect big"])
    func aClosedPipeEndsQuietly(_ words: String) throws {
        let scratch = try Scratch()
        try scratch.write("big", Self.bigMaster(50_000))
        for prefix in ["", "trap '' PIPE; "] {
            let script = "\(prefix)(\"$surtitle\" \(words) 2>errors; echo $? >status) | head -c 10"
            let ran = try Ran(shell: script, in: scratch)
            #expect(ran.output.count == 10)
            #expect(try scratch.read("status") == "1\n")
            #expect(try scratch.read("errors") == "")
        }
    }

    @Test(arguments: ["", "--chunk=1000"])
    func longOutputIsWhole(_ chunk: String) throws {
        let scratch = try Scratch()
        let master = Self.bigMaster(20_000)
        try scratch.write("big", master)
        let script = "cat big | \"$surtitle\" edit \(chunk) | (sleep 0.1; cat)"
        #expect(try Ran(shell: script, in: scratch).output == master)
    }

    @Test func aClosedStandardOutputIsAnError() throws {
        let scratch = try Scratch(["m": Samples.master])
        let ran = try Ran(shell: "\"$surtitle\" master m --track uri=en.m3u8 >&-", in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "standard output", "ad file descriptor")
        #expect(try scratch.read("m") == Samples.master)
    }

    @Test func aClosedStandardInputIsAnError() throws {
        let ran = try Ran(shell: "\"$surtitle\" master - --track uri=en.m3u8 <&-", in: Scratch())
        #expect(ran.status == 1 && ran.text == "")
        expectOneLine(ran.errors, about: "standard input", "ad file descriptor")
    }

    @Test(.enabled(if: FileManager.default.isWritableFile(atPath: "/dev/full"), "skipped: no /dev/full"))
    func aFullDiskIsAnError() throws {
        let scratch = try Scratch(["m": Samples.master])
        let ran = try Ran(shell: "\"$surtitle\" master m --track uri=en.m3u8 >/dev/full", in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "standard output", "no space left")
    }

    @Test func inputThatDoesNotBlockIsWaitedFor() throws {
        // The shell's reader sets its end of the pipe to non-blocking, which the command then shares.
        let scratch = try Scratch(["m": Samples.master])
        let script = """
            command -v python3 >/dev/null || exit 77
            (sleep 0.2; cat m) | python3 -c 'import fcntl, os, sys
            fcntl.fcntl(0, fcntl.F_SETFL, fcntl.fcntl(0, fcntl.F_GETFL) | os.O_NONBLOCK)
            os.execv(sys.argv[1], sys.argv[1:])' "$surtitle" edit
            """
        let ran = try Ran(shell: script, in: scratch)
        guard ran.status != 77 else { return }
        #expect(ran.status == 0 && ran.text == Samples.master)
    }

    /// A pipe that does not block accepts a part of what is written: the rest follows once there is room.
    @Test func whatTheSystemAcceptsInPartIsWrittenWhole() throws {
        let variants = (0..<4000).map { "#EXT-X-STREAM-INF:BANDWIDTH=\($0)\nv\($0).m3u8\n" }.joined()
        let rest = (0..<30_000).map { "# \($0)\n" }.joined()
        let scratch = try Scratch(["m": "#EXTM3U\n\(variants)\(rest)\(variants)"])
        let edited = variants.replacing("\nv", with: ",A=1\nv")
        let pipe = Pipe()
        let number = pipe.fileHandleForWriting.fileDescriptor
        #expect(fcntl(number, F_SETFL, fcntl(number, F_GETFL) | O_NONBLOCK) == 0)
        // Room for one page (F_SETPIPE_SZ), less than is written at once.
        #if os(Linux)
        #expect(fcntl(number, 1031, 4096) == 4096)
        #endif
        let process = Process()
        process.executableURL = Ran.command
        process.arguments = ["edit", "m", "--set=EXT-X-STREAM-INF:A=1"]
        process.currentDirectoryURL = scratch.folder
        process.standardOutput = pipe
        try process.run()
        var output: [UInt8] = []
        // Pieces that are no multiple of a page, so that the parts end anywhere.
        while let piece = try pipe.fileHandleForReading.read(upToCount: 3001), !piece.isEmpty { output += piece }
        process.waitUntilExit()
        #expect(process.terminationStatus == 0)
        #expect(output == Array("#EXTM3U\n\(edited)\(rest)\(edited)".utf8))
    }

    @Test func argumentsThatAreNotUTF8AreRefused() throws {
        let ran = try Ran(shell: "\"$surtitle\" inspect \"$(printf 'a\\377b')\"", in: Scratch())
        #expect(ran.status == 2)
        expectOneLine(ran.errors, about: "argument 2", "not UTF-8")
    }

    @Test(
        .enabled(if: Samples.isLongRun, "skipped: SURTITLE_LONG is not set"))
    func aLineOf100MegabytesPasses() throws {
        let scratch = try Scratch()
        let line = [UInt8](repeating: UInt8(ascii: "x"), count: 100_000_000)
        for head in [
            "", "#EXTM3U\n#EXT-X-STREAM-INF:NAME=\"", "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\n", "#EXTM3U\n# ",
        ] {
            try scratch.write("line", Array(head.utf8) + line)
            let master = try Ran("master", "line", "--track=uri=en.m3u8", in: scratch)
            #expect(master.status == (head.hasSuffix("1\n") ? 0 : 1))
            let kept = Array(head.replacing("=1\n", with: "=1,SUBTITLES=\"subs\"\n").utf8) + line
            #expect(master.output.starts(with: kept))
            let edit = try Ran("edit", "line", "--set=EXT-X-STREAM-INF:A=1", "--map-uri=http://a/", in: scratch)
            #expect(edit.status == (head.hasSuffix("# ") ? 0 : 1))
            #expect(try Ran("inspect", "line", in: scratch).status == 0)
        }
    }
}
