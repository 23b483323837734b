import Foundation
import Support
import Testing

/// `surtitle live` beside a folder that an encoder writes, which is simulated.
@Suite struct LiveCommandTests {
    /// An encoder: each version of the playlist, and segments that begin with their time stamps.
    private final class Encoder {
        var origin: LiveOrigin
        let scratch: Scratch

        init(_ kind: LiveOrigin.Kind, in scratch: Scratch) throws {
            origin = LiveOrigin(kind)
            self.scratch = scratch
            try scratch.write("s/m.m3u8", Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nv.m3u8\n".utf8))
        }

        /// Writes the next segments, and then the playlist, which may be an older one.
        func advance(_ count: Int = 1, age: Int = 0, openParts: Int = 0) throws {
            for _ in 0..<count {
                origin.advance()
                let segment = origin.segments[origin.segments.count - 1]
                try scratch.write(
                    "s/\(Self.file(segment))", AutomaticMapTests.transport(UInt64(segment.ticks) % (1 << 33)))
            }
            try publish(age: age, openParts: openParts)
        }

        func publish(age: Int = 0, openParts: Int = 0) throws {
            var text = origin.version(age: age, openParts: openParts)
            for segment in origin.segments {
                text = text.replacing(segment.uri + "\n", with: Self.file(segment) + "\n")
            }
            let place = scratch.folder.appendingPathComponent("s/v.m3u8")
            try Data(text.utf8).write(to: place, options: .atomic)
        }

        private static func file(_ segment: LiveOrigin.Segment) -> String {
            segment.uri.split(separator: "/").dropFirst(2).joined(separator: "-").prefix { $0 != "?" } + ""
        }
    }

    /// The command, which runs until it is told to end.
    private final class Running {
        let process = Process()
        private let scratch: Scratch
        private let errors: URL

        init(_ words: String, in scratch: Scratch, input: Pipe? = nil) throws {
            self.scratch = scratch
            errors = scratch.hidden("errors\(scratch.nextNumber())")
            try Data().write(to: errors)
            process.executableURL = Ran.command
            process.arguments = ["live"] + words.split(separator: " ").map(String.init)
            process.currentDirectoryURL = scratch.folder
            process.standardError = try FileHandle(forWritingTo: errors)
            process.standardInput = input ?? FileHandle.nullDevice
            // Whoever runs the tests in the background, or by nohup, has them ignore some, and so what they start.
            for signal in [SIGINT, SIGTERM, SIGHUP] { Foundation.signal(signal, SIG_DFL) }
            try process.run()
        }

        var messages: String { (try? String(contentsOf: errors, encoding: .utf8)) ?? "" }

