internal import M3U8
internal import Sideload
internal import WebVTT

/// How files of subtitles are cut into segments of WebVTT.
struct SubtitleCutting {
    /// How long segments are if nobody says.
    static let defaultTarget = DecimalSeconds(nanoseconds: 6_000_000_000)

    /// How long segments are to be; nil for as long as those of `video`.
    let target: DecimalSeconds?
    /// The video's media playlist, if it is known.
    let video: MediaPlaylist?
    /// The timestamp map that every segment gets, if there is one.
    let map: TimestampMap?
    /// How many bytes are read at a time.
    let chunk: Int
    /// Whether a cue is only in the segment that it starts in.
    var cuesOnce = false
    /// How the file is read.
    var reading = SubtitleReading()

    /// Cuts the file called `operand` into `files`; the content lasts for `duration`, if that is known.
    ///
    /// The file is read once. If its cues are not in the order of their segments, it is read once more and as a whole.
    func cut(_ operand: String, lasting duration: MediaDuration? = nil, into files: SegmentFiles) throws(Failure) {
        let boundaries = try boundaries(duration)
        guard let late = try stream(operand, boundaries, into: files) else { return }
        guard operand != "-" else {
            throw .refused(
                "standard input",
                "\(late): the cue starts in a segment that has ended, and what is piped cannot be read again; save it to a "
                    + "file and name that")
        }
        files.discard()
        try cutWhole(operand, boundaries, into: files)
    }

    /// Where segments begin and end, in this order of precedence:
    ///
    ///     length    the target; the video's own, unless a duration is given; 6 s
    ///     end       the duration; the video's; that of the last cue
    private func boundaries(_ duration: MediaDuration?) throws(Failure) -> SegmentBoundaries {
        let known = duration.map { UInt64($0.milliseconds).multipliedReportingOverflow(by: 1_000_000) }
        let end = known.map { $0.overflow ? .max : $0.partialValue } ?? video?.duration.nanoseconds
        let boundaries: SegmentBoundaries? =
            if let video, target == nil, duration == nil {
                SegmentBoundaries(durations: video.durations.map(\.nanoseconds))
            } else {
                SegmentBoundaries(every: (target ?? Self.defaultTarget).nanoseconds, until: end)
            }
        guard let boundaries else { throw .usage("there are no segments of that duration; give another one") }
        return boundaries
    }

    /// Cuts the file while it is read. Returns the location of the first cue that is too late for that, if there is one.
    private func stream(
        _ operand: String, _ boundaries: SegmentBoundaries, into files: SegmentFiles
    ) throws(Failure) -> String? {
        let file = try InputFile(operand)
        let decoder = SubtitleDecoder(file.name, reading)
        files.begin(file.status)
        var segmenter = Segmenter(boundaries, map: map, cuesOnce: cuesOnce)
        var late: String?
        func refusal(_ error: SegmenterError) -> Failure {
            if error.reason.segment != nil { late = decoder.location(error) }
            return decoder.refusal(error)
        }
        do throws(Failure) {
            try unsafe decoder.forEachChunk(of: file, chunk: chunk) { (bytes) throws(Failure) in
                do throws(SegmenterError) {
                    try unsafe segmenter.write(bytes, files.handle)
                } catch {
                    throw refusal(error)
                }
                try files.check()
            }
            do throws(SegmenterError) {
                try segmenter.finish(files.handle)
            } catch {
                throw refusal(error)
            }
        } catch {
            guard late != nil else { throw error }
        }
        try files.check()
        return late
    }

    private func cutWhole(
        _ operand: String, _ boundaries: SegmentBoundaries, into files: SegmentFiles
    ) throws(Failure) {
        let file = try InputFile(operand)
        let decoder = SubtitleDecoder(file.name, reading)
        let bytes = try decoder.whole(file, chunk: chunk, otherwise: "sort the cues by their start")
        var failure: SegmenterError?
        var segmenter = Segmenter(boundaries, map: map, cuesOnce: cuesOnce)
        unsafe bytes.withUnsafeBytes { buffer in
            do throws(SegmenterError) {
                try unsafe segmenter.segment(buffer, files.handle)
            } catch {
                failure = error
            }
        }
        if let failure { throw decoder.refusal(failure) }
        try files.check()
    }
}

extension SubtitleDecoder {
    /// The location that `error` names.
    fileprivate func location(_ error: SegmenterError) -> String { "at byte \(error.position)\(locationNote)" }

    /// A refusal of the file, whose WebVTT cannot be cut.
    fileprivate func refusal(_ error: SegmenterError) -> Failure {
        error.reason == .notWebVTT ? .notWebVTT(name) : .refused(name, "\(location(error)): \(error.reason)")
    }
}
