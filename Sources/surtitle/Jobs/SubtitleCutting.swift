internal import M3U8
internal import Sideload
internal import WebVTT

/// How a file of subtitles is cut into segments of WebVTT.
struct SubtitleCutting {
    /// How long segments are where nobody says.
    static let usualTarget = DecimalSeconds(nanoseconds: 6_000_000_000)

    let boundaries: SegmentBoundaries
    let map: TimestampMap?
    let chunk: Int

    /// Segments of `target`, or else, unless `duration` says how long the content is, the video's own, or else usual ones; up to
    /// `duration` or else the video's end, where one of them is known.
    init(
        target: DecimalSeconds?, video: MediaPlaylist?, duration: MediaDuration? = nil, map: TimestampMap?, chunk: Int
    ) throws(Failure) {
        let known = duration.map { UInt64($0.milliseconds).multipliedReportingOverflow(by: 1_000_000) }
        let end = known.map { $0.overflow ? .max : $0.partialValue } ?? video?.duration.nanoseconds
        let made: SegmentBoundaries? =
            if let video, target == nil, duration == nil {
                SegmentBoundaries(durations: video.durations.map(\.nanoseconds))
            } else {
                SegmentBoundaries(every: (target ?? Self.usualTarget).nanoseconds, until: end)
            }
        guard let made else { throw .usage("there are no segments of that duration; give another one") }
        boundaries = made
        self.map = map
        self.chunk = chunk
    }

    /// Cuts the file called `operand` into `files`.
    ///
    /// It is read once, and once more and as a whole where its cues are not in the order of their segments.
    func cut(_ operand: String, into files: SegmentFiles) throws(Failure) {
        guard let late = try stream(operand, into: files) else { return }
        guard operand != "-" else {
            throw .refused(
                "standard input",
                "\(late): the cue starts in a segment that has ended, and what is piped cannot be read again; save it to a "
                    + "file and name that")
        }
        files.discard()
        try cutWhole(operand, into: files)
    }

    /// Cuts the file as it is read, and tells where the first cue is that is too late for that.
    private func stream(_ operand: String, into files: SegmentFiles) throws(Failure) -> String? {
        let file = try InputFile(operand)
        let decoder = SubtitleDecoder(file.name)
        files.begin(file.status)
        var segmenter = Segmenter(boundaries, map: map)
        var late: String?
        func refusal(_ error: SegmenterError) -> Failure {
            if case .outOfOrder = error.reason { late = decoder.place(error) }
            return decoder.refusal(error)
        }
        do throws(Failure) {
            try unsafe decoder.forEachChunk(of: file, chunk: chunk) { (bytes) throws(Failure) in
                do throws(SegmenterError) {
                    try unsafe segmenter.write(bytes, files.take)
                } catch {
                    throw refusal(error)
                }
                try files.check()
            }
            do throws(SegmenterError) {
                try segmenter.finish(files.take)
            } catch {
                throw refusal(error)
            }
        } catch {
            guard late != nil else { throw error }
        }
        try files.check()
        return late
    }

    private func cutWhole(_ operand: String, into files: SegmentFiles) throws(Failure) {
        let file = try InputFile(operand)
        let decoder = SubtitleDecoder(file.name)
        let bytes = try decoder.whole(file, chunk: chunk, otherwise: "sort the cues by their start")
        var failure: SegmenterError?
        unsafe bytes.withUnsafeBytes { buffer in
            do throws(SegmenterError) {
                try unsafe Segmenter.segment(buffer, by: boundaries, map: map, files.take)
            } catch {
                failure = error
            }
        }
        if let failure { throw decoder.refusal(failure) }
        try files.check()
    }
}

extension SubtitleDecoder {
    /// The place that `error` names.
    fileprivate func place(_ error: SegmenterError) -> String { "at byte \(error.position)\(placeNote)" }

    /// A refusal of the file, whose WebVTT cannot be cut.
    fileprivate func refusal(_ error: SegmenterError) -> Failure {
        error.reason == .notWebVTT ? .notWebVTT(name) : .refused(name, "\(place(error)): \(error.reason)")
    }
}