        /// Waits until something holds.
        func until(_ what: String, sourceLocation: SourceLocation = #_sourceLocation, _ holds: () throws -> Bool) throws
        {
            let end = Date(timeIntervalSinceNow: 20)
            while !(try holds()) {
                guard Date() < end, process.isRunning else {
                    Issue.record("never: \(what): \(messages)", sourceLocation: sourceLocation)
                    throw CancellationError()
                }
                usleep(2000)
            }
        }

        /// Waits until the rendition has the encoder's last segment.
        func caughtUp(
            _ encoder: Encoder, _ name: String = "en", sourceLocation: SourceLocation = #_sourceLocation
        ) throws {
            let last = encoder.origin.segments.last?.number
            try until("\(name) has \(last ?? 0)", sourceLocation: sourceLocation) {
                listing(name)?.segments.last?.number == last
            }
        }

        func listing(_ name: String) -> LiveListing? { (try? scratch.read("o/\(name).m3u8")).map { LiveListing($0) } }

        /// Waits until it has ended of itself, and returns its status.
        func ended() throws -> Int32 {
            wait()
            return stop(by: SIGKILL)
        }

        private func wait() {
            let end = Date(timeIntervalSinceNow: 20)
            while process.isRunning, Date() < end { usleep(2000) }
        }

        /// Ends it by a signal, and returns its status, below 0 if that is a signal's.
        @discardableResult
        func stop(by signal: Int32 = SIGINT) -> Int32 {
            if process.isRunning { kill(process.processIdentifier, signal) }
            wait()
            if process.isRunning { kill(process.processIdentifier, SIGKILL) }
            process.waitUntilExit()
            return process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        }

        deinit { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
    }

    /// A cue as a segment has it: when the video shows it, in ticks.
    private struct ShownCue: Equatable {
        var name: String
        var start: Int64
        var end: Int64
        var text: String
    }

    /// The cues of a segment, by the map in it.
    private static func cues(_ text: String) throws -> [ShownCue] {
        let blocks = text.components(separatedBy: "\n\n").filter { !$0.isEmpty }
        func milliseconds(_ text: Substring) throws -> Int64 {
            let fields = text.split(whereSeparator: { ":.".contains($0) }).compactMap { Int64($0) }
            try #require(fields.count == 4)
            return ((fields[0] * 60 + fields[1]) * 60 + fields[2]) * 1000 + fields[3]
        }
        let head = try #require(blocks.first)
        try #require(head.hasPrefix("WEBVTT"))
        guard blocks.count > 1 else { return [] }
        let map = try #require(head.split(separator: "\n").dropFirst().first)
        let fields = map.split(whereSeparator: { "=,".contains($0) })
        let ticks = try #require(Int64(fields[2].split(separator: ":")[1]))
        let local = try milliseconds(fields[1].dropFirst("LOCAL:".count))
        return try blocks.dropFirst().map { block in
            let lines = block.split(separator: "\n")
            let times = lines[1].split(separator: " ")
            return ShownCue(
                name: String(lines[0]), start: (try milliseconds(times[0]) - local) * 90 + ticks,
                end: (try milliseconds(times[2]) - local) * 90 + ticks, text: lines[2...].joined(separator: "\n"))
        }
    }

    /// A file with a cue each two seconds, which lasts one.
    private static func file(_ count: Int) -> String {
        "WEBVTT\n\n"
            + (0..<count).map { number in
                let (minutes, seconds) = (number * 2 / 60, number * 2 % 60)
                func time(_ rest: Int) -> String { String(format: "00:%02d:%02d.%03d", minutes, seconds + rest, 0) }
                return "\(time(0)) --> \(time(1))\ncue \(number)\n\n"
            }.joined()
    }

    private func kind(event: Bool = false, dates: LiveOrigin.Dates = .each) -> LiveOrigin.Kind {
        var kind = LiveOrigin.Kind()
        (kind.durations, kind.isEvent, kind.dates, kind.window) = ([4_000_000_000, 3_000_000_000], event, dates, 4)
        return kind
    }

    /// Each cue is in the segments beside which it shows, when the video's time stamps say, and no other is.
    private func expectCues(
        _ encoder: Encoder, _ scratch: Scratch, since begin: Int64, _ numbers: Range<UInt64>,
        sourceLocation: SourceLocation = #_sourceLocation
    ) throws {
        for segment in encoder.origin.segments where numbers.contains(segment.number) {
            let found = try Self.cues(scratch.read("o/en-\(segment.number).vtt"))
            let (start, end) = (segment.start - begin, segment.start + segment.duration - begin)
            var expected: [ShownCue] = []
            for number in 0..<30 {
                let (first, last) = (Int64(number) * 2_000_000_000, Int64(number) * 2_000_000_000 + 1_000_000_000)
                guard first < end, last > start else { continue }
                let ticks = segment.ticks + LiveOrigin.ticks(first - start)
                expected.append(ShownCue(name: "", start: ticks, end: ticks + 90_000, text: "cue \(number)"))
            }
            #expect(found.map { $0.text } == expected.map { $0.text }, sourceLocation: sourceLocation)
            for (found, expected) in zip(found, expected) {
                #expect(found.name.hasPrefix("en."), sourceLocation: sourceLocation)
                #expect(abs(found.start - expected.start) <= 90 && found.end - found.start == 90_000)
            }
        }
    }

    /// Tracks whose cue time 0 is the same have the same cues, and others have others.
    @Test func eachTrackHasItsOwnTime() throws {
        let scratch = try Scratch(["a.vtt": Self.file(30)])
        let encoder = try Encoder(kind(), in: scratch)
        try encoder.advance(3)
        let names = ["en", "fi", "sv"]
        let tracks = zip(names, [0, 1, 0]).map { name, segment in
            let date = LiveOrigin.date(encoder.origin.segments[segment].start)
            return " --track file=a.vtt,uri=\(name).vtt,language=\(name),at=\(date)"
        }
        let running = try Running("s/m.m3u8 --base-uri relative -o o\(tracks.joined())", in: scratch)
        for name in names { try running.caughtUp(encoder, name) }
        #expect(running.stop() == 0)
        let last = encoder.origin.segments[2].number
        let texts = try names.map { try Self.cues(scratch.read("o/\($0)-\(last).vtt")).map(\.text) }
        #expect(texts[0] == texts[2] && texts[0] != texts[1] && !texts[0].isEmpty && !texts[1].isEmpty, "\(texts)")
    }

    @Test(arguments: [true, false]) func aWholeFileFollowsTheStream(isEvent: Bool) throws {
        let scratch = try Scratch(["en.vtt": Self.file(30)])
        let encoder = try Encoder(kind(event: isEvent), in: scratch)
        try encoder.advance(2)
        let begin = encoder.origin.segments[0].start
        let at = isEvent ? "" : ",at=\(LiveOrigin.date(begin))"
        let running = try Running("s/m.m3u8 --base-uri relative -o o --track file=en.vtt,language=en\(at)", in: scratch)
        for _ in 0..<12 {
            try running.caughtUp(encoder)
            let listing = try #require(running.listing("en"))
            let version = LiveListing(encoder.origin.version())
            #expect(listing.first == version.first && listing.head == version.head)
            #expect(listing.segments.map { $0.duration } == version.segments.map { $0.duration })
            #expect(listing.segments.map { $0.date } == version.segments.map { $0.date })
            #expect(listing.segments.map { $0.uri } == version.segments.map { "en-\($0.number).vtt" })
            try encoder.advance()
        }
        encoder.origin.isEnded = true
        try encoder.publish()
        #expect(try running.ended() == 0)
        #expect(running.messages == "" && running.listing("en")?.isEnded == true)
        // Two windows stay of what has slid out of the third.
        let files = scratch.files(in: "o").filter { $0.hasSuffix(".vtt") }
        let first: UInt64 = isEvent ? 0 : 14 - 4 - 8
        #expect(Set(files) == Set((first..<14).map { "en-\($0).vtt" }))
        #expect(scratch.files(in: "o").count == files.count + 2)
        try expectCues(encoder, scratch, since: begin, first..<14)
        let master = try scratch.read("o/m.m3u8")
        #expect(master.contains("\n../s/v.m3u8\n") && master.contains("URI=\"en.m3u8\""))
    }

    @Test func cuesThatGrowAreInTheNextSegments() throws {
        let scratch = try Scratch()
        let encoder = try Encoder(kind(dates: .none), in: scratch)
        try encoder.advance(3)
        let running = try Running(
            "s/m.m3u8 --name sub.m3u8 -o s --track uri=en.vtt,language=en --follow said.jsonl", in: scratch)
        try running.until("it has begun") { scratch.exists("s/sub.m3u8") }
        func say(_ text: String) throws {
            let place = scratch.folder.appendingPathComponent("said.jsonl")
            let old = (try? Data(contentsOf: place)) ?? Data()
            try (old + Data(text.utf8)).write(to: place)
        }
        try say("{\"start\":7,\"end\":9,\"text\":\"one\"}\n{\"start\":9")
        usleep(300_000)
        try encoder.advance()
        try running.until("segment 3") { scratch.exists("s/en-3.vtt") }
        try say(",\"end\":10.5,\"text\":\"two\"}\nno cue\n{\"start\":1,\"end\":2,\"text\":\"three & <b>\"}\n")
        usleep(300_000)
        try encoder.advance()
        try running.until("segment 4") { scratch.exists("s/en-4.vtt") }
        encoder.origin.isEnded = true
        try encoder.publish()
        #expect(try running.ended() == 1)
        #expect(
            running.messages.hasPrefix("surtitle: said.jsonl: at byte 69: the line is no JSON object"),
            "\(running.messages)")
        #expect(running.messages.hasSuffix("\nsurtitle: said.jsonl: cues were left out\n"), "\(running.messages)")
        // Each shows from the live edge on, as long as its times tell.
        let segments = encoder.origin.segments
        let third = try Self.cues(scratch.read("s/en-3.vtt"))
        #expect(
            third.map { $0.text } == ["one"] && third.first.map { abs($0.start - segments[3].ticks) <= 90 } ?? false)
        #expect(third.first.map { $0.end - $0.start } == 180_000)
        let fourth = try Self.cues(scratch.read("s/en-4.vtt"))
        #expect(fourth.map { $0.text } == ["two", "three &amp; &lt;b>"])
        #expect(fourth.map { $0.end - $0.start } == [135_000, 90_000])
        for number in 0..<3 { #expect(try Self.cues(scratch.read("s/en-\(number).vtt")) == []) }
    }

