import Sideload
import Support
import Testing

@testable import Delivery

/// The tracks beside a live video, as a server has them: what is fetched for whom, and what their segments are made of.
struct LiveTracksTests {
    private static let url = "https://o.example/d/v.m3u8"
    private static let file = "WEBVTT\n\n00:13.000 --> 00:14.000\na\n\n00:31.000 --> 00:32.000\nb\n"

    /// Tracks beside a simulated origin, whose segment 2 goes from 12.012 s to 18.018 s.
    private struct Beside {
        let tracks: LiveTracks
        var origin = LiveOrigin(LiveOrigin.Kind())
        var fetched: [String] = []
        var file: String? = LiveTracksTests.file
        /// What the origin sends in place of its playlist.
        var version: String?

        init(_ specs: String...) throws {
            var configuration = Configuration()
            configuration.master = Array(url.utf8)
            configuration.tracks = try specs.map { try TrackConfiguration(spec: $0) }
            let router = try Router(configuration)
            let begin: Int64 = 1_795_000_000_000_000_000
            tracks = LiveTracks(router, LiveConfiguration(anchor: .date(begin)), firstNumber: 5)
            for _ in 0..<8 { origin.advance() }
        }

        func answer(to job: FetchJob) -> Fetch.Step {
            switch job {
            case .livePlaylist(let url):
                return .answer(.playlist(FetchedPlaylist(bytes: Array((version ?? origin.version()).utf8), url: url)))
            case .segmentStart(let want, _):
                let ticks = origin.segment(want.segment).map { UInt64($0.ticks) } ?? 0
                return .answer(.mediaStart(FetchedMediaStart(ticks: ticks, start: .zero)))
            case .content:
                if let file {
                    return .answer(
                        .text(
                            FetchedText(
                                bytes: Array(file.utf8), isConverted: false, map: nil, isChanged: false, mapFailure: nil
                            )))
                }
            default: break
            }
            return .failure(FetchError(reason: .status(404), purpose: .subtitles, url: []))
        }

        /// Carries out all that is wanted, but for a file if it is held back.
        mutating func fetchWanted(holdingFiles: Bool = false, at now: Int64) {
            while let fetching = tracks.nextFetch(at: now) {
                if case .content = fetching.job {
                    fetched.append("file \(fetching.track ?? -1)")
                    if holdingFiles { continue }
                } else {
                    #expect(fetching.track == nil)
                    fetched.append("start")
                }
                let step = answer(to: fetching.job)
                tracks.take(step, of: fetching.number, at: now)
            }
        }

        /// Carries an ask out: each fetch is answered at once.
        mutating func run(
            _ kind: LiveAsk.Kind, of track: Int = 0, named names: LiveNames? = nil, at now: Int64 = 0
        ) -> LiveTracks.Step {
            var ask = LiveAsk(kind, at: now)
            for _ in 0..<6 {
                let step = tracks.step(&ask, of: track, named: names, at: now)
                fetchWanted(at: now)
                switch step {
                case .fetch(let fetching):
                    fetched.append("version")
                    let answer = answer(to: fetching.job)
                    tracks.take(answer, of: fetching.number, at: now)
                case .wait: continue
                default: return step
                }
            }
            return .wait
        }

        mutating func segment(_ name: String, of track: Int = 0, at now: Int64 = 0) -> String {
            guard case .answer(let resource) = run(.segment(Array(name.utf8)), of: track, at: now) else { return "?" }
            return String(decoding: resource.bytes, as: UTF8.self)
        }

        mutating func playlist(of track: Int = 0, named names: LiveNames? = nil, at now: Int64 = 0) -> String {
            guard case .answer(let resource) = run(.playlist(nil), of: track, named: names, at: now) else { return "?" }
            return String(decoding: resource.bytes, as: UTF8.self)
        }

        mutating func asked() -> [String] {
            defer { fetched = [] }
            return fetched
        }
    }

    @Test func oneFileATrackAndOneVersionForAll() throws {
        var beside = try Beside("uri=en.vtt,language=en", "uri=fr.vtt,language=fr")
        #expect(beside.playlist().contains("\nen/2.vtt\n") && beside.tracks.isLive)
        #expect(beside.asked() == ["version", "file 0", "start"] && beside.tracks.targetDuration == 7)
        let named = LiveNames(prefix: Array("http://h/x/".utf8))
        #expect(beside.playlist(named: named).contains("\nhttp://h/x/2.vtt\n"))
        #expect(beside.playlist(of: 1).contains("\nfr/2.vtt\n"))
        #expect(beside.asked() == ["file 1"])
        #expect(beside.segment("2.vtt").hasSuffix("\n\nen.8\n00:13.000 --> 00:14.000\na\n\n"))
        #expect(beside.segment("2.vtt", of: 1).contains("\nfr.8\n") && beside.segment("5.vtt").contains("\nb\n"))
        #expect(beside.run(.segment(Array("99.vtt".utf8))) == .status(404) && beside.asked() == [])
        #expect(beside.tracks.lifetime(of: .playlist(nil)) == 3 && !beside.tracks.holdsGrowingCues)
    }

