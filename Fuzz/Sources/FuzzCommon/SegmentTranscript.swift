import Support
import WebVTT

/// What a segmenter handed out, and how it ended.
struct SegmentTranscript: Equatable {
    private(set) var segments: [Segment] = []
    /// The bytes of each segment; an error leaves the last one incomplete.
    private(set) var files: [[UInt8]] = []
    private(set) var error: SegmenterError?
    /// What was wrong with the events, in words.
    private(set) var faults: [String] = []

    /// The segments of `file`, handed to `segmenter` in `split`.
    init(of file: UnsafeRawBufferPointer, in split: [Range<Int>], by segmenter: inout Segmenter) {
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        let chunks = split.map { UnsafeRawBufferPointer(rebasing: file[$0]) }
        for (number, chunk) in (chunks + [nothing]).enumerated() {
            let earlier = error
            let count = files.count
            do throws(SegmenterError) {
                if number < split.count {
                    try segmenter.write(chunk) { record($0, of: chunk) }
                } else {
                    try segmenter.finish { record($0, of: chunk) }
                }
                if earlier != nil { faults.append("no error after \(String(describing: earlier))") }
            } catch {
                self.error = error
            }
            guard let earlier else { continue }
            if error != earlier || files.count != count { faults.append("something else after \(earlier)") }
        }
        if segmenter.position != file.count { faults.append("the position is \(segmenter.position)") }
    }

    /// The segments of `file`, whole.
    init(whole file: UnsafeRawBufferPointer, by request: SegmentRequest) {
        do throws(SegmenterError) {
            var segmenter = request.segmenter
            try segmenter.segment(file) { record($0, of: file) }
        } catch {
            self.error = error
        }
    }

    private mutating func record(_ event: SegmentEvent, of chunk: UnsafeRawBufferPointer) {
        let isOpen = files.count == segments.count + 1
        switch event {
        case .began(let index):
            if isOpen || index != files.count { faults.append("segment \(index) begins after \(files.count)") }
            files.append([])
        case .bytes(let slice):
            guard isOpen, slice.count > 0 else { return faults.append("bytes outside a segment, or none") }
            files[files.count - 1] += slice.bytes
            guard case .chunk(let range) = slice.source else { return }
            let isPlace = range.upperBound <= chunk.count && slice.bytes.elementsEqual(chunk[range])
            if !isPlace { faults.append("\(range) is not where the slice is") }
        case .ended(let segment):
            if !isOpen || segment.index != segments.count { faults.append("\(segment) ends") }
            segments.append(segment)
        }
    }
}