    /// A configuration has tracks, the map and the default, and an option wins over it. What is for others is told.
    @Test(arguments: [("", 900_000), (" --map 45000", 45_000)])
    func aConfigurationIsRead(_ option: String, _ ticks: Int) throws {
        let media = { (name: String, isDefault: String) in
            "#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID=\"s\",NAME=\"\(name)\",DEFAULT=\(isDefault),AUTOSELECT=YES,URI=\"\(name).m3u8\"\n"
        }
        let variant = "#EXT-X-STREAM-INF:BANDWIDTH=1,SUBTITLES=\"s\"\n"
        let scratch = try Scratch([
            "c/en.vtt": Self.file(30),
            "c/c.json":
                "{\"tracks\": [{\"file\": \"en.vtt\", \"uri\": \"en.vtt\", \"name\": \"en\", \"default\": true}], "
                + "\"replace-default\": true, \"map\": \"900000\", \"segment\": true}",
        ])
        let encoder = try Encoder(kind(event: true), in: scratch)
        try scratch.write("s/m.m3u8", Array("#EXTM3U\n\(media("sv", "YES"))\(variant)v.m3u8\n".utf8))
        try encoder.advance()
        let running = try Running("s/m.m3u8 --base-uri relative -o o --config c/c.json\(option)", in: scratch)
        try running.caughtUp(encoder)
        #expect(
            try scratch.read("o/m.m3u8")
                == "#EXTM3U\n\(media("sv", "NO").replacing("sv.m3u8", with: "../s/sv.m3u8"))\(variant)../s/v.m3u8\n"
                + media("en", "YES"))
        #expect(try scratch.read("o/en-0.vtt").contains("MPEGTS:\(ticks)"))
        try running.until("it is told") { running.messages.hasSuffix("\n") }
        #expect(running.stop() == 0)
        #expect(running.messages == "surtitle: note: c/c.json: segment is not for surtitle live\n")
    }

