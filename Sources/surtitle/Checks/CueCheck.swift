internal import ByteScan
internal import Encodings
internal import M3U8
internal import WebVTT

// What is checked of a rendition's files of cues:
//
//     by itself        the signature, UTF-8, blocks that no player reads, X-TIMESTAMP-MAP
//     with the video   the map is that of the timeline's first time stamp
//     with the others  cues are in the segments in which they show, and in each of them (8216bis 3.1.4)

/// Reads the files of cues of a rendition as a player would, in order.
struct CueCheck {
    private let name: String
    private let findings: Findings
    private let video: CheckedVideo?
    /// Whether there are several, so that cues belong to one or another.
    private let isCut: Bool

    /// When a cue shows, which tells it from others.
    private struct Times: Hashable, Comparable {
        let (start, end): (Int64, Int64)
        static func < (one: Times, other: Times) -> Bool { (one.start, one.end) < (other.start, other.end) }
    }
    /// The cues that go on in the next segment, and where that begins.
    private var open: (cues: Set<Times>, at: Int64)?
    /// Cues in a segment in which they do not show, and cues that the next segment lacks: how many, and the first.
    private var (astray, cutOff): (Count, Count) = (Count(), Count())

    private struct Count {
        var count = 0
        var first = ""
        mutating func note(_ text: @autoclosure () -> String) {
            if count == 0 { first = text() }
            count += 1
        }
    }

    init(_ media: MediaCheck, beside video: CheckedVideo?, _ findings: Findings) {
        (name, self.findings, self.video) = (media.text.name, findings, video)
        isCut = media.segments.count > 1
    }

    /// Reads `segment`, which is what `operand` names.
    mutating func check(_ segment: MediaCheck.Segment, _ operand: String) throws(Failure) {
        let inventory = CueInventory()
        var checker = UTF8Checker()
        var times: Set<Times> = []
        if isCut { inventory.forEachCue = { times.insert(Times(start: $0.milliseconds, end: $1.milliseconds)) } }
        let file = try InputFile(operand)
        try unsafe file.forEachTextChunk(in: segment.range) { (bytes) throws(Failure) in
            unsafe inventory.scan(bytes)
            checker.scan(unsafe ByteView(bytes))
        }
        inventory.finish()
        guard inventory.isWebVTT else {
            findings.broken(file.name, nil, "at byte 0: no WEBVTT signature, so players show nothing of it")
            return
        }
        if let position = checker.firstMalformed { findings.broken(file.name, nil, "at byte \(position): not UTF-8") }
        for fault in inventory.faults() { findings.broken(file.name, nil, fault) }
        if let bad = inventory.badMap, inventory.timestampMap == nil {
            findings.broken(file.name, bad, "X-TIMESTAMP-MAP cannot be read; write LOCAL:00:00:00.000,MPEGTS:0")
        }
        noteBlocks(in: inventory, called: file.name)
        guard checkMap(of: inventory, called: file.name, segment), isCut else { return }
        note(times, in: segment, called: file.name)
    }

    /// Tells of blocks that players pass over although nothing shows that they were meant to be cues.
    private func noteBlocks(in inventory: CueInventory, called file: String) {
        // Of those without a timing line some have been told by then.
        let told = [CueFault.arrow, .strayMap].compactMap { inventory.hidden[$0]?.count }.reduce(0, +)
        for block in inventory.unparsed where block.reason != .malformedTiming {
            let count = block.reason == .noTiming ? block.count - told : block.count
            guard count > 0 else { continue }
            findings.doubtful(
                file, block.first,
                "players pass over \(count == 1 ? "a block" : "\(count) blocks"): \(block.reason.words)")
        }
        if inventory.emptyCount > 0 {
            findings.doubtful(
                file, nil, "\(inventory.emptyCount == 1 ? "1 cue" : "\(inventory.emptyCount) cues") without text")
        }
    }

    /// Tells what has been counted.
    func finish() {
        if astray.count > 0 {
            findings.doubtful(
                name, nil, "\(astray.count) cues in segments in which they do not show (8216bis 3.1.4): \(astray.first)"
            )
        }
        if cutOff.count > 0 {
            findings.doubtful(
                name, nil,
                "\(cutOff.count) cues go on in the next segment, which lacks them: who seeks there misses them: \(cutOff.first)"
            )
        }
    }

    /// Returns whether the cues' times are the video's, as far as that is known.
    private func checkMap(of inventory: CueInventory, called name: String, _ segment: MediaCheck.Segment) -> Bool {
        guard let video, segment.timeline < video.maps.count, let expected = video.maps[segment.timeline] else {
            return video == nil
        }
        let delay = (inventory.timestampMap ?? .none).delay(after: expected)
        // Where no cue shows, none shows at another time.
        guard delay.magnitude > TimestampMap.tolerance, inventory.cueCount > 0 else { return true }
        let seconds = TimestampMap.seconds(delay)
        let what = inventory.timestampMap == nil ? "no X-TIMESTAMP-MAP, and" : "by its X-TIMESTAMP-MAP"
        findings.broken(
            name, nil,
            "\(what) cues show \(seconds) s \(delay > 0 ? "late" : "early"): the first time stamp of \(video.name) is "
                + "MPEGTS:\(expected.mpegTS) at \(expected.local)")
        return false
    }

    private mutating func note(_ times: Set<Times>, in segment: MediaCheck.Segment, called file: String) {
        guard let media = segment.media, let duration = segment.duration else {
            open = nil
            return
        }
        let begin = Int64(clamping: media.start.nanoseconds / 1_000_000)
        let end = Int64(clamping: (media.start + duration).nanoseconds / 1_000_000)
        func place(_ cue: Times) -> String {
            "\(file): \(Timestamp(milliseconds: cue.start)) --> \(Timestamp(milliseconds: cue.end))"
        }
        // Durations are rounded, here and there.
        let slack: Int64 = 100
        for cue in times.sorted() where cue.end > cue.start && (cue.start > end + slack || cue.end + slack < begin) {
            astray.note(place(cue))
        }
        if let open, open.at == begin {
            for cue in open.cues.sorted() where !times.contains(cue) { cutOff.note(place(cue)) }
        }
        open = (times.filter { $0.start + slack < end && $0.end > end + slack && $0.end > $0.start }, end)
    }
}
