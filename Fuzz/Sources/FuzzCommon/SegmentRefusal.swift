import Support
import WebVTT

/// Why a file cannot be cut into segments, and the position of the reason: found block by block, as plainly as
/// possible.
struct SegmentRefusal: Equatable {
    let reason: SegmenterError.Reason
    let position: Int

    /// What the library says.
    init(_ error: SegmenterError) { (reason, position) = (error.reason, error.position) }

    private init(_ reason: SegmenterError.Reason, _ position: Int) { (self.reason, self.position) = (reason, position) }

    /// The first reason in `file`, in chunks or whole.
    static func first(in file: [UInt8], by request: SegmentRequest, inChunks: Bool) -> SegmentRefusal? {
        let limits = request.limits
        if let count = request.count, count > limits.segments {
            return Self(.tooManySegments(limit: limits.segments), 0)
        }
        guard let blocks = NaiveWebVTT.blocks(of: file) else { return Self(.notWebVTT, 0) }
        let isEnd = { (byte: UInt8) in byte == 0x0A || byte == 0x0D }
        let blank = file.drop { !isEnd($0) }.starts(with: [0x0D, 0x0A]) ? 2 : 1
        let header = blocks.prefix { $0.kind == "header" }
        if let first = header.first, let last = header.last {
            var end = file[last.position...].firstIndex(where: isEnd) ?? file.count
            end += file[end...].starts(with: [0x0D, 0x0A]) ? 2 : end < file.count ? 1 : 0
            if end - first.position > limits.largestBlock {
                return Self(.blockTooLong(limit: limits.largestBlock), first.position)
            }
        }
        var hasMap = !request.countsOwnMap
        var (head, current) = (0, UInt128(0))
        var (contentEnd, waiting): (Int64, Int?) = (0, nil)
        var open: [(end: Int64, count: Int)] = []
        let bytes = { (block: NaiveWebVTT.Block) in file[block.position..<(block.position + block.count)] }
        var repeats = NaiveRepeats(request, blank: blank)
        for block in blocks {
            if block.count > limits.largestBlock {
                return Self(.blockTooLong(limit: limits.largestBlock), block.position)
            }
            switch block.kind {
            case "header" where !hasMap && NaiveSegmenter.isMap(block.text):
                hasMap = true
                repeats.ownMap = Array(file[block.position...].prefix { !isEnd($0) })
                head += repeats.ownMap.count
                if head > limits.head { return Self(.headTooLong(limit: limits.head), block.position) }
            case "style", "region":
                head += block.count
                if head > limits.head { return Self(.headTooLong(limit: limits.head), block.position) }
                head += blank
                repeats.noteBlock(bytes(block))
            case "cue":
                let isShown = block.end > block.start
                if isShown, request.isTooLate(UInt128(block.end)) {
                    return Self(.tooManySegments(limit: limits.segments), block.position)
                }
                guard inChunks else { continue }
                let segment = request.segment(at: block.start)
                if segment < current {
                    return Self(.outOfOrder(segment: Int(clamping: segment)), block.position)
                }
                // One that never shows waits for content to reach its segment, unless that has begun.
                let hasBegun = contentEnd > 0 && segment == current
                current = segment
                if !isShown, request.count == nil, waiting != nil || block.start >= contentEnd && !hasBegun {
                    waiting = (waiting ?? 0) + block.count
                    if waiting ?? 0 > limits.spanningCues {
                        return Self(.hiddenCuesTooLong(limit: limits.spanningCues), block.position)
                    }
                } else {
                    if isShown { (contentEnd, waiting) = (max(contentEnd, block.end), nil) }
                    if let position = repeats.begin(through: Int(clamping: segment)) {
                        return Self(.tooManyRepeatedBytes(limit: limits.repeatedBytes), position)
                    }
                    if isShown { repeats.noteCue(bytes(block), from: block.start, to: block.end) }
                }
                open.removeAll { !request.isBehind($0.end, segment: segment) }
                guard isShown, !request.cuesOnce, request.isBehind(block.end, segment: segment) else { continue }
                if open.map(\.count).reduce(block.count, +) > limits.spanningCues {
                    return Self(.spanningCuesTooLong(limit: limits.spanningCues), block.position)
                }
                open.append((block.end, block.count + blank))
            default: break
            }
        }
        // Whole, the order of the cues is no matter.
        if !inChunks {
            for block in blocks where block.kind == "cue" && block.end > block.start {
                contentEnd = max(contentEnd, block.end)
                repeats.noteCue(bytes(block), from: block.start, to: block.end)
            }
        }
        guard request.count != nil || contentEnd > 0 else { return nil }
        return repeats.begin(through: request.lastSegment(until: contentEnd)).map {
            Self(.tooManyRepeatedBytes(limit: limits.repeatedBytes), $0)
        }
    }
}