    /// The playlist is made once a version, for each track and each way to name its segments.
    @Test func whoeverAsksGetsHisOwnPlaylist() throws {
        var beside = try Beside("uri=en.vtt,language=en", "uri=fr.vtt,language=fr")
        #expect(beside.tracks.videoPlaylist == nil && beside.tracks.targetDuration == 0)
        let named = LiveNames(prefix: Array("x/".utf8))
        for now in [0, 1] as [Int64] {
            for (track, names, prefix) in [(0, nil, "en"), (1, nil, "fr"), (0, named, "x"), (1, named, "x")]
                as [(Int, LiveNames?, String)]
            {
                let playlist = beside.playlist(of: track, named: names, at: now)
                #expect(playlist.contains("\n\(prefix)/7.vtt\n") && !playlist.contains("/8.vtt"))
            }
        }
        #expect(beside.tracks.videoPlaylist == Array(Self.url.utf8))
        beside.origin.advance()
        #expect(
            beside.playlist(at: 6006).contains("\nen/8.vtt\n")
                && beside.playlist(of: 1, at: 6006).contains("\nfr/8.vtt\n"))
    }

    /// Files that follow the first may be missing, but not the first; a segment waits for all.
    @Test func filesThatFollowAreFetchedInTurn() throws {
        let later = "then=b.vtt@2026-11-18T11:07:40Z;c.vtt@2026-11-18T11:08:40Z"
        let beside = try Beside("file=a.vtt,language=en,at=2026-11-18T11:06:40Z,\(later)")
        var ask = LiveAsk(.playlist(nil), at: 0)
        guard case .fetch(let version) = beside.tracks.step(&ask, of: 0, at: 0) else { throw Unexpected() }
        beside.tracks.take(beside.answer(to: version.job), of: version.number, at: 0)
        _ = beside.tracks.step(&ask, of: 0, at: 0)
        var segment = LiveAsk(.segment(Array("2.vtt".utf8)), at: 0)
        guard case .fetch(let start) = beside.tracks.step(&segment, of: 0, at: 0) else { throw Unexpected() }
        beside.tracks.take(beside.answer(to: start.job), of: start.number, at: 0)
        var (paths, numbers): ([String?], Set<UInt64>) = ([], [])
        while let fetching = beside.tracks.nextFetch(at: 0) {
            #expect(fetching.track == 0 && beside.tracks.step(&segment, of: 0, at: 0) == .wait)
            // What is under way is no answer yet.
            beside.tracks.take(.decrypt(Decryption(key: [], vector: [], bytes: [])), of: fetching.number, at: 0)
            paths.append(fetching.path)
            numbers.insert(fetching.number.number)
            let failure = Fetch.Step.failure(FetchError(reason: .network, purpose: .subtitles, url: []))
            let step = fetching.path == "b.vtt" ? failure : beside.answer(to: fetching.job)
            beside.tracks.take(step, of: fetching.number, at: 0)
        }
        #expect(paths == ["a.vtt", "b.vtt", "c.vtt"] && numbers.count == 3)
        guard case .answer(let resource) = beside.tracks.step(&segment, of: 0, at: 0) else { throw Unexpected() }
        let text = String(decoding: resource.bytes, as: UTF8.self)
        #expect(text.contains("\nen.8\n") && text.contains("\nen-3.8\n") && !text.contains("en-2"), "\(text)")
    }

    /// A segment waits for its file, 3 s at most; one that could not be had is asked for again 10 s later.
    @Test func aFileThatDoesNotCome() throws {
        var beside = try Beside("uri=en.vtt,language=en")
        var ask = LiveAsk(.playlist(nil), at: 0)
        guard case .fetch(let version) = beside.tracks.step(&ask, of: 0, at: 0) else { throw Unexpected() }
        beside.tracks.take(beside.answer(to: version.job), of: version.number, at: 0)
        _ = beside.tracks.step(&ask, of: 0, at: 0)
        beside.fetchWanted(holdingFiles: true, at: 0)
        var segment = LiveAsk(.segment(Array("2.vtt".utf8)), at: 0)
        #expect(beside.tracks.step(&segment, of: 0, at: 2999) == .wait)
        guard case .answer(let empty) = beside.tracks.step(&segment, of: 0, at: 3000) else { throw Unexpected() }
        #expect(
            String(decoding: empty.bytes, as: UTF8.self).hasPrefix("WEBVTT\nX-TIMESTAMP-MAP=") && empty.bytes.count < 70
        )

        beside = try Beside("uri=en.vtt,language=en")
        beside.file = nil
        _ = beside.playlist()
        #expect(!beside.segment("2.vtt").contains("-->"))
        beside.file = Self.file
        _ = beside.asked()
        #expect(!beside.segment("2.vtt", at: 9_999).contains("-->") && !beside.asked().contains("file 0"))
        #expect(beside.segment("2.vtt", at: 10_000).contains("\na\n") && beside.asked().contains("file 0"))
    }

    private struct Unexpected: Error {}

    /// What nobody carries out any more, because nothing came, is asked for again: the video, its first look included, and a file.
    @Test func fetchesThatAreGivenUp() throws {
        var beside = try Beside("uri=en.vtt,language=en")
        for first in [true, false] {
            let now: Int64 = first ? 0 : 60_000
            var ask = LiveAsk(.playlist(nil), at: now)
            guard case .fetch(let version) = beside.tracks.step(&ask, of: 0, at: now) else { throw Unexpected() }
            #expect(beside.tracks.step(&ask, of: 0, at: now + 2000) == .wait)
            beside.tracks.giveUp(version.number, at: now + 2000)
            #expect(beside.tracks.step(&ask, of: 0, at: now + 2000) == .status(504))
            #expect(beside.playlist(at: now + 3000).contains("\nen/2.vtt\n"))
        }

        beside = try Beside("uri=en.vtt,language=en")
        var ask = LiveAsk(.playlist(nil), at: 0)
        guard case .fetch(let version) = beside.tracks.step(&ask, of: 0, at: 0) else { throw Unexpected() }
        beside.tracks.take(beside.answer(to: version.job), of: version.number, at: 0)
        _ = beside.tracks.step(&ask, of: 0, at: 0)
        guard let file = beside.tracks.nextFetch(at: 0), file.track == 0 else { throw Unexpected() }
        beside.tracks.giveUp(file.number, at: 1000)
        #expect(!beside.segment("2.vtt", at: 1000).contains("-->"))
        #expect(beside.segment("2.vtt", at: 11_000).contains("\na\n"))
    }

    /// Cues that have been sent are nowhere else; those of a file are, and of none there is nothing to lose.
    @Test func cuesThatWouldBeLost() throws {
        let beside = try Beside("cues=http,language=fr", "cues=said.jsonl,uri=da.vtt,language=da")
        let line = Array((#"{"start":49,"end":50,"text":"a"}"# + "\n").utf8)
        beside.tracks.followFile(of: 1) { cues in line.withUnsafeBytes { cues.append($0) } }
        #expect(!beside.tracks.holdsGrowingCues)
        #expect(beside.tracks.beginCues(.jsonLines, of: 0) && beside.tracks.holdsGrowingCues)
        beside.tracks.abandonCues(of: 0)
        #expect(!beside.tracks.holdsGrowingCues && beside.tracks.beginCues(.jsonLines, of: 0))
        #expect(try line.withUnsafeBytes { try beside.tracks.appendCues($0, of: 0) } == 1)
        #expect(try beside.tracks.finishCues(of: 0) == 0 && beside.tracks.holdsGrowingCues)
    }

    /// Those that stand in a file before the channel begins are where they show. They are not late: nobody has had a segment before the
    /// time stamp was found that says where it lies.
    @Test func cuesOfBeforeAreNotRepeated() throws {
        var beside = try Beside("cues=said.jsonl,uri=da.vtt,language=da,at=2026-11-18T11:06:40Z")
        let line = Array((#"{"start":25,"end":26,"text":"said"}"# + "\n").utf8)
        beside.tracks.followFile(of: 0) { cues in line.withUnsafeBytes { cues.append($0) } }
        _ = beside.playlist(at: 0)
        beside.origin.advance()
        let names = beside.playlist(at: 7000).split(separator: "\n").filter { $0.hasSuffix(".vtt") }
        let holding = names.filter { name in
            beside.segment(String(name.split(separator: "/").last ?? ""), at: 7000).contains("said")
        }
        #expect(names.count > 3 && holding == ["da/4.vtt"], "\(holding)")
    }

    /// One without times shows behind what was listed when it came, though nothing was sealed then.
    @Test func cuesFromTheEdgeWaitForATimeStamp() throws {
        var beside = try Beside("cues=http,language=fr")
        func takeVersion(at now: Int64) throws {
            var ask = LiveAsk(.playlist(nil), at: now)
            guard case .fetch(let version) = beside.tracks.step(&ask, of: 0, at: now) else { throw Unexpected() }
            beside.tracks.take(beside.answer(to: version.job), of: version.number, at: now)
            guard case .answer = beside.tracks.step(&ask, of: 0, at: now) else { throw Unexpected() }
        }
        try takeVersion(at: 0)
        #expect(beside.tracks.beginCues(.jsonLines, of: 0))
        let line = Array((#"{"start":0,"end":1,"text":"now"}"# + "\n").utf8)
        try line.withUnsafeBytes { bytes in _ = try beside.tracks.appendCues(bytes, of: 0) }
        beside.origin.advance()
        try takeVersion(at: 7000)
        let holding = (3...8).filter { beside.segment("\($0).vtt", at: 7000).contains("\nnow\n") }
        #expect(holding == [8], "\(holding)")
    }

    @Test func cuesThatAreSent() throws {
        var beside = try Beside(
            "cues=http,language=fr", "uri=en.vtt,language=en", "cues=said.jsonl,uri=da.vtt,language=da")
        _ = beside.playlist()
        #expect(beside.asked() == ["version", "start"] && !beside.tracks.isBeingWritten)
        #expect(!beside.tracks.beginCues(.jsonLines, of: 1) && !beside.tracks.beginCues(.jsonLines, of: 2))
        #expect(beside.tracks.beginCues(.jsonLines, of: 0) && !beside.tracks.beginCues(.webVTT, of: 0))
        #expect(beside.tracks.isBeingWritten && beside.tracks.holdsGrowingCues)
        func append(_ text: String) throws -> Int {
            try Array(text.utf8).withUnsafeBytes { try beside.tracks.appendCues($0, of: 0) }
        }
        #expect(try append(#"{"start":49,"end":50,"text":"a"}"# + "\n{\"start\":49.5,") == 1)
        #expect(try append(#""end":50,"text":"b"}"# + "\n" + #"{"start":49,"end":50,"text":"c"}"#) == 1)
        #expect(try beside.tracks.finishCues(of: 0) == 1 && !beside.tracks.isBeingWritten)
        beside.origin.advance()
        _ = beside.playlist(at: 6006)
        let text = beside.segment("8.vtt", at: 6006)
        #expect(text.contains("fr.5\n00:00:48.048 --> 00:00:49.048\na\n") && text.contains("\nfr.7\n"))
        // What is refused ends the writer, and what is not whole is none if it goes away.
        #expect(beside.tracks.beginCues(.jsonLines, of: 0))
        #expect(throws: GrowingError.self) { try append("?\n") }
        #expect(!beside.tracks.isBeingWritten && beside.tracks.beginCues(.jsonLines, of: 0))
        #expect(try append(#"{"start":55,"end":56,"text":"d"}"#) == 0)
        beside.tracks.abandonCues(of: 0)
        beside.origin.advance()
        _ = beside.playlist(at: 12_012)
        #expect(!beside.segment("9.vtt", at: 12_012).contains("-->"))
    }

    /// What stood in the file before anybody came is in the segments that are listed; later cues are in later ones.
    @Test func cuesOfAFileThatGrows() throws {
        var beside = try Beside(
            "uri=en.vtt,language=en", "cues=said.jsonl,uri=da.vtt,language=da,at=2026-11-18T11:06:40Z")
        _ = beside.playlist()
        func grow(_ text: String) {
            beside.tracks.followFile(of: 1) { cues in
                Array(text.utf8).withUnsafeBytes { cues.append($0) }
            }
        }
        grow(#"{"start":43,"end":44,"text":"a"}"# + "\n")
        _ = beside.playlist(of: 1)
        grow(#"{"start":43,"end":50,"text":"b"}"# + "\n")
        #expect(beside.segment("7.vtt", of: 1).contains("\na\n") && !beside.segment("7.vtt", of: 1).contains("\nb\n"))
        beside.origin.advance()
        _ = beside.playlist(of: 1, at: 6006)
        #expect(beside.segment("8.vtt", of: 1, at: 6006).contains("\nb\n"))
        beside.tracks.followFile(of: 0) { _ in Issue.record("its file is whole") }
    }

    /// Versions are asked for while cues come, one at a time, and none that is young.
    @Test func versionsAreFollowed() throws {
        var beside = try Beside("cues=http,language=fr")
        #expect(beside.tracks.beginCues(.jsonLines, of: 0))
        let first = try #require(beside.tracks.follow(at: 0))
        #expect(beside.tracks.follow(at: 1) == nil)
        beside.tracks.take(beside.answer(to: first.job), of: first.number, at: 10)
        beside.fetchWanted(at: 10)
        #expect(beside.tracks.isLive && beside.tracks.follow(at: 3509) == nil)
        let second = try #require(beside.tracks.follow(at: 3510))
        #expect(second.job == .livePlaylist(Array(Self.url.utf8)))
        beside.tracks.take(beside.answer(to: second.job), of: second.number, at: 3600)
        #expect(beside.tracks.follow(at: 3700) == nil)
    }

    @Test func notesAreToldOnce() throws {
        var beside = try Beside("uri=en.vtt,language=en")
        beside.origin.kind.zone = ""
        beside.origin.advance()
        _ = beside.playlist()
        #expect(beside.tracks.takeNotes() == .dateWithoutZone && beside.tracks.takeNotes() == [])
        beside.origin.advance()
        _ = beside.playlist(at: 6006)
        #expect(beside.tracks.takeNotes() == [])
    }

    /// Why a version is refused is told once, and again when one has been taken since.
    @Test func refusalsAreToldOnce() throws {
        var beside = try Beside("uri=en.vtt,language=en")
        let held = beside.playlist()
        func refusal(at now: Int64) -> LiveError? {
            #expect(beside.playlist(at: now) == held)
            return beside.tracks.takeRefusal()
        }
        #expect(refusal(at: 1) == nil)
        beside.version = "#EXTM3U\n#EXT-X-TARGETDURATION:6\n#EXTINF:two,\na.ts\n"
        #expect(refusal(at: 4000) == LiveError(reason: .malformedDuration, position: 32) && refusal(at: 8000) == nil)
        beside.version = "<html>\n"
        #expect(refusal(at: 12_000) == LiveError(reason: .notMedia, position: 0))
        beside.version = nil
        #expect(refusal(at: 16_000) == nil)
        beside.version = "<html>\n"
        #expect(refusal(at: 20_000) == LiveError(reason: .notMedia, position: 0))
    }

    // MARK: Requests beside a video that is not live, or is and has no multivariant playlist

    private static func router(_ specs: String...) throws -> Router {
        var configuration = Configuration()
        configuration.master = Array(url.utf8)
        configuration.tracks = try specs.map { try TrackConfiguration(spec: $0) }
        return try Router(configuration)
    }

    /// Nothing is fetched for cues that come: something empty is in their place, and the reason.
    @Test func cuesThatComeAreNoFile() throws {
        let router = try Self.router("cues=http,language=fr", "uri=en.vtt,language=en")
        for path in ["fr.m3u8", "fr.vtt"] {
            var request = Router.Request(router, RouteRequest("surtitle-track://subtitles/" + path))
            guard case .answer(let made) = request.next() else { throw Unexpected() }
            guard case .route(let error)? = made.reason else { throw Unexpected() }
            #expect(error.isNotLive && error.track == 0 && !made.mayBeKept && made.missing == 0)
        }
        var entry = Router.Request(router, RouteRequest(router.entry))
        var wanted: [Int?] = []
        while case .fetch(let next) = entry.next() { wanted.append(next.track) }
        #expect(wanted == [nil, 1], "the playlist, and whether the file is there")
    }

    @Test(arguments: [false, true])
    func aLiveMediaPlaylistIsWrapped(_ isBesideLive: Bool) throws {
        let router = try Self.router(
            "uri=en.vtt,language=en", "uri=fr.vtt,language=fr,live=no", "cues=http,language=de")
        var request = Router.Request(router, RouteRequest(router.entry), besideLive: isBesideLive)
        let media = FetchedPlaylist(
            bytes: Array(LiveOrigin(LiveOrigin.Kind()).version().utf8), url: Array(Self.url.utf8))
        while case .fetch(let next) = request.next() {
            request.take(.answer(next.track == nil ? .playlist(media) : .present), of: next)
        }
        guard case .answer(let made) = request.next() else { throw Unexpected() }
        #expect(made.leftOut.map(\.track) == (isBesideLive ? [1] : [0, 1, 2]))
        #expect((made.wrapped != nil) == isBesideLive)
    }
}