    /// A whole file may be SubRip in another encoding, and be shifted; the video may be another than the first variant.
    @Test func aWholeFileIsReadAsOthersAre() throws {
        let scratch = try Scratch()
        try scratch.write("a.srt", Array("1\n00:00:01,000 --> 00:00:02,000\ncaf".utf8) + [0xE9, 0x0A])
        let encoder = try Encoder(kind(event: true), in: scratch)
        try encoder.advance()
        try scratch.write("s/m.m3u8", Array("#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nhttps://h.example/v.m3u8\n".utf8))
        let running = try Running(
            "s/m.m3u8 --media s/v.m3u8 -o o --track file=a.srt,uri=en.vtt --shift 1.5 --from-encoding windows-1252",
            in: scratch)
        try running.caughtUp(encoder)
        let cues = try Self.cues(scratch.read("o/en-0.vtt"))
        #expect(cues.map(\.text) == ["café"] && cues.map(\.start) == [126_000 + 225_000])
        #expect(running.stop() == 0 && running.messages == "")
    }

    /// What another has put there stays, unless --force says otherwise.
    @Test func whatIsAnothersStays() throws {
        let scratch = try Scratch(["en.vtt": Self.file(30), "o/en-0.vtt": "another's"])
        let encoder = try Encoder(kind(event: true), in: scratch)
        try encoder.advance()
        let words = "s/m.m3u8 --base-uri relative -o o --track file=en.vtt,language=en"
        let ran = try Ran(["live"] + words.split(separator: " ").map(String.init), in: scratch)
        #expect(ran.status == 1 && scratch.files(in: "o") == ["en-0.vtt"])
        expectOneLine(ran.errors, about: "o/en-0.vtt: is there, and differs", "or --force to replace it")
        #expect(try scratch.read("o/en-0.vtt") == "another's")
        let running = try Running(words + " --force", in: scratch)
        try running.caughtUp(encoder)
        #expect(try scratch.read("o/en-0.vtt").contains("cue 0"))
        #expect(running.stop() == 0 && running.messages == "")
    }

    /// A cue was said so long before it came.
    @Test(arguments: [("", 0), (" --latency 1.5", 135_000)] as [(String, Int64)])
    func cuesShowWhenTheyWereSaid(_ latency: String, _ ticks: Int64) throws {
        let scratch = try Scratch()
        let encoder = try Encoder(kind(dates: .none), in: scratch)
        try encoder.advance(3)
        let running = try Running(
            "s/m.m3u8 --base-uri relative -o o --track uri=en.vtt,language=en --follow said.jsonl\(latency)",
            in: scratch)
        try running.caughtUp(encoder)
        try scratch.write("said.jsonl", Array("{\"start\":7,\"end\":12,\"text\":\"one\"}\n".utf8))
        usleep(300_000)
        try encoder.advance()
        try running.caughtUp(encoder)
        let cues = try Self.cues(scratch.read("o/en-3.vtt"))
        let edge = encoder.origin.segments[3].ticks
        #expect(cues.map(\.text) == ["one"] && cues.map { $0.end - $0.start } == [450_000])
        #expect(cues.map { edge - $0.start } == [ticks])
        #expect(running.stop() == 0)
    }

    /// A playlist of which only the first lines are there is not taken for one without segments.
    @Test func firstLinesAreWaitedFor() throws {
        let scratch = try Scratch(["en.vtt": Self.file(30), "s/v.m3u8": "#EXTM3U\n#EXT-X-TARGETDURATION:6\n"])
        let encoder = try Encoder(kind(dates: .none), in: scratch)
        let running = try Running(
            "s/m.m3u8 --base-uri relative -o o --track file=en.vtt,language=en,at=msn:0", in: scratch)
        usleep(500_000)
        #expect(scratch.files(in: "o") == [])
        try encoder.advance()
        try running.caughtUp(encoder)
        #expect(running.stop() == 0 && running.messages == "", "\(running.messages)")
    }

    /// Somebody at a terminal is told at the end how many versions there were.
    @Test func theEndTellsATerminal() throws {
        let scratch = try Scratch(["en.vtt": Self.file(30)])
        let encoder = try Encoder(kind(dates: .none), in: scratch)
        encoder.origin.isEnded = true
        try encoder.advance()
        let call = "live s/m.m3u8 --base-uri relative -o o --track file=en.vtt,language=en"
        let ran = try Ran(
            shell: "command -v script >/dev/null || exit 77; script -qec '\"$surtitle\" \(call)' /dev/null </dev/null",
            in: scratch)
        if ran.status == 77 { return }
        #expect(ran.text.contains("surtitle: o: 1 version, 1 track\r\n"), "\(ran)")
    }

    /// A file that is replaced has another writer, whose cues come behind those before. The last counts when the stream
    /// ends, though no line does.
    @Test func aFileThatIsReplacedIsFollowed() throws {
        let scratch = try Scratch(["said": "{\"start\":1,\"end\":2,\"text\":\"one\"}\n"])
        let encoder = try Encoder(kind(dates: .none), in: scratch)
        try encoder.advance(1)
        let running = try Running(
            "s/m.m3u8 --base-uri relative -o o --track uri=en.vtt,language=en --follow said", in: scratch)
        try running.caughtUp(encoder)
        try encoder.advance()
        try running.caughtUp(encoder)
        try scratch.write("other", Array("1\n00:00:01,000 --> 00:00:02,000\ntwo\n".utf8))
        _ = try Ran(shell: "mv other said", in: scratch)
        usleep(300_000)
        encoder.origin.isEnded = true
        try encoder.advance()
        #expect(try running.ended() == 0 && running.messages == "")
        let texts = try (0..<3).map { try Self.cues(scratch.read("o/en-\($0).vtt")).map(\.text) }
        #expect(texts == [["one"], [], ["two"]])
    }

