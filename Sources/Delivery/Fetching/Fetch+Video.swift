internal import ByteScan
internal import M3U8
internal import Sideload

/// The way to a video's first time stamp.
struct VideoSearch {
    /// Where on the way it is.
    enum Place {
        /// A playlist, multivariant or media.
        case playlist
        /// The media playlist of a variant.
        case variant
        /// The media initialization section of the first segment.
        case initialization(MediaSegment, base: [UInt8])
        /// The first segment.
        case segment(MediaSegment)
    }

    var place = Place.playlist

    /// The part of a resource that is being read.
    private var part: MediaPart? {
        switch place {
        case .playlist, .variant: nil
        case .initialization(let found, _): found.initialization
        case .segment(let found): found.part
        }
    }

    /// Which bytes are wanted of a whole resource of `length` bytes, if that is known.
    func window(ofWhole length: Int?, _ request: FetchRequest, _ limits: FetchLimits) -> BodyWindow? {
        if request.purpose == .videoPlaylist { return BodyWindow(length: length, limit: limits.playlist) }
        // The scanner has its own limit.
        guard let range = part?.range else { return BodyWindow(length: length, limit: nil) }
        return BodyWindow(range, length: length)
    }

    /// How many bytes come before the part where the whole is sent.
    var skippedBytes: Int { part?.range?.lowerBound ?? 0 }
}

// How the first time stamp of a video is found.
extension Fetch {
    mutating func askForVideo(_ url: [UInt8]) {
        stage = .video
        video = VideoSearch()
        playlist.reset(asking: [.segment, .onlyStart])
        ask(url, .videoPlaylist)
    }

    /// Asks for the segment of a live stream whose playlist came from `url`.
    mutating func askForSegment(of want: LiveWant, _ url: [UInt8]) {
        stage = .video
        video = VideoSearch()
        let found = MediaSegment(
            start: .zero, part: MediaPart(uri: want.media.uri, range: want.media.range),
            initialization: want.initialization.map { MediaPart(uri: $0.uri, range: $0.range) }, isEncrypted: false)
        askForSegment(found, url)
    }

    mutating func takeVideo(_ bytes: ByteView, _ exchange: Exchange) {
        switch video.place {
        case .playlist, .variant:
            unsafe playlist.write(bytes.buffer)
            if playlist.facts.isSettled { goOn(exchange) }
        case .initialization, .segment:
            let answer = unsafe media.write(bytes.buffer)
            if answer != .needsMoreBytes { concludeVideo(answer, exchange) }
        }
    }

    mutating func endVideo(_ exchange: Exchange) {
        switch video.place {
        case .playlist, .variant:
            playlist.finish()
            goOn(exchange)
        case .initialization(let found, let base):
            video.place = .segment(found)
            askForPart(found.part, of: base, .segment)
        case .segment: concludeVideo(media.finish(), exchange)
        }
    }

    /// Goes on to what the playlist that has been read leads to: its first segment, or its variant with video.
    private mutating func goOn(_ exchange: Exchange) {
        let facts = playlist.facts
        if facts.verdict == .notPlaylist { return conclude(.notPlaylist, exchange.request) }
        do throws(PlaylistFacts.Fault) {
            if let segment = try facts.timelines.first?.segment?.get() {
                if segment.isEncrypted { return conclude(.media(.encrypted), exchange.request) }
                askForSegment(segment, exchange.url)
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
        playlist.reset(asking: [.segment, .onlyStart])
        ask(exchange.url.resolving(uri), .videoPlaylist)
    }

    private mutating func askForSegment(_ found: MediaSegment, _ base: [UInt8]) {
        if let initialization = found.initialization {
            video.place = .initialization(found, base: base)
            askForPart(initialization, of: base, .initialization)
        } else {
            video.place = .segment(found)
            askForPart(found.part, of: base, .segment)
        }
    }

    private mutating func askForPart(_ part: MediaPart, of base: [UInt8], _ purpose: FetchRequest.Purpose) {
        let range = part.range.map { FetchRange.bytes($0.lowerBound...($0.upperBound - 1)) }
        ask(base.resolving(part.uri), purpose, range)
    }

    private mutating func concludeVideo(_ answer: MediaStartScanner.Answer, _ exchange: Exchange) {
        switch answer {
        case .needsMoreBytes: return
        case .unsupported(let error): conclude(.media(error), exchange.request)
        case .found(let ticks):
            guard case .segment(let found) = video.place else {
                return conclude(.media(.noTimestamp), exchange.request)
            }
            let start = FetchedMediaStart(ticks: ticks, start: found.start)
            if case .content = job { finishText(start.map) } else { conclude(.mediaStart(start)) }
        }
    }
}
