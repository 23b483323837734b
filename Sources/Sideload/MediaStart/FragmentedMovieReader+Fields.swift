internal import ByteScan

// The fields that matter, of the boxes that have some. Each begins with its version, in a byte, and 24 bits of flags.
extension FragmentedMovieReader {
    /// Reads the fields of a box; what is wrong with them, or nil.
    mutating func readFields(of type: BoxType, _ fields: ByteView) -> MediaStartError? {
        guard let head = fields.number(at: 0, 4) else { return .malformed }
        let isShort = head >> 24 == 0
        switch type {
        case .tkhd:
            guard let id = fields.number(at: isShort ? 12 : 20, 4) else { return .malformed }
            document.track.id = UInt32(truncatingIfNeeded: id)
        case .mdhd:
            guard let timescale = fields.number(at: isShort ? 12 : 20, 4) else { return .malformed }
            document.track.timescale = UInt32(truncatingIfNeeded: timescale)
        case .hdlr:
            guard fields.count >= 12 else { return .malformed }
            let handler = fields[8..<12]
            document.track.handler = handler == "vide" || handler == "soun" ? .picturesOrSound : .other
        case .elst:
            guard let time = Self.mediaTime(ofEdits: fields, isShort: isShort) else { return .malformed }
            document.track.mediaTime = time
        case .tfhd:
            return readFragmentHeader(fields, flags: head & 0xFF_FFFF)
        case .trex:
            guard let id = fields.number(at: 4, 4), let duration = fields.number(at: 12, 4) else { return .malformed }
            guard duration > 0 else { return nil }
            guard defaults.count < document.trackLimit else { return .tooManyStreams }
            defaults.append(SampleDefault(trackID: UInt32(truncatingIfNeeded: id), duration: duration))
        case .tfdt:
            guard let time = fields.number(at: 4, isShort ? 4 : 8), time < .timeLimit else { return .malformed }
            document.fragment.decodeTime = Int64(time)
        case .moov, .trak, .mdia, .edts, .mvex, .moof, .traf, .trun: break
        }
        return nil
    }

    /// Reads the track of a fragment, and how long its samples last that do not say (8.8.7).
    private mutating func readFragmentHeader(_ fields: ByteView, flags: UInt64) -> MediaStartError? {
        guard let id = fields.number(at: 4, 4) else { return .malformed }
        document.fragment.trackID = UInt32(truncatingIfNeeded: id)
        document.fragment.sampleDuration = nil
        guard flags & 0x8 != 0 else { return nil }
        // Before it: the data offset, of 64 bits, and the index of the sample description.
        let offset = 8 &+ (flags & 0x1 != 0 ? 8 : 0) &+ (flags & 0x2 != 0 ? 4 : 0)
        guard let duration = fields.number(at: offset, 4) else { return .malformed }
        document.fragment.sampleDuration = duration
        return nil
    }

    /// Begins a run of samples (8.8.8), in a box that has `bytesLeft`. It has none that count if its track is settled,
    /// or its fragment has no decode time: then nothing says when they are presented.
    mutating func beginRun(_ fields: ByteView, bytesLeft: UInt64) -> MediaStartError? {
        document.run = TrackRun()
        guard let head = fields.number(at: 0, 4), let count = fields.number(at: 4, 4) else { return .malformed }
        guard fragmentTrack != nil, let decodeTime = document.fragment.decodeTime else { return nil }
        let run = TrackRun(head: head, sampleCount: count, at: decodeTime, lasting: sampleDuration)
        guard run.byteCount <= bytesLeft else { return .malformed }
        document.run = run
        return nil
    }

    /// Ends a run of samples: the next one of its fragment goes on where it has ended.
    mutating func endRun() -> MediaStartError? {
        guard let lowest = document.run.lowest, let index = fragmentTrack else { return nil }
        guard document.run.time.magnitude < .timeLimit else { return .malformed }
        document.fragment.decodeTime = document.run.time
        let earliest = min(lowest, document.fragment.lowest ?? lowest)
        document.fragment.lowest = earliest
        tracks[index].begin(at: earliest)
        return nil
    }

    /// How long a sample of the fragment lasts that does not say: as the fragment says, or the movie (8.8.3).
    private var sampleDuration: UInt64 {
        if let duration = document.fragment.sampleDuration { return duration }
        for index in 0..<defaults.count where defaults[index].trackID == document.fragment.trackID {
            return defaults[index].duration
        }
        return 0
    }

    /// The time of the first edit of a list that is not empty, in units of the track (8.6.6); 0 if all are. Nil if the
    /// list is cut short before that.
    ///
    /// Empty edits, which delay the presentation, do not count: hls.js and GStreamer take the time of the samples.
    private static func mediaTime(ofEdits fields: ByteView, isShort: Bool) -> Int64? {
        guard let count = fields.number(at: 4, 4) else { return nil }
        let width = isShort ? 4 : 8
        let edit = 2 &* width &+ 4
        for index in 0..<Int(clamping: count) {
            // Of a hostile count the first entry that is not there ends this.
            guard let value = fields.number(at: 8 &+ index &* edit &+ width, width) else { return nil }
            let time = isShort ? Int64(Int32(truncatingIfNeeded: value)) : Int64(bitPattern: value)
            if time != -1 { return time.magnitude < .timeLimit ? time : nil }
        }
        return 0
    }

    /// The index of the fragment's track; nil if it is settled, or has neither pictures nor sound.
    var fragmentTrack: Int? {
        guard let id = document.fragment.trackID else { return nil }
        for index in 0..<tracks.count where tracks[index].id == id { return tracks[index].isSettled ? nil : index }
        return nil
    }
}

extension UInt64 {
    /// Times are below 2 to the 61st, so that sums of three fit: 7,000 years of units of 100 ns.
    static var timeLimit: UInt64 { 1 << 61 }
}