    /// A master that is no longer one, or cannot get the tracks, leaves the one before.
    @Test func aBrokenMasterIsPassedOver() throws {
        let scratch = try Scratch(["en.vtt": Self.file(30)])
        let encoder = try Encoder(kind(event: true), in: scratch)
        try encoder.advance()
        let running = try Running(
            "s/m.m3u8 --base-uri relative -o o --track file=en.vtt,language=en --track uri=sv.m3u8,language=sv",
            in: scratch)
        try running.caughtUp(encoder)
        let master = try scratch.read("o/m.m3u8")
        #expect(master.contains("URI=\"en.m3u8\"") && master.contains("URI=\"sv.m3u8\""))
        for text in ["#EXTM3U\n#EXTINF:4,\na.ts\n", "WEBVTT\n", "#EXTM3U\n#EXT-X-STREAM-INF:A=\"\nv.m3u8\n"] {
            try scratch.write("s/m.m3u8", Array(text.utf8))
            usleep(120_000)
            try encoder.advance()
            try running.caughtUp(encoder)
            #expect(try scratch.read("o/m.m3u8") == master)
        }
        #expect(running.stop() == 0 && running.messages == "")
    }

    @Test func standardInputIsFollowedToItsEnd() throws {
        let scratch = try Scratch()
        let encoder = try Encoder(kind(dates: .none), in: scratch)
        try encoder.advance(2)
        let input = Pipe()
        let running = try Running(
            "s/m.m3u8 -o o --base-uri relative --track uri=en.vtt,language=en,at=msn:0 --follow -", in: scratch,
            input: input)
        try running.caughtUp(encoder)
        try input.fileHandleForWriting.write(contentsOf: Data("1\n00:00:08,000 --> 00:00:09,000\nsaid\n".utf8))
        try input.fileHandleForWriting.close()
        usleep(300_000)
        try encoder.advance()
        try running.caughtUp(encoder)
        #expect(running.stop() == 0)
        let cues = try Self.cues(scratch.read("o/en-2.vtt"))
        #expect(cues.map { $0.text } == ["said"] && cues.map { $0.start } == [126_000 + 720_000])
    }

    /// One writer after another opens a named pipe; a last cue counts once its writer has gone.
    @Test func aNamedPipeIsFollowed() throws {
        let scratch = try Scratch()
        let encoder = try Encoder(kind(dates: .none), in: scratch)
        try encoder.advance(2)
        let pipe = scratch.folder.appendingPathComponent("said").path
        try #require(mkfifo(pipe, 0o600) == 0)
        let running = try Running(
            "s/m.m3u8 -o o --base-uri relative --track uri=en.vtt,language=en,at=msn:0,cues=said", in: scratch)
        try running.caughtUp(encoder)
        func say(_ texts: [String]) throws {
            var number: Int32 = -1
            try running.until("somebody reads") {
                number = open(pipe, O_WRONLY | O_NONBLOCK)
                return number >= 0
            }
            let handle = FileHandle(fileDescriptor: number, closeOnDealloc: true)
            for text in texts {
                try handle.write(contentsOf: Data(text.utf8))
                usleep(50_000)
            }
            try handle.close()
            usleep(300_000)
            try encoder.advance()
            try running.caughtUp(encoder)
        }
        try say(["1\n00:00:08,000 --> 00:0", "0:09,000\nfirst\n"])
        try say(["2\n00:00:12,000 --> 00:00:13,000\nsecond\n\n", "3\n00:00:13,000 --> 00:00:14,000\nthird"])
        #expect(running.stop() == 0)
        #expect(running.messages == "")
        #expect(try Self.cues(scratch.read("o/en-2.vtt")).map { $0.text } == ["first"])
        let cues = try Self.cues(scratch.read("o/en-3.vtt"))
        #expect(cues.map { $0.text } == ["second", "third"] && cues.first?.start == 126_000 + 12 * 90_000)
    }

    /// A signal ends it as the stream's end does; the files stay, and another run goes on with them.
    @Test func anotherRunGoesOn() throws {
        let scratch = try Scratch(["en.vtt": Self.file(30)])
        let encoder = try Encoder(kind(), in: scratch)
        let begin = encoder.origin.segments.first?.start ?? 1_795_000_000_000_000_000
        let words = "s/m.m3u8 --name sub.m3u8 -o s --track file=en.vtt,language=en,at=\(LiveOrigin.date(begin))"
        for round in 0..<3 {
            let running = try Running(words, in: scratch)
            for _ in 0..<3 {
                try encoder.advance()
                let last = encoder.origin.segments.count - 1
                try running.until("segment \(last)") { scratch.exists("s/en-\(last).vtt") }
            }
            #expect(running.stop(by: [SIGINT, SIGTERM, SIGHUP][round]) == 0)
            #expect(running.messages == "")
        }
        #expect(!scratch.hasUnfinished)
    }

