import Foundation
import Testing

/// A signal ends the command as it ends others, and nothing is left behind.
@Suite struct InterruptionTests {
    /// What the command reads from a pipe that stays open, and where it writes.
    @Test(
        arguments: [
            (["segment", "-", "-oout/of/it", "--target=1"], "out"),
            (["segment", "-", "-othere", "--target=1"], "there"),
            (["segment", "-", "-othere/new", "--target=1"], "there"),
        ], [SIGINT, SIGTERM, SIGHUP])
    func nothingIsLeft(_ call: (words: [String], folder: String), _ signal: Int32) throws {
        let scratch = try Scratch(["there/kept": "kept"])
        let process = Process()
        process.executableURL = Ran.command
        process.arguments = call.words
        process.currentDirectoryURL = scratch.folder
        let input = Pipe()
        process.standardInput = input
        process.standardError = FileHandle.nullDevice
        // Whoever runs the tests in the background of a script has them ignore SIGINT, and so what they start.
        Foundation.signal(signal, SIG_DFL)
        try process.run()
        // Enough for some segments to be whole, and one to be in work.
        let cues = (0..<9).map { "00:0\($0).000 --> 00:0\($0).500\n\($0)\n\n" }.joined()
        try input.fileHandleForWriting.write(contentsOf: Data("WEBVTT\n\n\(cues)".utf8))
        let end = Date(timeIntervalSinceNow: 20)
        while scratch.files(in: call.folder).filter({ $0.contains(".surtitle-") }).count < 3, Date() < end {
            usleep(2000)
        }
        #expect(Date() < end, "no temporary file was met")
        kill(process.processIdentifier, signal)
        while process.isRunning, Date() < end { usleep(2000) }
        if process.isRunning {
            Issue.record("the signal has not ended it")
            kill(process.processIdentifier, SIGKILL)
        }
        process.waitUntilExit()
        #expect(process.terminationReason == .uncaughtSignal && process.terminationStatus == signal)
        #expect(scratch.files(in: ".") == ["there/kept"])
        #expect(!scratch.exists("out") && !scratch.exists("there/new"))
        try input.fileHandleForWriting.close()
    }

    /// A shell that starts a command in the background has it ignore SIGINT.
    @Test func whatIsIgnoredStaysIgnored() throws {
        let scratch = try Scratch(["a.vtt": Samples.webVTT])
        let script = """
            trap '' INT
            mkfifo p
            "$surtitle" segment - -o out <p & pid=$!
            exec 3>p; cat a.vtt >&3
            while [ "$(ls -A out 2>/dev/null)" = "" ]; do sleep 0.01; done
            kill -INT $pid; sleep 0.1; exec 3>&-; wait $pid
            """
        let ran = try Ran(shell: script, in: scratch)
        #expect(ran.status == 0 && ran.errors == "", "\(ran)")
        #expect(scratch.exists("out/subtitles.m3u8"))
    }

    @Test(arguments: ["segment big.vtt -o out/in", "sideload m.m3u8 --track uri=s/en.vtt,file=big.vtt -o out"])
    func aFileThatGrowsTooLargeIsAnError(_ words: String) throws {
        let scratch = try Scratch(["m.m3u8": Samples.master])
        let text = String(repeating: "x", count: 100_000)
        try scratch.write("big.vtt", Array("WEBVTT\n\n00:01.000 --> 00:02.000\n\(text)\n".utf8))
        let ran = try Ran(shell: "ulimit -f 8; \"$surtitle\" \(words)", in: scratch)
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "out/", "the file grows larger than is allowed")
        #expect(scratch.files(in: ".") == ["big.vtt", "m.m3u8"])
        #expect(!scratch.exists("out"))
    }

    /// Directories that the command made are removed when it is refused; others stay, and so does what is in them.
    @Test(arguments: [
        ("segment a.vtt -o out/of", "out"), ("segment a.vtt -o there/new", "there/new"),
        ("sideload m.m3u8 --track uri=s/t/en.vtt,file=b.vtt --track uri=u/en.vtt,file=b.srt -o out", "out"),
        ("sideload m.m3u8 --track uri=s/t/en.vtt,file=b.vtt --track uri=u/en.vtt,file=b.srt -o there", "there/s"),
    ])
    func aRefusalLeavesNoDirectory(_ words: String, _ folder: String) throws {
        let scratch = try Scratch([
            "a.vtt": "WEBVTT\n\n00:09.000 --> 00:08.000\nnever shows\n", "b.vtt": Samples.webVTT,
            // Refused only when it is copied, because its duration is that of --media.
            "b.srt": "1\n00:00:01,000 --> 00:00:02,000\na\n\n", "there/kept": "kept", "m.m3u8": Samples.master,
        ])
        // A directory in the way of the last file.
        try scratch.write("there/m.m3u8/x", [])
        try scratch.write("there/en-2.m3u8/x", [])
        let ran = try Ran(
            shell: "mkdir empty; \(words.contains("-o out") ? "ulimit -f 0;" : "") \"$surtitle\" \(words)", in: scratch)
        #expect(ran.status == 1, "\(ran)")
        #expect(!scratch.exists(folder), "\(ran)")
        #expect(scratch.exists("there/kept") && scratch.exists("empty"))
        #expect(!scratch.hasUnfinished)
    }
}
