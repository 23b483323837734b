internal import ByteScan
internal import Encodings
internal import M3U8
internal import Sideload
internal import WebVTT

// How a stream is checked: as a player comes by it, each file read once.
//
//     master.m3u8  ──▶ MasterCheck
//      ├ video.m3u8  ──▶ MediaCheck, and its first segment's time stamp: what maps are held against
//      │  └ a.ts       it is there
//      └ en.m3u8     ──▶ MediaCheck; as long as the video, complete if it is
//         └ en.vtt     it is WebVTT, UTF-8, its cues can be read, its map is the video's

/// Reads a stream as a player would, and tells what is broken.
final class StreamCheck {
    /// How large a playlist may be.
    private static let largestPlaylist = 64 << 20
    /// By how much subtitles may be shorter than the video.
    private static let tolerance: UInt64 = 500_000_000

    let findings = Findings()
    private let chunk: Int

    /// The video that maps and durations are held against: the first variant with video that can be read.
    private struct Video {
        let name: String
        let facts: PlaylistFacts
        /// The map of each timeline; nil where it is not known.
        let maps: [TimestampMap?]
    }

    init(chunk: Int) { self.chunk = chunk }

    /// Checks the playlists that nothing in the directory `path` refers to; refuses a directory without a playlist.
    func check(directory path: String, _ names: [String]) throws(Failure) {
        let folder = path.unicodeScalars.last == "/" ? path : path + "/"
        var masters: [String] = []
        for name in names {
            let file = try InputFile(folder + name)
            let bytes = try file.whole(upTo: Self.largestPlaylist, otherwise: "no playlist is that long")
            if PlaylistFacts(of: bytes).verdict == .multivariant { masters.append(folder + name) }
        }
        if names.isEmpty {
            throw .refused(path, "no file in it ends in .m3u8; name a directory with playlists, or a URL")
        }
        for place in masters.isEmpty ? names.map({ folder + $0 }) : masters { try check(place) }
    }

    /// Checks the playlist that `operand` names, and all that it leads to.
    func check(_ operand: String) throws(Failure) {
        let file = try InputFile(operand)
        let bytes = try file.whole(upTo: Self.largestPlaylist, otherwise: "no playlist is that long")
        findings.playlists += 1
        let facts = PlaylistFacts(of: bytes)
        switch facts.verdict {
        case .notPlaylist: throw .refused(file.name, "at byte 0: the first line is not #EXTM3U; give a playlist")
        case .media, .undecided:
            let media = MediaCheck(bytes, called: file.name, findings)
            if media.leadsToSubtitles {
                checkCues(of: media, called: file.name, at: file.place, nil)
            } else {
                checkSegments(of: media, called: file.name, at: file.place)
            }
        case .multivariant, .mixed:
            check(MasterCheck(bytes, called: file.name, findings), called: file.name, at: file.place, facts)
        }
    }

    private func check(_ master: MasterCheck, called name: String, at place: String, _ facts: PlaylistFacts) {
        let first: String? =
            if case .success(let uri) = facts.variant { String(decoding: uri, as: UTF8.self) } else { nil }
        var seen: Set<String> = []
        var video: Video?
        // The variant that counts comes first, and the others only to be read.
        let variants = master.variants.filter { $0.uri == first } + master.variants.filter { $0.uri != first }
        for variant in variants {
            guard let uri = variant.uri, seen.insert(uri).inserted else { continue }
            guard let read = read(uri, of: name, at: place, variant.location) else { continue }
            let media = MediaCheck(read.bytes, called: read.name, findings)
            checkSegments(of: media, called: read.name, at: read.place)
            if video == nil { video = self.video(media.facts, read.name, read.place) }
        }
        for rendition in master.renditions {
            guard let uri = rendition.values["URI"], seen.insert(uri).inserted else { continue }
            guard let read = read(uri, of: name, at: place, rendition.location) else { continue }
            let media = MediaCheck(read.bytes, called: read.name, findings)
            guard rendition.type == "SUBTITLES" else {
                checkSegments(of: media, called: read.name, at: read.place)
                continue
            }
            if let video { compare(media.facts, called: read.name, with: video) }
            checkCues(of: media, called: read.name, at: read.place, video)
        }
    }

    // MARK: What is referred to

    private struct ReadPlaylist {
        let bytes: [UInt8]
        let name: String
        let place: String
    }

    /// The media playlist that `uri` refers to, in the playlist called `name` at `place`.
    private func read(
        _ uri: String, of name: String, at place: String, _ location: LineLocation
    ) -> ReadPlaylist? {
        findings.references += 1
        guard let operand = operand(uri, of: name, at: place, location) else { return nil }
        do throws(Failure) {
            let file = try InputFile(operand)
            let bytes = try file.whole(upTo: Self.largestPlaylist, otherwise: "no playlist is that long")
            findings.playlists += 1
            switch PlaylistFacts(of: bytes).verdict {
            case .multivariant, .mixed:
                findings.broken(name, location, "\(uri) is a multivariant playlist, where a media playlist belongs")
                return nil
            case .notPlaylist:
                findings.broken(name, location, "\(uri) is no playlist: its first line is not #EXTM3U")
                return nil
            case .media, .undecided: return ReadPlaylist(bytes: bytes, name: file.name, place: file.place)
            }
        } catch {
            findings.broken(name, location, "\(uri) leads nowhere: \(error.message ?? "")")
            return nil
        }
    }