    /// What an earlier run has left goes as what has slid out does, two windows later; what the playlist has stays.
    @Test func whatAnEarlierRunLeftGoes() throws {
        let scratch = try Scratch(["en.vtt": Self.file(30)])
        let encoder = try Encoder(kind(), in: scratch)
        try encoder.advance(4)
        let words =
            "s/m.m3u8 --base-uri relative -o o --track file=en.vtt,uri=t/en.vtt,language=en,at="
            + LiveOrigin.date(encoder.origin.segments[0].start)
        let expected = { (numbers: Range<Int>) in numbers.map { "en-\($0).vtt" } + ["en-x.vtt"] }
        let first = try Running(words, in: scratch)
        try first.caughtUp(encoder)
        try scratch.write("o/t/en-x.vtt", Array("another's".utf8))
        for _ in 0..<2 {
            try encoder.advance()
            try first.caughtUp(encoder)
        }
        #expect(first.stop() == 0)
        // The other begins with a version that it has not seen: segments 3 to 6.
        try encoder.advance()
        let second = try Running(words, in: scratch)
        try second.caughtUp(encoder)
        for number in 7..<15 {
            #expect(scratch.files(in: "o/t") == expected(0..<number).sorted())
            try encoder.advance()
            try second.caughtUp(encoder)
        }
        try second.until("they go") { !scratch.exists("o/t/en-2.vtt") }
        #expect(scratch.files(in: "o/t") == expected(3..<15).sorted())
        #expect(second.stop() == 0 && second.messages == "")
    }

    /// A line that is longer than any cue is not waited for, and those behind it count.
    @Test func aLineThatDoesNotEndIsLeftOut() throws {
        let scratch = try Scratch()
        let encoder = try Encoder(kind(dates: .none), in: scratch)
        try encoder.advance(3)
        let running = try Running(
            "s/m.m3u8 --name sub.m3u8 -o s --track uri=en.vtt,language=en --follow said.jsonl", in: scratch)
        try running.until("it has begun") { scratch.exists("s/sub.m3u8") }
        let said = scratch.folder.appendingPathComponent("said.jsonl")
        let line = "{" + String(repeating: "x", count: 100_000)
        try Data(line.utf8).write(to: said)
        try running.until("it is told") { running.messages.contains("said.jsonl: at byte 0: ") }
        #expect(running.messages.contains("; the line is left out\n"), "\(running.messages)")
        let handle = try FileHandle(forWritingTo: said)
        try handle.seekToEnd()
        try handle.write(contentsOf: Data("\n{\"start\":1,\"end\":2,\"text\":\"behind\"}\n".utf8))
        usleep(300_000)
        try encoder.advance()
        try running.until("segment 3") { scratch.exists("s/en-3.vtt") }
        #expect(try Self.cues(scratch.read("s/en-3.vtt")).map { $0.text } == ["behind"])
        #expect(running.stop() == 1)
    }

    /// The encoder begins anew, with lower numbers and another clock.
    @Test func aRestartHasTheNewClock() throws {
        let scratch = try Scratch(["en.vtt": Self.file(30)])
        let encoder = try Encoder(kind(), in: scratch)
        try encoder.advance(6)
        let begin = encoder.origin.segments[0].start
        let running = try Running(
            "s/m.m3u8 --base-uri relative -o o --track file=en.vtt,language=en,at=\(LiveOrigin.date(begin))",
            in: scratch)
        try running.caughtUp(encoder)
        encoder.origin.restart(at: 0, after: 2_000_000_000, ticks: 900_000)
        try encoder.advance()
        // One version could be a mistake of a cache.
        usleep(150_000)
        try encoder.advance(2)
        try running.caughtUp(encoder)
        try expectCues(encoder, scratch, since: begin, 0..<3)
        // It is told once the files are written.
        try running.until("a note") { running.messages.contains("note: s/v.m3u8: the stream has begun anew") }
        #expect(running.stop() == 0)
    }

    /// Somebody clears or removes the folder while it goes on.
    @Test(arguments: [("rm -r o", ""), ("rm o/*", ""), ("mv o away && mkdir o", ""), ("rm -r o", ",cues=said.srt")])
    func aFolderThatIsRemovedIsWrittenAgain(_ removal: String, _ cues: String) throws {
        let scratch = try Scratch([
            "en.vtt": Self.file(30), "said.srt": "1\n00:00:00,500 --> 00:00:29,000\nsaid\n\n",
        ])
        let encoder = try Encoder(kind(), in: scratch)
        try encoder.advance(6)
        let track = "uri=en.vtt,language=en,at=msn:2" + (cues.isEmpty ? ",file=en.vtt" : cues)
        let running = try Running("s/m.m3u8 --base-uri relative -o o --track \(track)", in: scratch)
        try running.caughtUp(encoder)
        _ = try Ran(shell: removal, in: scratch)
        try encoder.advance()
        try running.until("all is there again") { scratch.exists("o/m.m3u8") }
        for segment in try #require(running.listing("en")).segments {
            #expect(try !Self.cues(scratch.read("o/\(segment.uri)")).isEmpty)
        }
        #expect(running.stop() == 0 && running.messages == "")
    }

