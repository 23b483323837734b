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
            guard let id = fields.number(at: 4, 4) else { return .malformed }
            document.fragment.trackID = UInt32(truncatingIfNeeded: id)
        case .tfdt:
            guard let time = fields.number(at: 4, isShort ? 4 : 8), time < .timeLimit else { return .malformed }
            document.fragment.decodeTime = Int64(time)
        case .trun:
            return readRun(fields, flags: head & 0xFF_FFFF, isSigned: !isShort)
        case .moov, .trak, .mdia, .edts, .moof, .traf: break
        }
        return nil
    }

    /// Reads the composition offset of the first sample, and begins the track there unless it has begun (8.8.8).
    ///
    /// A fragment without a decode time says nothing of when it is presented.
    private mutating func readRun(_ fields: ByteView, flags: UInt64, isSigned: Bool) -> MediaStartError? {
        guard let sampleCount = fields.number(at: 4, 4) else { return .malformed }
        guard sampleCount > 0, let index = fragmentTrack, let decodeTime = document.fragment.decodeTime else {
            return nil
        }
        var composition: Int64 = 0
        if flags & 0x800 != 0 {
            // Before it: the data offset and the flags of the first sample, then this sample's duration, size and flags.
            let offset = 8 &+ 4 &* (flags & 0x705).nonzeroBitCount
            guard let value = fields.number(at: offset, 4) else { return .malformed }
            composition = isSigned ? Int64(Int32(truncatingIfNeeded: value)) : Int64(value)
        }
        tracks[index].begin(at: decodeTime &+ composition)
        return nil
    }

    /// The time of the first edit of a list that is not empty, in units of the track (8.6.6); 0 if all are. Nil if the list is cut
    /// short before that.
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

    /// The index of the fragment's track; nil if it has begun, or has neither pictures nor sound.
    private var fragmentTrack: Int? {
        guard let id = document.fragment.trackID else { return nil }
        for index in 0..<tracks.count where tracks[index].id == id { return tracks[index].start == nil ? index : nil }
        return nil
    }
}

extension UInt64 {
    /// Times are below 2 to the 61st, so that sums of three fit: 7,000 years of units of 100 ns.
    fileprivate static var timeLimit: UInt64 { 1 << 61 }
}
