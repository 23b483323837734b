internal import ByteScan
internal import M3U8
internal import Sideload

// How the first time stamp of a video is found.
//
//     playlist ─▶ (variant) ─┬─▶ (initialization) ─▶ segment          as they come, until a time stamp shows
//                            └─▶ key ─▶ block ─▶ decrypted ─▶ block … of either, if it is encrypted (VideoSearch.swift)
extension Fetch {
    mutating func askForVideo(_ url: [UInt8]) {
        stage = .video
        video = VideoSearch()
        askForPlaylist(url, isVariant: false)
    }

    /// Asks for the segment of a live stream whose playlist came from `url`.
    mutating func askForSegment(of want: LiveWant, _ url: [UInt8]) {
        stage = .video
        video = VideoSearch()
        video.isProbing = want.media.range == nil
        let segment = MediaSegment(
            start: .zero, part: want.media.part, initialization: want.initialization.map { $0.part })
        beginSegment(
            segment, of: url,
            FetchRequest(
                purpose: .videoPlaylist, url: url, range: nil, ifRange: nil, encoding: nil, byteLimit: limits.playlist))
    }

    /// Goes on to a segment of the playlist that came from `base`; `request` is to blame if that cannot be.
    private mutating func beginSegment(_ segment: MediaSegment, of base: [UInt8], _ request: FetchRequest) {
        let found = VideoSearch.Found(segment: segment, base: base)
        video.place = segment.initialization == nil ? .segment(found) : .initialization(found)
        beginPart(request)
    }

    mutating func takeVideo(_ bytes: ByteView, _ exchange: Exchange) {
        if exchange.request.purpose == .segmentKey || video.sealed != nil {
            video.held += bytes
            return
        }
        switch video.place {
        case .playlist, .variant:
            unsafe playlist.write(bytes.buffer)
            if playlist.facts.isSettled { goOn(exchange) }
        case .initialization, .segment:
            let answer = unsafe media.write(bytes.buffer)
            if answer != .needsMoreBytes { concludeVideo(answer, exchange.request) }
        }
    }

    mutating func endVideo(_ exchange: Exchange) {
        if exchange.request.purpose == .segmentKey { return endKey(exchange.request) }
        if video.sealed != nil { return endBlock(exchange.request) }
        switch video.place {
        case .playlist, .variant:
            playlist.finish()
            goOn(exchange)
        case .initialization, .segment: endPart(exchange.request)
        }
    }

    /// Goes on to what the playlist that has been read leads to: its first segment, or its variant with video.
    mutating func goOn(_ exchange: Exchange) {
        let facts = playlist.facts
        if facts.verdict == .notPlaylist { return conclude(.notPlaylist, exchange.request) }
        do throws(PlaylistFacts.Fault) {
            if let segment = try facts.timelines.first?.segment?.get() {
                video.startStays = facts.startStays
                beginSegment(segment, of: exchange.url, exchange.request)
            } else if facts.malformedDuration != nil {
                throw .malformed
            } else if let variant = try facts.variant?.get() {
                askForVariant(variant, exchange)
            } else {
                conclude(.noSegment, exchange.request)
            }
        } catch {
            switch error {
            case .malformed: conclude(.malformedPlaylist, exchange.request)
            case .variable: conclude(.variable, exchange.request)
            }
        }
    }

    private mutating func askForVariant(_ uri: [UInt8], _ exchange: Exchange) {
        guard case .playlist = video.place else { return conclude(.noVariant, exchange.request) }
        video.place = .variant
        askForPlaylist(exchange.url.resolving(uri), isVariant: true)
    }

    /// Asks for a playlist, in which variables have the values that its URL and the multivariant one give them.
    private mutating func askForPlaylist(_ url: [UInt8], isVariant: Bool) {
        playlist.reset(
            asking: learnsWhatStays ? [.segment, .onlyStart, .staying] : [.segment, .onlyStart], of: url,
            isImporting: isVariant)
        ask(url, .videoPlaylist)
    }

