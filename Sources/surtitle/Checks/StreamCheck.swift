internal import ByteScan
internal import M3U8
internal import Sideload
internal import WebVTT

// How a stream is checked: as a player comes by it, each file read once.
//
//     master.m3u8  ──▶ PlaylistText, MasterCheck
//      ├ video.m3u8  ──▶ PlaylistText, MediaCheck, and its first segments' time stamps: what maps are held against
//      │  └ a.ts       it is there, and as long as EXT-X-BYTERANGE says
//      └ en.m3u8     ──▶ PlaylistText, MediaCheck; RenditionCheck: as the video's is
//         └ en.vtt     ──▶ CueCheck: WebVTT, UTF-8, cues that can be read, the video's map, cues where they belong

/// Reads a stream as a player would, and tells what is broken.
final class StreamCheck {
    /// How large a playlist may be.
    private static let largestPlaylist = 64 << 20

    let findings = Findings()

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
        let verdict = PlaylistFacts(of: bytes).verdict
        if verdict == .notPlaylist {
            throw .refused(file.name, "at byte 0: the first line is not #EXTM3U; give a playlist")
        }
        let text = PlaylistText(bytes, called: file.name, at: file.place, importing: nil, findings)
        switch verdict {
        case .multivariant, .mixed: check(MasterCheck(text, findings), text)
        case .media, .undecided, .notPlaylist:
            let media = MediaCheck(text, findings)
            guard media.leadsToSubtitles else { return checkSegments(of: media) }
            findings.tracks += 1
            checkCues(of: media, beside: nil)
        }
    }

    private func check(_ master: MasterCheck, _ text: PlaylistText) {
        var seen: Set<String> = []
        var video: CheckedVideo?
        /// Each playlist is checked once, whoever refers to it.
        func media(_ uri: String?, _ location: LineLocation) -> MediaCheck? {
            guard let uri, seen.insert(uri).inserted else { return nil }
            return read(uri, of: text, location).map { MediaCheck($0, findings) }
        }
        // The variant that counts comes first, and the others only to be read.
        let first = master.variants.filter { $0.uri == master.firstVariant }
        for variant in first + master.variants.filter({ $0.uri != master.firstVariant }) {
            guard let media = media(variant.uri, variant.location) else { continue }
            checkSegments(of: media)
            video = video ?? self.video(media)
        }
        for rendition in master.renditions {
            if rendition.type == "SUBTITLES" { findings.tracks += 1 }
            guard let media = media(rendition.values["URI"], rendition.location) else { continue }
            if rendition.type == "SUBTITLES" { checkCues(of: media, beside: video) } else { checkSegments(of: media) }
        }
        for reference in master.references {
            if !reference.isPlaylist {
                checkPresence(reference, of: text)
            } else if let media = media(reference.uri, reference.location) {
                checkSegments(of: media)
            }
        }
    }

    /// The video, with the maps that its timelines' first segments tell.
    private func video(_ media: MediaCheck) -> CheckedVideo {
        let maps = media.facts.timelines.map { (timeline) -> TimestampMap? in
            do throws(UnknownMediaStart) {
                return try VideoClock.map(of: timeline, in: media.text.place)
            } catch {
                findings.doubtful(
                    media.text.name, nil,
                    "the video's first time stamp is not known, so maps are not checked: \(error.reason)")
                return nil
            }
        }
        return CheckedVideo(name: media.text.name, facts: media.facts, maps: maps)
    }

    // MARK: What is referred to

    /// The text of the media playlist that `uri` refers to, in the playlist `text`.
    private func read(_ uri: String, of text: PlaylistText, _ location: LineLocation) -> PlaylistText? {
        findings.references += 1
        guard let operand = operand(uri, of: text, location) else { return nil }
        do throws(Failure) {
            let file = try InputFile(operand)
            let bytes = try file.whole(upTo: Self.largestPlaylist, otherwise: "no playlist is that long")
            findings.playlists += 1
            switch PlaylistFacts(of: bytes).verdict {
            case .multivariant, .mixed:
                let what = "\(Findings.excerpt(uri)) is a multivariant playlist, where a media playlist belongs"
                findings.broken(text.name, location, what)
                return nil
            case .notPlaylist:
                let what = "\(Findings.excerpt(uri)) is no playlist: its first line is not #EXTM3U"
                findings.broken(text.name, location, what)
                return nil
            case .media, .undecided:
                return PlaylistText(bytes, called: file.name, at: file.place, importing: text.variables, findings)
            }
        } catch {
            tellNowhere(uri, of: text, location, error)
            return nil
        }
    }

    private func tellNowhere(_ uri: String, of text: PlaylistText, _ location: LineLocation, _ reason: Failure) {
        findings.broken(text.name, location, "\(Findings.excerpt(uri)) leads nowhere: \(reason)")
    }

    /// What is read for `uri`; nil, and it is told, if that is nothing, or nobody has asked for it.
    private func operand(_ uri: String, of text: PlaylistText, _ location: LineLocation) -> String? {
        if uri.withView({ URIReference($0).holdsVariable }) {
            findings.doubtful(text.name, location, "\(Findings.excerpt(uri)) holds a variable, and is not looked at")
            return nil
        }
        do throws(UnknownMediaStart) {
            return try PlaylistReference.operand(uri, in: text.place)
        } catch {
            findings.doubtful(text.name, location, "\(error.reason), and is not looked at")
            return nil
        }
    }

    /// Whether the segments are there, as long as their ranges say: each local file, and of fetched ones the first and
    /// the last, a byte of each. And what else the playlist refers to.
    private func checkSegments(of media: MediaCheck) {
        for (index, segment) in media.segments.enumerated() where !segment.isGap {
            let isEnd = index == 0 || index == media.segments.count - 1
            checkPresence(segment.uri, segment.range, of: media.text, segment.location, isFetched: isEnd)
        }
        for reference in media.references { checkPresence(reference, of: media.text) }
    }

    private func checkPresence(_ reference: TagReference, of text: PlaylistText) {
        checkPresence(reference.uri, nil, of: text, reference.location, isFetched: true)
    }

    /// Whether `uri` leads to a file with the bytes `range`. A reference by another scheme leads elsewhere.
    private func checkPresence(
        _ uri: String, _ range: Range<Int>?, of text: PlaylistText, _ location: LineLocation, isFetched: Bool
    ) {
        findings.references += 1
        guard !uri.withView({ URIReference($0).holdsVariable }), let found = PlaylistReference(uri, in: text.place)
        else { return }
        switch found {
        case .file(let path):
            guard let status = FileStatus(at: path) else {
                findings.broken(text.name, location, "\(Findings.excerpt(uri)) leads nowhere: no such file")
                return
            }
            if let size = status.size, let range, range.upperBound > size {
                findings.broken(
                    text.name, location,
                    "\(Findings.excerpt(uri)) has \(size) bytes, fewer than EXT-X-BYTERANGE says, which ends at \(range.upperBound)"
                )
            }
        case .web(let url):
            guard isFetched, operand(uri, of: text, location) != nil else { return }
            let last = range.map { $0.upperBound - 1 } ?? 0
            var isThere = false
            do throws(Failure) {
                _ = try unsafe Web.fetch(url, last..<(last + 1), upTo: 1) { bytes in
                    isThere = unsafe !bytes.isEmpty
                    return false
                }
            } catch {
                return tellNowhere(uri, of: text, location, error)
            }
            if range != nil, !isThere {
                findings.broken(
                    text.name, location,
                    "\(Findings.excerpt(uri)) has fewer bytes than EXT-X-BYTERANGE says, which ends at \(last + 1)")
            }
        }
    }

    // MARK: Subtitles

    private func checkCues(of media: MediaCheck, beside video: CheckedVideo?) {
        if let video { RenditionCheck(media, beside: video, findings).check() }
        // WebVTT in fragmented MP4, or TTML, which is another reader's.
        if let first = media.segments.first(where: { $0.media?.initialization != nil || $0.media?.isEncrypted == true })
        {
            let what = first.media?.isEncrypted == true ? "encrypted" : "in fragmented MP4"
            findings.doubtful(
                media.text.name, first.location, "the subtitles are \(what), and their cues are not looked at")
            return checkSegments(of: media)
        }
        var cues = CueCheck(media, beside: video, findings)
        for segment in media.segments where !segment.isGap {
            findings.references += 1
            guard let operand = operand(segment.uri, of: media.text, segment.location) else { continue }
            do throws(Failure) {
                try cues.check(segment, operand)
                findings.files += 1
            } catch {
                tellNowhere(segment.uri, of: media.text, segment.location, error)
            }
        }
        cues.finish()
        for reference in media.references { checkPresence(reference, of: media.text) }
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
