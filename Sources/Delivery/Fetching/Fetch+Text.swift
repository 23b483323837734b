internal import ByteScan
internal import M3U8
internal import Sideload
public import WebVTT

// How a track is found, and brought whole.
extension Fetch {
    /// So many bytes show what a file is.
    static var presenceByteCount: Int { 16 }

    /// The track that the job is about; nil if it is about none.
    var track: FetchTrack? {
        switch job {
        case .presence(let track), .duration(let track), .content(let track, _): track
        case .mediaStart, .livePlaylist, .segmentStart, .key: nil
        }
    }

    /// What the file was said to be.
    var format: SubtitleFormat { track?.format ?? .playlist }

    /// Decides what the job asks for first.
    mutating func start() {
        switch job {
        case .presence(let track):
            stage = .presence
            ask(track.url, Self.purpose(track), .bytes(0...(Self.presenceByteCount - 1)))
        case .duration(let track):
            if let duration = track.duration, duration > .zero {
                return conclude(.duration(FetchedDuration(duration: duration, source: .track, finalCueEnd: nil)))
            }
            switch track.format {
            case .webVTT where track.encoding == nil: askForTail(track)
            case .playlist:
                stage = .playlistLength
                ask(track.url, .subtitlePlaylist)
            default:
                beginCues()
                ask(track.url, .subtitles)
            }
        case .content(let track, _):
            stage = track.format == .playlist ? .playlist : .text
            reader.reset(shiftedBy: track.shift)
            ask(track.url, Self.purpose(track))
        case .mediaStart(let url): askForVideo(url)
        case .livePlaylist(let url):
            stage = .playlist
            ask(url, .videoPlaylist)
        case .segmentStart(let want, let url): askForSegment(of: want, url)
        case .key(let url):
            stage = .key
            ask(url, .key)
        }
    }

    private static func purpose(_ track: FetchTrack) -> FetchRequest.Purpose {
        track.format == .playlist ? .subtitlePlaylist : .subtitles
    }

    mutating func endPresence(_ exchange: Exchange) {
        let head = held.view
        let fault: FetchError.Reason?
        switch format {
        case .playlist: fault = PlaylistSignature.matches(head, isWhole: true) == true ? nil : .notPlaylist
        case .webVTT: fault = SubtitleReader.signature(of: head, isWhole: true) == .invalid ? .notSubtitles : nil
        default: fault = head.isEmpty ? .notSubtitles : nil
        }
        held.removeAll()
        if let fault { conclude(fault, exchange.request) } else { conclude(.present) }
    }

    /// What is no playlist is told by its first bytes, however much of it there is.
    mutating func takePlaylist(_ bytes: ByteView, _ exchange: Exchange) {
        let isDecided = held.count > Self.presenceByteCount
        held.append(bytes)
        guard !isDecided, PlaylistSignature.matches(held.view, isWhole: false) == false else { return }
        // Where the chunks end changes nothing: an MP4 is told by eight bytes.
        guard held.count >= 8 else { return }
        concludeNoPlaylist(exchange)
    }

    private mutating func concludeNoPlaylist(_ exchange: Exchange) {
        let isMovie = held.count >= 8 && held.view[4..<8] == ByteView("ftyp")
        held.removeAll()
        conclude(isMovie ? .movie : .notPlaylist, exchange.request)
    }

    mutating func endPlaylist(_ exchange: Exchange) {
        guard PlaylistSignature.matches(held.view, isWhole: true) == true else { return concludeNoPlaylist(exchange) }
        guard !exchange.window.isFilled else {
            held.removeAll()
            return conclude(.tooLong(limit: limits.playlist), exchange.request)
        }
        conclude(.playlist(FetchedPlaylist(bytes: Array(held.view), url: exchange.url)))
        held.removeAll()
    }

    mutating func takeText(_ bytes: ByteView, _ exchange: Exchange) {
        let fault = Self.read(bytes, &reader, &held, (format, limits.file))
        if let fault { conclude(fault, exchange.request) }
    }

    mutating func endText(_ exchange: Exchange) {
        let fault = Self.read(nil, &reader, &held, (format, limits.file))
        if let fault { return conclude(fault, exchange.request) }
        guard case .content(_, let map) = job else { return }
        let own = HeaderMap.own(of: held.view)
        switch map {
        case .own: finishText(nil)
        case .always(let map): finishText(map)
        case .ifNone(let map): finishText(own == nil ? map : nil)
        case .fromVideo(let url): if own == nil { askForVideo(url) } else { finishText(nil) }
        }
    }

    /// Ends the job with the text that is held, and `map` in it in place of its own if there is one.
    mutating func finishText(_ map: TimestampMap?, mapFailure: FetchError? = nil) {
        let bytes = map.map { Self.put($0, into: held.view) } ?? Array(held.view)
        let own = HeaderMap.own(of: held.view)
        let isMoved = map.map { $0.moves(cuesWith: own) } ?? false
        let text = FetchedText(
            bytes: bytes, isConverted: reader.isConverted, map: map ?? own,
            isChanged: reader.isChanged || track?.encoding != nil || isMoved, mapFailure: mapFailure)
        held.removeAll()
        state = .done(.answer(.text(text)))
    }

    /// What `file` becomes with `map` in place of its own.
    fileprivate static func put(_ map: TimestampMap, into file: ByteView) -> [UInt8] {
        var output: [UInt8] = []
        output.reserveCapacity(file.count &+ 64)
        var rewriter = TimestampMapRewriter(map)
        unsafe rewriter.write(file.buffer) { output += $0.view }
        rewriter.finish { output += $0.view }
        return output
    }

    /// Appends what `bytes` become to `output`, up to a limit of bytes, or ends the file if that is nil.
    private static func read(
        _ bytes: ByteView?, _ reader: inout SubtitleReader, _ output: inout ReusableBuffer<UInt8>,
        _ file: (format: SubtitleFormat, limit: Int)
    ) -> FetchError.Reason? {
        var isTooLong = false
        let fault = reader.read(bytes, file.format) { append($0, to: &output, file.limit, &isTooLong) }
        return isTooLong ? .tooLong(limit: file.limit) : fault
    }

    private static func append(
        _ bytes: ByteView, to output: inout ReusableBuffer<UInt8>, _ limit: Int, _ isTooLong: inout Bool
    ) {
        if isTooLong || bytes.count > limit &- output.count { isTooLong = true } else { output.append(bytes) }
    }
}

extension FetchedText {
    /// The same file with `map` in place of its own.
    ///
    /// - Complexity: O(*n*) in its bytes.
    public func mapped(by map: TimestampMap) -> FetchedText {
        FetchedText(
            bytes: bytes.withView { Fetch.put(map, into: $0) }, isConverted: isConverted, map: map,
            isChanged: isChanged || map.moves(cuesWith: self.map), mapFailure: nil)
    }
}

extension TimestampMap {
    /// Whether cues are shown at other times by it than by `own`. A file without a map is read as if it had that of
    /// zero (RFC 8216 3.5).
    fileprivate func moves(cuesWith own: TimestampMap?) -> Bool { self != own ?? TimestampMap(mpegTS: 0) }
}