    /// Asks for the part at which the search is: as it is, or its key before it.
    private mutating func beginPart(_ request: FetchRequest) {
        guard let part = video.part else { return conclude(.noSegment, request) }
        video.sealed = nil
        switch part.encryption {
        case .none: askForPart(part.range)
        case .other: conclude(.keySystem, request)
        case .aes128(let key):
            guard decrypts else { return conclude(.media(.encrypted), request) }
            let uri = video.base.resolving(key.uri).withoutFragment
            if let known = video.key, known.uri == uri {
                video.sealed = SealedPart(part.range, key: known.bytes, vector: key.vector, limits)
                askForPart(video.range)
            } else {
                video.held = []
                ask(uri, .segmentKey)
            }
        }
    }

    private mutating func askForPart(_ range: Range<Int>?) {
        guard let part = video.part else { return }
        var purpose = FetchRequest.Purpose.segment
        if case .initialization = video.place { purpose = .initialization }
        video.held = []
        var asked = range.map { FetchRange.bytes($0.lowerBound...max($0.lowerBound, $0.upperBound - 1)) }
        if asked == nil, video.isProbing, purpose == .segment { asked = .bytes(0...(VideoSearch.probeByteCount - 1)) }
        ask(video.base.resolving(part.uri), purpose, asked)
    }

    /// Ends the part at which the search is: nothing of it is left.
    private mutating func endPart(_ request: FetchRequest) {
        if case .initialization(let found) = video.place {
            video.place = .segment(found)
            beginPart(request)
        } else if case .segment(let found) = video.place, video.isProbing, video.isCut, request.range != nil {
            // The first bytes do not tell: the whole, from the beginning.
            video.isProbing = false
            media.reset()
            beginSegment(found.segment, of: found.base, request)
        } else {
            concludeVideo(media.finish(), request)
        }
    }

    private mutating func concludeVideo(_ answer: MediaStartScanner.Answer, _ request: FetchRequest) {
        switch answer {
        case .needsMoreBytes: return
        // What a wrong key makes of a segment is noise.
        case .unsupported(let error) where video.sealed != nil && (error == .encrypted || error == .notMedia):
            conclude(.decryption, request)
        case .unsupported(let error): conclude(.media(error), request)
        case .found(let ticks):
            guard case .segment(let found) = video.place else { return conclude(.media(.noTimestamp), request) }
            let start = FetchedMediaStart(ticks: ticks, start: found.segment.start, stays: video.startStays)
            if case .content = job { finishText(start.map) } else { conclude(.mediaStart(start)) }
        }
    }
}

// MARK: What is encrypted

extension Fetch {
    private mutating func endKey(_ request: FetchRequest) {
        guard video.held.count == 16 else { return conclude(.decryption, request) }
        video.key = (request.url, video.held)
        beginPart(request)
    }

    private mutating func endBlock(_ request: FetchRequest) {
        guard let sealed = video.sealed else { return }
        let bytes = video.held
        video.held = []
        guard !bytes.isEmpty else { return endPart(request) }
        guard bytes.count % 16 == 0 else { return conclude(.decryption, request) }
        state = .sealed(Decryption(key: sealed.key, vector: sealed.vector, bytes: bytes), request)
    }

    /// Takes what the bytes of ``Step/decrypt(_:)`` have become; nil, or another number of bytes, if they could not be
    /// decrypted.
    public mutating func take(decrypted bytes: [UInt8]?) {
        guard case .sealed(let asked, let request) = state, var sealed = video.sealed else { return }
        guard var bytes, bytes.count == asked.bytes.count else { return conclude(.decryption, request) }
        let isLast = sealed.isLast(bytes.count)
        sealed.advance(behind: asked.bytes)
        video.sealed = sealed
        // The last block is filled up with as many bytes as that (RFC 5652 6.3).
        if isLast, let padding = bytes.last, 1...16 ~= padding { bytes.removeLast(Int(padding)) }
        let answer = unsafe bytes.withUnsafeBytes { unsafe media.write($0) }
        if answer != .needsMoreBytes {
            concludeVideo(answer, request)
        } else if isLast {
            endPart(request)
        } else {
            askForPart(video.range)
        }
    }
}
