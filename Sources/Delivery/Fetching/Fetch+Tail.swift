internal import ByteScan
internal import M3U8
internal import Sideload
internal import WebVTT

/// The search for a file's final cue, from its end, a part at a time.
struct TailSearch {
    var search = LatestEndSearch()
    /// What the first part said of the file; nil before that.
    var validators: FetchValidators?
    /// Where the earliest part begins; nil before the first.
    var start: Int?
    /// How many parts have been searched.
    var parts = 0
    /// Whether the file has changed once already.
    var hasRestarted = false

    /// The search anew, after the file has changed.
    var restarted: TailSearch {
        var search = TailSearch()
        search.hasRestarted = true
        return search
    }
}

// How a duration is found.
extension Fetch {
    /// How many parts of the tail are asked for before the whole is.
    private static var mostParts: Int { 3 }

    mutating func askForTail(_ track: FetchTrack) {
        stage = .tail
        ask(track.url, .subtitles, .suffix(min(limits.tail, limits.block)))
    }

    /// Notes where a part lies; false if it is of another version of the file than those before.
    mutating func accept(_ part: ContentRange, _ validators: FetchValidators, _ request: FetchRequest) -> Bool {
        if let first = tail.validators, first != validators {
            if tail.hasRestarted {
                askForWhole(request)
            } else {
                tail = tail.restarted
                ask(request.url, .subtitles, .suffix(min(limits.tail, limits.block)))
            }
            return false
        }
        tail.validators = validators
        tail.start = part.bytes.lowerBound
        return true
    }

    /// Searches a part of the tail, which is held.
    mutating func endTail(_ exchange: Exchange) {
        guard let start = tail.start else { return }
        tail.parts += 1
        // Only where the tail reaches back to the file's beginning is its signature seen.
        if start == 0 {
            if SubtitleReader.isUTF16(held.view) { return askForWhole(exchange.request) }
            if SubtitleReader.signature(of: held.view, isWhole: tail.parts == 1) == .invalid {
                return conclude(.notSubtitles, exchange.request)
            }
        }
        let answer = unsafe tail.search.prepend(held.view.buffer, startsFile: start == 0)
        held.removeAll()
        switch answer {
        case .found(let end):
            concludeDuration(end, tail.search.latestEnd, start == 0 ? .file : .tail, exchange.request)
        case .noCue: conclude(.noCue, exchange.request)
        case .needsEarlierBytes, .undecided:
            guard tail.parts < Self.mostParts else { return askForWhole(exchange.request) }
            // 4 and 16 times the first part.
            let count = min(limits.tail.times(1 << (2 * tail.parts)) ?? .max, limits.block)
            ask(
                exchange.request.url, .subtitles, .bytes(max(0, start - count)...(start - 1)),
                ifRange: tail.validators?.strongTag)
        }
    }

    /// From here on a whole file is read for the times of its cues.
    mutating func beginCues() {
        stage = .cues
        held.removeAll()
        // A duration is shifted once it is known.
        reader.reset(shiftedBy: 0)
        cues = SubtitleFacts()
    }

    mutating func takeCues(_ bytes: ByteView, _ exchange: Exchange) {
        var cues = cues
        let fault = reader.read(bytes, format) { unsafe cues.write($0.buffer) }
        self.cues = cues
        if let fault { conclude(fault, exchange.request) }
    }

    mutating func endCues(_ exchange: Exchange) {
        var cues = cues
        let fault = reader.read(nil, format) { unsafe cues.write($0.buffer) }
        cues.finish()
        if let fault { return conclude(fault, exchange.request) }
        guard let end = cues.finalEnd else { return conclude(.noCue, exchange.request) }
        concludeDuration(end, cues.latestEnd, .file, exchange.request)
    }

    mutating func endPlaylistLength(_ exchange: Exchange) {
        playlist.finish()
        let facts = playlist.facts
        if facts.verdict == .notPlaylist { return conclude(.notPlaylist, exchange.request) }
        if facts.malformedDuration != nil { return conclude(.malformedPlaylist, exchange.request) }
        guard facts.duration > .zero else { return conclude(.noCue, exchange.request) }
        conclude(.duration(FetchedDuration(duration: facts.duration, source: .playlist, finalCueEnd: nil)))
    }

    private mutating func concludeDuration(
        _ final: Timestamp, _ latest: Timestamp?, _ source: FetchedDuration.Source, _ request: FetchRequest
    ) {
        let shift = track?.shift ?? 0
        let final = max(final.shifted(by: shift), Timestamp(milliseconds: 0))
        let end = max(final, latest?.shifted(by: shift) ?? final)
        guard end.milliseconds > 0 else { return conclude(.noCue, request) }
        conclude(
            .duration(
                FetchedDuration(
                    duration: MediaDuration(milliseconds: end.milliseconds), source: source, finalCueEnd: final)))
    }
}