    /// What is read for `uri`; nil, and it is told, if that is nothing, or nobody has asked for it.
    private func operand(_ uri: String, of name: String, at place: String, _ location: LineLocation) -> String? {
        if uri.withView({ URIReference($0).holdsVariable }) {
            findings.doubtful(name, location, "\(uri) holds a variable, and is not looked at")
            return nil
        }
        do throws(UnknownMediaStart) {
            return try PlaylistReference.operand(uri, in: place)
        } catch {
            findings.doubtful(name, location, "\(error.reason), and is not looked at")
            return nil
        }
    }

    /// Whether the segments are there: each local file, and of fetched ones the first and the last, a byte of each.
    private func checkSegments(of media: MediaCheck, called name: String, at place: String) {
        for (index, segment) in media.segments.enumerated() {
            findings.references += 1
            guard let reference = PlaylistReference(segment.uri, in: place) else { continue }
            switch reference {
            case .file(let path):
                if FileStatus(at: path) == nil {
                    findings.broken(name, segment.location, "\(segment.uri) leads nowhere: no such file")
                }
            case .web(let url):
                guard index == 0 || index == media.segments.count - 1,
                    operand(segment.uri, of: name, at: place, segment.location) != nil
                else { continue }
                do throws(Failure) {
                    _ = try unsafe Web.fetch(url, 0..<1, upTo: 1) { _ in false }
                } catch {
                    findings.broken(name, segment.location, "\(segment.uri) leads nowhere: \(error.message ?? "")")
                }
            }
        }
    }

    // MARK: Beside the video

    private func video(_ facts: PlaylistFacts, _ name: String, _ place: String) -> Video {
        let maps = facts.timelines.map { (timeline) -> TimestampMap? in
            do throws(UnknownMediaStart) {
                return try VideoClock.map(of: timeline, in: place, chunk: chunk)
            } catch {
                findings.doubtful(
                    name, nil, "the video's first time stamp is not known, so maps are not checked: \(error.reason)")
                return nil
            }
        }
        return Video(name: name, facts: facts, maps: maps)
    }

    private func compare(_ subtitles: PlaylistFacts, called name: String, with video: Video) {
        let (own, whole) = (subtitles.duration.nanoseconds, video.facts.duration.nanoseconds)
        if video.facts.isComplete, !subtitles.isComplete {
            findings.broken(
                name, nil, "no EXT-X-ENDLIST, though the video has one: players load the playlist again and again")
        }
        guard video.facts.isComplete, own &+ Self.tolerance < whole else { return }
        func seconds(_ nanoseconds: UInt64) -> String {
            Timestamp(milliseconds: Int64(nanoseconds / 1_000_000)).seconds
        }
        findings.broken(
            name, nil,
            "the subtitles last \(seconds(own)) s, and the video \(seconds(whole)) s, which they must cover (AAS 5.5, 8.7); "
                + "make them with --media")
    }

    // MARK: Cues

    private func checkCues(of media: MediaCheck, called name: String, at place: String, _ video: Video?) {
        for segment in media.segments {
            findings.references += 1
            guard let operand = operand(segment.uri, of: name, at: place, segment.location) else { continue }
            let inventory = CueInventory()
            var checker = UTF8Checker()
            let file: String
            do throws(Failure) {
                let read = try InputFile(operand)
                file = read.name
                try unsafe read.forEachTextChunk(of: chunk) { bytes in
                    unsafe inventory.scan(bytes)
                    checker.scan(unsafe ByteView(bytes))
                }
            } catch {
                findings.broken(name, segment.location, "\(segment.uri) leads nowhere: \(error.message ?? "")")
                continue
            }
            inventory.finish()
            findings.files += 1
            guard inventory.isWebVTT else {
                findings.broken(file, nil, "at byte 0: no WEBVTT signature, so players show nothing of it")
                continue
            }
            if let position = checker.firstMalformed { findings.broken(file, nil, "at byte \(position): not UTF-8") }
            for fault in inventory.faults() { findings.broken(file, nil, fault) }
            if let bad = inventory.badMap, inventory.timestampMap == nil {
                findings.broken(file, bad, "X-TIMESTAMP-MAP cannot be read; write LOCAL:00:00:00.000,MPEGTS:0")
            }
            checkMap(of: inventory, called: file, segment, video)
        }
    }

    private func checkMap(
        of inventory: CueInventory, called name: String, _ segment: MediaCheck.Segment, _ video: Video?
    ) {
        guard let video, segment.timeline < video.maps.count, let expected = video.maps[segment.timeline] else {
            return
        }
        let delay = (inventory.timestampMap ?? .none).delay(after: expected)
        // Where no cue shows, none shows at another time.
        guard delay.magnitude > TimestampMap.tolerance, inventory.cueCount > 0 else { return }
        let seconds = TimestampMap.seconds(delay)
        let what = inventory.timestampMap == nil ? "no X-TIMESTAMP-MAP, and" : "by its X-TIMESTAMP-MAP"
        findings.broken(
            name, nil,
            "\(what) cues show \(seconds) s \(delay > 0 ? "late" : "early"): the first time stamp of \(video.name) is "
                + "MPEGTS:\(expected.mpegTS) at \(expected.local)")
    }
}

extension MediaCheck {
    /// Whether the first segment is a file of cues by its name.
    var leadsToSubtitles: Bool {
        guard let name = segments.first.map({ URIPath($0.uri).lastComponent.encoded.lowercased() }) else {
            return false
        }
        return name.hasSuffix(".vtt") || name.hasSuffix(".webvtt")
    }
}
