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
        case initialization(FirstSegment, base: [UInt8])
        /// The first segment.
        case segment(FirstSegment)
    }

    var place = Place.playlist
    var notes = VideoPlaylist()

    /// The part of a resource that is being read.
    private var part: MediaPart? {
        switch place {
        case .playlist, .variant: nil
        case .initialization(let found, _): found.initialization
        case .segment(let found): found.segment
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
        lines.reset()
        ask(url, .videoPlaylist)
    }

    mutating func takeVideo(_ bytes: ByteView, _ exchange: Exchange) {
        switch video.place {
        case .playlist, .variant:
            Self.scan(bytes, &lines, &video.notes)
            if let found = video.notes.found { goOn(found, exchange) }
        case .initialization, .segment:
            let answer = unsafe media.write(bytes.buffer)
            if answer != .needsMoreBytes { concludeVideo(answer, exchange) }
        }
    }

    mutating func endVideo(_ exchange: Exchange) {
        switch video.place {
        case .playlist, .variant:
            Self.finish(&lines, &video.notes)
            if let found = video.notes.found { goOn(found, exchange) }
        case .initialization(let found, let base):
            video.place = .segment(found)
            askForPart(found.segment, of: base, .segment)
        case .segment: concludeVideo(media.finish(), exchange)
        }
    }

    /// Goes on to what a playlist has led to.
    private mutating func goOn(_ found: VideoPlaylist.Found, _ exchange: Exchange) {
        switch found {
        case .nothing(let reason): conclude(reason, exchange.request)
        case .variant(let uri):
            guard case .playlist = video.place else { return conclude(.noVariant, exchange.request) }
            video = VideoSearch()
            video.place = .variant
            lines.reset()
            ask(FetchURL.resolve(uri, against: exchange.url), .videoPlaylist)
        case .segment(let found):
            if found.isEncrypted { return conclude(.media(.encrypted), exchange.request) }
            if let initialization = found.initialization {
                video.place = .initialization(found, base: exchange.url)
                askForPart(initialization, of: exchange.url, .initialization)
            } else {
                video.place = .segment(found)
                askForPart(found.segment, of: exchange.url, .segment)
            }
        }
    }

    private mutating func askForPart(_ part: MediaPart, of base: [UInt8], _ purpose: FetchRequest.Purpose) {
        let range = part.range.map { FetchRange.bytes($0.lowerBound...($0.upperBound - 1)) }
        ask(FetchURL.resolve(part.uri, against: base), purpose, range)
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

    // A closure may not change two properties of one value at once.

    static func scan(_ bytes: ByteView, _ lines: inout LineScanner, _ notes: inout VideoPlaylist) {
        // Under this policy nothing is thrown.
        try? unsafe lines.scan(bytes.buffer) { notes.note($0) }
    }

    static func scan(_ bytes: ByteView, _ lines: inout LineScanner, _ length: inout PlaylistLength) {
        try? unsafe lines.scan(bytes.buffer) { length.note($0) }
    }

    static func finish(_ lines: inout LineScanner, _ notes: inout VideoPlaylist) {
        try? lines.finish { notes.note($0) }
        notes.finish()
    }

    static func finish(_ lines: inout LineScanner, _ length: inout PlaylistLength) {
        try? lines.finish { length.note($0) }
        length.finish()
    }
}
