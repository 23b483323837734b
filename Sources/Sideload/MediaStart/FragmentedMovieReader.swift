internal import ByteScan

// How a fragmented MP4 file is read.
//
//     ┌ 8 ┐                         size and type, with a size of 64 bits 16 bytes
//     moov ▏trak ▏mdia ▏mdhd fields   boxes in which others matter are entered (BoxPath)
//     moof ▏traf ▏tfdt fields         of boxes whose fields matter the first 512 bytes are read
//          ▏     ▏trun samples        of a run all samples are, 512 bytes at a time (TrackRun)
//     mdat ~~~~~~~~~~~~~~~~~~         all others are skipped
//
// A track begins at the lowest composition time of the samples of its first fragment, less the media time at which its
// edit list begins. The first sample is not always the lowest: the leading pictures of an open GOP come after it, and
// are shown before it. To read another box: its place in `open`, its fields in FragmentedMovieReader+Fields.

/// Finds the lowest start of the tracks of a fragmented MP4 file, box by box (ISO 14496-12).
struct FragmentedMovieReader: ~Copyable {
    fileprivate enum Awaited {
        case header
        /// The size of 64 bits of a box of this type.
        case largeSize(BoxType?)
        /// The fields of a box of this type.
        case fields(BoxType)
        /// The next samples of a run.
        case samples
    }

    struct Document {
        fileprivate var awaited = Awaited.header
        /// The position in the file of what is awaited.
        fileprivate var position: UInt64 = 0
        /// Where the box ends whose fields are awaited.
        fileprivate var boxEnd: UInt64 = 0
        var path = BoxPath()
        var trackLimit = 0
        var hasMovie = false
        /// The track whose `trak` is being read.
        var track = MovieTrack()
        /// The fragment whose `traf` is being read.
        var fragment = TrackFragment()
        /// The samples whose `trun` is being read.
        var run = TrackRun()
    }

    var document = Document()
    /// The tracks with pictures or sound.
    var tracks = ReusableBuffer<MovieTrack>()
    /// How long samples last whose fragment does not say, by the tracks that tell: their `trex` may come before their
    /// `trak`.
    var defaults = ReusableBuffer<SampleDefault>()

    private static var headerByteCount: Int { 8 }
    /// How much is read of a box with fields: all of those that matter, and 25 edits.
    private static var longestFields: UInt64 { 512 }

    /// Begins a file.
    mutating func begin(trackLimit: Int) -> MediaStartStep {
        document = Document(trackLimit: trackLimit)
        tracks.removeAll()
        defaults.removeAll()
        return .next(Demand(Self.headerByteCount))
    }

    /// The lowest start of the tracks that have begun.
    var lowest: ClockTime? {
        var lowest: ClockTime?
        for index in 0..<tracks.count {
            if let start = tracks[index].start { lowest = start.orEarlier(lowest) }
        }
        return lowest
    }

    /// Reads what was demanded.
    mutating func read(_ piece: ByteView) -> MediaStartStep {
        let position = document.position
        document.position = position &+ UInt64(piece.count)
        switch document.awaited {
        case .header:
            guard let size = piece.number(at: 0, 4), let code = piece.number(at: 4, 4) else { return .malformed }
            let type = BoxType(rawValue: UInt32(truncatingIfNeeded: code))
            switch size {
            case 0: return open(type, endingAt: document.path.end)
            case 1:
                document.awaited = .largeSize(type)
                return .next(Demand(8))
            default: return open(type, at: position, size: size)
            }
        case .largeSize(let type):
            guard let size = piece.number(at: 0, 8) else { return .malformed }
            return open(type, at: position &- UInt64(Self.headerByteCount), size: size)
        case .fields(.trun):
            let failure = beginRun(piece, bytesLeft: document.boxEnd &- document.position)
            if let failure { return .decided(.unsupported(failure)) }
            return nextSamples()
        case .fields(let type):
            if let failure = readFields(of: type, piece) { return .decided(.unsupported(failure)) }
            return skip(to: document.boxEnd)
        case .samples:
            document.run.read(piece)
            return nextSamples()
        }
    }

