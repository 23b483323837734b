internal import ByteScan
internal import M3U8

// What all stages share.
extension Fetch {
    /// Decides to ask for `url` or a part of it.
    mutating func ask(
        _ url: [UInt8], _ purpose: FetchRequest.Purpose, _ range: FetchRange? = nil, ifRange: [UInt8]? = nil
    ) {
        let url = url.withoutFragment
        let encoding = purpose == .subtitles ? track?.encoding : nil
        // Where a character begins is seen from the beginning only.
        let request = FetchRequest(
            purpose: purpose, url: url, range: encoding == nil ? range : nil, ifRange: ifRange, encoding: encoding,
            byteLimit: byteLimit(purpose))
        guard url.isFetchable else { return conclude(.notHTTP, request) }
        guard requestCount < limits.requests else { return conclude(.tooManyRequests, request) }
        requestCount += 1
        state = .ready(request)
    }

    /// Keys have 16 bytes, those of DRM some thousand.
    private static var longestKey: Int { 64 << 10 }

    /// How many bytes of a body are of use at most: a part that is asked for may come as the whole.
    private func byteLimit(_ purpose: FetchRequest.Purpose) -> Int {
        if case .presence = stage { return Self.presenceByteCount }
        switch purpose {
        case .subtitles: return limits.file
        case .subtitlePlaylist, .videoPlaylist: return limits.playlist
        case .key, .segmentKey: return Self.longestKey
        case .initialization, .segment:
            let (sum, isTooLarge) = limits.segment.addingReportingOverflow(video.skippedBytes)
            return isTooLarge ? .max : sum
        }
    }

    /// Ends the job with `answer`.
    mutating func conclude(_ answer: FetchAnswer) { state = .done(.answer(answer)) }

    /// Ends the job with a failure; but a text comes even if the video does not tell its map.
    mutating func conclude(_ reason: FetchError.Reason, _ request: FetchRequest) {
        let error = FetchError(reason: reason, purpose: request.purpose, url: request.url)
        if case .video = stage, case .content = job {
            finishText(nil, mapFailure: error)
        } else {
            state = .done(.failure(error))
        }
    }

    /// Asks for the whole of what `request` wanted a part of.
    mutating func askForWhole(_ request: FetchRequest) {
        switch stage {
        case .presence: held.removeAll()
        case .tail: beginCues()
        case .video where video.skippedBytes > limits.segment:
            return conclude(.tooLong(limit: limits.segment), request)
        default: break
        }
        ask(request.url, request.purpose)
    }

    /// What becomes of a body that is not as long as it should be, or too long.
    mutating func refuseBody(_ reason: FetchError.Reason, _ exchange: Exchange) {
        switch stage {
        case .presence where exchange.request.range != nil, .tail: askForWhole(exchange.request)
        // Only whether its start stays is not known.
        case .video where exchange.request.purpose == .videoPlaylist && playlist.facts.timelines.first?.segment != nil:
            goOn(exchange)
        default: conclude(reason, exchange.request)
        }
    }

    /// Which bytes are wanted of a whole resource of `length` bytes, if that is known; nil if the job has ended.
    mutating func window(ofWhole length: Int?, _ request: FetchRequest) -> BodyWindow? {
        switch stage {
        case .presence: return BodyWindow(0..<Self.presenceByteCount, length: length)
        case .video:
            if video.skippedBytes <= limits.segment { return video.window(ofWhole: length, request, limits) }
            conclude(.tooLong(limit: limits.segment), request)
            return nil
        case .tail: beginCues()
        case .cues, .text, .playlist, .playlistLength, .key: break
        }
        let limit = byteLimit(request.purpose)
        if let length, length > limit {
            // The first bytes of what is no playlist tell more than its length.
            if case .playlist = stage { return BodyWindow(0..<Self.presenceByteCount, length: length) }
            conclude(.tooLong(limit: limit), request)
            return nil
        }
        return BodyWindow(length: length, limit: limit)
    }

    /// Which bytes are wanted of `part`: all. Nil if it is of another version of the resource.
    mutating func window(
        of part: ContentRange, _ validators: FetchValidators, _ request: FetchRequest
    ) -> BodyWindow? {
        if case .tail = stage, !accept(part, validators, request) { return nil }
        video.isCut = part.total.map { $0 - 1 } != part.bytes.upperBound
        return BodyWindow(length: part.bytes.count, limit: nil)
    }

    /// Does with the wanted bytes of a body what the stage is for.
    mutating func take(_ bytes: ByteView, _ exchange: Exchange) {
        switch stage {
        case .presence, .tail, .key: held.append(bytes)
        case .playlist: takePlaylist(bytes, exchange)
        case .cues: takeCues(bytes, exchange)
        case .text: takeText(bytes, exchange)
        case .playlistLength: unsafe playlist.write(bytes.buffer)
        case .video: takeVideo(bytes, exchange)
        }
    }

    /// Does at a body's end what the stage is for.
    mutating func endBody(_ exchange: Exchange) {
        switch stage {
        case .presence: endPresence(exchange)
        case .tail: endTail(exchange)
        case .cues: endCues(exchange)
        case .text: endText(exchange)
        case .playlist: endPlaylist(exchange)
        case .playlistLength: endPlaylistLength(exchange)
        case .video: endVideo(exchange)
        case .key:
            conclude(.key(Array(held.view)))
            held.removeAll()
        }
    }
}