    /// Somebody clears or removes a folder of segments alone, which the playlist goes on to lead to. The other track's
    /// files stay as they are.
    @Test(arguments: ["rm -r o/subs", "rm o/subs/*"])
    func aSubfolderThatIsRemovedIsWrittenAgain(_ removal: String) throws {
        let scratch = try Scratch(["en.vtt": Self.file(30)])
        let encoder = try Encoder(kind(), in: scratch)
        try encoder.advance(6)
        let tracks = ["subs/en", "sv"].map { " --track uri=\($0).vtt,language=\($0.suffix(2)),at=msn:2,file=en.vtt" }
        let running = try Running("s/m.m3u8 --base-uri relative -o o\(tracks.joined())", in: scratch)
        for name in ["en", "sv"] { try running.caughtUp(encoder, name) }
        _ = try Ran(shell: removal + "; echo kept >o/sv-3.vtt", in: scratch)
        try encoder.advance()
        for name in ["en", "sv"] { try running.caughtUp(encoder, name) }
        let uris = try #require(running.listing("en")).segments.map { $0.uri }
        #expect(uris == (3...6).map { "subs/en-\($0).vtt" })
        for uri in uris { #expect(try !Self.cues(scratch.read("o/\(uri)")).isEmpty) }
        #expect(try scratch.read("o/sv-3.vtt") == "kept\n")
        #expect(running.stop() == 0 && running.messages == "")
    }

    /// Parts are files too.
    @Test func partsAreWritten() throws {
        let scratch = try Scratch(["en.vtt": Self.file(30)])
        var kind = kind()
        kind.parts = 4
        let encoder = try Encoder(kind, in: scratch)
        try encoder.advance(2, openParts: 2)
        let begin = encoder.origin.segments[0].start
        let running = try Running(
            "s/m.m3u8 --base-uri relative -o o --track file=en.vtt,language=en,at=\(LiveOrigin.date(begin))",
            in: scratch)
        try running.caughtUp(encoder)
        let listing = try #require(running.listing("en"))
        #expect(listing.openParts.count == 2 && listing.openParts[1].hasSuffix("URI=\"en-2.1.vtt\""))
        #expect(scratch.exists("o/en-2.0.vtt") && scratch.exists("o/en-2.1.vtt") && !scratch.exists("o/en-2.2.vtt"))
        #expect(scratch.exists("o/en-0.3.vtt") && !scratch.exists("o/en-2.vtt"))
        try encoder.advance(openParts: 1)
        try running.caughtUp(encoder)
        #expect(scratch.exists("o/en-2.3.vtt") && scratch.exists("o/en-2.vtt") && scratch.exists("o/en-3.0.vtt"))
        #expect(running.stop() == 0)
    }

    /// A version that cannot be used leaves the one before; a first one is refused.
    @Test func aVersionThatIsRefusedChangesNothing() throws {
        let scratch = try Scratch(["en.vtt": Self.file(30)])
        let encoder = try Encoder(kind(event: true), in: scratch)
        try encoder.advance(2)
        let running = try Running("s/m.m3u8 --base-uri relative -o o --track file=en.vtt,language=en", in: scratch)
        try running.caughtUp(encoder)
        let before = try scratch.read("o/en.m3u8")
        try scratch.write("s/v.m3u8", Array("#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:x,\na.ts\n".utf8))
        try running.until("it is told") { running.messages.contains("goes on being served") }
        #expect(try scratch.read("o/en.m3u8") == before)
        try encoder.advance()
        try running.caughtUp(encoder)
        #expect(running.stop() == 0)
    }

    /// An encoder that has just been started writes its files in the middle of the first segment, line by line perhaps.
    @Test func whatIsBeingWrittenIsWaitedFor() throws {
        let scratch = try Scratch(["en.vtt": Self.file(30)])
        let running = try Running("s/m.m3u8 --base-uri relative -o o --track file=en.vtt,language=en", in: scratch)
        for text in ["", "#EXTM3U\n#EXT-X-VERSION:3\n", "#EXTM3U\n#EXT-X-VERSION:3\n#EXT-X-STREAM-INF:BANDWIDTH=1\n"] {
            usleep(120_000)
            try scratch.write("s/m.m3u8", Array(text.utf8))
        }
        let encoder = try Encoder(kind(event: true), in: scratch)
        for text in ["#EXTM3U\n", "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\n"] {
            usleep(120_000)
            try scratch.write("s/v.m3u8", Array(text.utf8))
        }
        try encoder.advance()
        try running.caughtUp(encoder)
        // More of it counts as soon as the next version is there.
        try scratch.write(
            "s/m.m3u8", Array(scratch.bytes("s/m.m3u8") + Array("#EXT-X-STREAM-INF:BANDWIDTH=2\nw.m3u8\n".utf8)))
        usleep(120_000)
        try encoder.advance()
        try running.until("the other variant") { try scratch.read("o/m.m3u8").contains("../s/w.m3u8") }
        #expect(running.stop() == 0 && running.messages == "")
    }

    @Test(arguments: [
        ("s/m.m3u8 -o s --track file=en.vtt,language=en", 1, "s/m.m3u8", "would be overwritten"),
        ("s/m.m3u8 -o o --track file=en.vtt,language=en --media s/m.m3u8", 1, "s/m.m3u8", "no media playlist"),
        ("s/none.m3u8 -o o --wait 0.1 --track file=en.vtt", 1, "s/none.m3u8", "no such file"),
        ("s/v.m3u8 -o o --track file=en.vtt", 1, "s/v.m3u8", "makes this a media playlist"),
        ("s/m.m3u8 -o o --track file=none.vtt", 1, "none.vtt", "no such file"),
        ("s/m.m3u8 -o o --track file=s/m.m3u8,uri=en.vtt", 1, "s/m.m3u8", "a playlist"),
        ("- -o o --track file=en.vtt", 1, "standard input", "followed in a folder"),
        ("https://a.example/m.m3u8 -o o --track file=en.vtt", 1, "a.example", "followed in a folder"),
        ("s/m.m3u8 -o o --track uri=en.vtt", 2, "track 1", "give its file= or cues="),
        (
            "s/m.m3u8 -o o --track file=en.vtt,at=2026-11-23T20:00:00Z,then=b.vtt@2026-11-23T21:00:00Z", 2, "track 1",
            "then= is for surtitle-proxy"
        ),
        ("s/m.m3u8 -o o --track cues=http,language=en", 2, "track 1", "cues=http is for surtitle-proxy"),
        ("s/m.m3u8 -o o --track file=en.vtt --follow a.vtt", 2, "--follow", "there are 0"),
        (
            "s/w.m3u8 -o o --track file=en.vtt", 1, "s/w.m3u8",
            "its first variant is no file in its folder; give the media"
        ),
        ("s/x.m3u8 -o o --wait 0.1 --track file=en.vtt", 1, "s/x.m3u8", "is EXT-X-STREAM-INF, so there is no variant"),
        (
            "s/m.m3u8 -o o --track file=en.vtt,uri=/en.vtt", 2, "track 1: /en.vtt",
            "is not relative to DIR; give a relative uri"
        ),
        ("s/m.m3u8 -o o --track uri=a.vtt --track uri=b.vtt --follow a.vtt", 2, "--follow", "there are 2"),
        ("s/m.m3u8 -o o --track file=en.vtt,live=no", 2, "track 1", "surtitle sideload"),
        ("s/m.m3u8 -o o --track cues=a.vtt,language=en --shift 1", 2, "track 1", "not shifted"),
    ])
    func whatCannotBeIsSaid(_ words: String, _ status: Int32, _ place: String, _ reason: String) throws {
        let scratch = try Scratch(["en.vtt": Self.file(1), "l.json": "{\"limits\": {\"longest-line\": 28}}"])
        let encoder = try Encoder(kind(event: true), in: scratch)
        try encoder.advance()
        let variant = "#EXT-X-STREAM-INF:BANDWIDTH=1\n"
        try scratch.write("s/w.m3u8", Array("#EXTM3U\n\(variant)https://h.example/v.m3u8\n\(variant)v.m3u8\n".utf8))
        try scratch.write("s/x.m3u8", Array("#EXTM3U\n#EXT-X-SESSION-DATA:DATA-ID=\"a\",VALUE=\"b\"\n".utf8))
        let before = scratch.files(in: ".")
        let ran = try Ran(["live"] + words.split(separator: " ").map(String.init), in: scratch)
        #expect(ran.status == status)
        expectOneLine(ran.errors, about: place, reason)
        #expect(scratch.files(in: ".") == before)
    }

    /// What ffmpeg writes as time goes by: each cue shows beside its second of the video.
    @Test(.enabled(if: Tool.isInstalled("ffmpeg"), "ffmpeg is not installed")) func besideFFmpeg() throws {
        let scratch = try Scratch(["en.vtt": Self.file(30)])
        let script = """
            mkdir s; ffmpeg -v error -re -f lavfi -i testsrc=size=64x36:rate=25 -t 5 -c:v mpeg2video -g 25 -f hls -hls_time 1 \
              -hls_list_size 3 -hls_flags delete_segments -master_pl_name m.m3u8 s/v.m3u8 & encoder=$!
            "$surtitle" live s/m.m3u8 --name sub.m3u8 -o s --track file=en.vtt,language=en,at=msn:0
            status=$?; wait $encoder; exit $status
            """
        let ran = try Ran(shell: script, in: scratch)
        #expect(ran.status == 0 && ran.errors == "", "\(ran)")
        let (video, listing) = (LiveListing(try scratch.read("s/v.m3u8")), LiveListing(try scratch.read("s/en.m3u8")))
        #expect(listing.isEnded && listing.first == video.first && video.first > 0)
        #expect(listing.segments.map { $0.duration } == video.segments.map { $0.duration })
        for segment in listing.segments {
            for cue in try Self.cues(scratch.read("s/\(segment.uri)")) {
                let number = try #require(Int64(cue.text.dropFirst("cue ".count)))
                // ffmpeg's first time stamp is 1.4 s.
                #expect(abs(cue.start - 126_000 - number * 180_000) <= 4500, "\(cue)")
            }
        }
    }
}
