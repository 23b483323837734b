internal import ByteScan
internal import M3U8
internal import Sideload
internal import WebVTT

/// How files of subtitles are cut into segments of WebVTT.
struct SubtitleCutting {
    /// How long segments are to be; nil for as long as those of `video`.
    let target: DecimalSeconds?
    /// The video's media playlist, if it is known.
    let video: PlaylistFacts?
    /// The video's clock, which the segments' timestamp maps tell.
    let clock: VideoClock
    /// Whether a cue is only in the segment that it starts in.
    var cuesOnce = false
    /// How the file is read.
    var reading = SubtitleReading()

    /// Cuts the file called `operand` into `files`; the content lasts for `duration`, if that is known.
    ///
    /// The file is read once. If its cues are not in the order of their segments, it is read once more and as a whole.
    /// If `facts` tell that its cues are out of order, it is read as a whole at once.
    ///
    /// - Returns: What is in the file, and what a message adds to a location in it.
    @discardableResult
    func cut(
        _ operand: String, lasting duration: MediaDuration? = nil, _ facts: SubtitleFacts? = nil,
        into files: SegmentFiles
    ) throws(Failure) -> (CueInventory, String) {
        let layout = try SegmentLayout(target: target, video: video, until: duration)
        files.discontinuities = layout.discontinuities
        if let facts, !facts.isInOrder {
            let inventory = try cutWhole(operand, layout, into: files)
            clock.compare(facts.map, of: operand)
            return inventory
        }
        let inventory = CueInventory()
        let (late, note) = try stream(operand, layout, into: files, inventory)
        guard let late else { return (inventory, note) }
        guard operand != "-" else {
            throw .refused(
                "standard input",
                "\(late): the cue starts in a segment that has ended, and what is piped cannot be read again; save it to a "
                    + "file and name that")
        }
        files.discard()
        return try cutWhole(operand, layout, into: files)
    }

    /// Cuts the file while it is read. Returns the location of the first cue that is too late for that, if there is
    /// one.
    private func stream(
        _ operand: String, _ layout: SegmentLayout, into files: SegmentFiles, _ inventory: CueInventory
    ) throws(Failure) -> (late: String?, note: String) {
        let file = try InputFile(operand)
        let decoder = try SubtitleDecoder(file.name, reading)
        var segmenter = Segmenter(layout.boundaries, maps: layout.maps(by: clock), cuesOnce: cuesOnce)
        var late: String?
        func refusal(_ error: SegmenterError) -> Failure {
            if error.reason.segment != nil { late = decoder.location(error) }
            return decoder.refusal(error)
        }
        do throws(Failure) {
            try unsafe decoder.forEachChunk(of: file) { (bytes) throws(Failure) in
                unsafe inventory.scan(bytes)
                try refusing(try unsafe segmenter.write(bytes, files.handle), refusal)
                try files.check()
            }
            try refusing(try segmenter.finish(files.handle), refusal)
        } catch {
            guard late != nil else { throw error }
        }
        try files.check()
        if late == nil { clock.compare(segmenter.ownMap, of: file.name) }
        return (late, decoder.locationNote)
    }

    private func cutWhole(
        _ operand: String, _ layout: SegmentLayout, into files: SegmentFiles
    ) throws(Failure) -> (CueInventory, String) {
        let inventory = CueInventory()
        let file = try InputFile(operand)
        let decoder = try SubtitleDecoder(file.name, reading)
        let bytes = try decoder.whole(file, otherwise: "sort the cues by their start")
        var segmenter = Segmenter(layout.boundaries, maps: layout.maps(by: clock), cuesOnce: cuesOnce)
        try bytes.withView { (bytes) throws(Failure) in
            unsafe inventory.scan(bytes.buffer)
            try refusing(try unsafe segmenter.segment(bytes.buffer, files.handle), decoder.refusal)
        }
        try files.check()
        return (inventory, decoder.locationNote)
    }
}

extension SubtitleDecoder {
    /// The location that `error` names.
    fileprivate func location(_ error: SegmenterError) -> String { "at byte \(error.position)\(locationNote)" }

    /// A refusal of the file, whose WebVTT cannot be cut.
    fileprivate func refusal(_ error: SegmenterError) -> Failure {
        error.reason == .notWebVTT ? notSubtitles : .refused(name, "\(location(error)): \(error.reason)")
    }
}