    private mutating func open(_ type: BoxType?, at start: UInt64, size: UInt64) -> MediaStartStep {
        let (end, overflows) = start.addingReportingOverflow(size)
        return end < document.position && !overflows ? .malformed : open(type, endingAt: overflows ? .max : end)
    }

    /// Enters the box whose header has been read, reads its fields or skips it.
    private mutating func open(_ type: BoxType?, endingAt end: UInt64) -> MediaStartStep {
        guard end <= document.path.end else { return .malformed }
        guard let type else { return skip(to: end) }
        switch (document.path.place, type) {
        case (.file, .moov) where !document.hasMovie:
            document.hasMovie = true
            return enter(.movie, endingAt: end)
        case (.file, .moof):
            guard document.hasMovie else { return .decided(.unsupported(.noInitSegment)) }
            return enter(.fragment, endingAt: end)
        case (.movie, .trak):
            document.track = MovieTrack()
            return enter(.track, endingAt: end)
        case (.fragment, .traf):
            document.fragment = TrackFragment()
            return enter(.trackFragment, endingAt: end)
        case (.movie, .mvex): return enter(.defaults, endingAt: end)
        case (.track, .mdia): return enter(.media, endingAt: end)
        case (.track, .edts): return enter(.edits, endingAt: end)
        case (.track, .tkhd), (.media, .mdhd), (.media, .hdlr), (.edits, .elst), (.defaults, .trex),
            (.trackFragment, .tfhd), (.trackFragment, .tfdt), (.trackFragment, .trun):
            document.awaited = .fields(type)
            document.boxEnd = end
            let longest = type == .trun ? TrackRun.headByteCount : Self.longestFields
            return .next(Demand(Int(min(end &- document.position, longest))))
        default: return skip(to: end)
        }
    }

    private mutating func enter(_ place: BoxPath.Place, endingAt end: UInt64) -> MediaStartStep {
        document.path.enter(place, endingAt: end)
        return skip(to: document.position)
    }

    /// Demands the next samples of the run, as many as are read at a time; after the last one, what comes after the
    /// box.
    private mutating func nextSamples() -> MediaStartStep {
        guard let demand = document.run.demand(upTo: Int(Self.longestFields)) else {
            if let failure = endRun() { return .decided(.unsupported(failure)) }
            return skip(to: document.boxEnd)
        }
        document.awaited = .samples
        document.position &+= UInt64(demand.skip)
        return .next(demand)
    }

    /// Demands the header of the box at `target`, or of the next one after the boxes that end there.
    private mutating func skip(to target: UInt64) -> MediaStartStep {
        var target = target
        // Fewer bytes than a header's are no box.
        while document.path.place != .file, document.path.end &- target < UInt64(Self.headerByteCount) {
            target = document.path.end
            if let answer = leave() { return .decided(answer) }
        }
        let skip = Int(clamping: target &- document.position)
        document.position = target
        document.awaited = .header
        return .next(Demand(skip: skip, Self.headerByteCount))
    }

    /// Leaves the innermost box, and returns the answer if that tells it. A track is kept if it has pictures or sound;
    /// a movie must have one that has. A track is settled at the end of its first fragment.
    private mutating func leave() -> MediaStartScanner.Answer? {
        let place = document.path.place
        document.path.leave()
        switch place {
        case .track where document.track.handler == .picturesOrSound:
            guard document.track.id != nil, document.track.timescale > 0 else { return .unsupported(.malformed) }
            guard tracks.count < document.trackLimit else { return .unsupported(.tooManyStreams) }
            tracks.append(document.track)
        case .movie where tracks.isEmpty: return .unsupported(.noTimestamp)
        case .trackFragment:
            if let index = fragmentTrack { tracks[index].endFragment() }
            return areSettled ? answer : nil
        default: break
        }
        return nil
    }

    private var areSettled: Bool {
        for index in 0..<tracks.count where !tracks[index].isSettled { return false }
        return true
    }

    private var answer: MediaStartScanner.Answer { lowest.map { .found($0.ticks) } ?? .unsupported(.noTimestamp) }
}

extension MediaStartStep {
    fileprivate static var malformed: MediaStartStep { .decided(.unsupported(.malformed)) }
}
