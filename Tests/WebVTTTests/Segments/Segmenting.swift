import ByteScan
import Support
import Testing

@testable import WebVTT

/// What a segmenter makes of a file, kept for comparison.
struct Segmenting: Equatable {
    var segments: [Segment] = []
    var files: [[UInt8]] = []
    var error: SegmenterError?

    private var isOpen = false

    /// The files as text.
    var texts: [String] { files.map { String(decoding: $0, as: UTF8.self) } }

    /// Whether all that has begun has ended.
    var isComplete: Bool { !isOpen && files.count == segments.count }

    private init() {}

    /// The segments of `file`, written in `chunks`.
    init(
        _ file: UnsafeRawBufferPointer, in chunks: [Range<Int>], by boundaries: SegmentBoundaries,
        map: TimestampMap? = nil, cuesOnce: Bool = false, limits: Segmenter.Limits = Segmenter.Limits()
    ) {
        var segmenter = Segmenter(boundaries, map: map, cuesOnce: cuesOnce, limits: limits)
        self.init(&segmenter, file, in: chunks)
    }

    /// The segments of `file`, written to `segmenter`.
    init(_ segmenter: inout Segmenter, _ file: UnsafeRawBufferPointer, in chunks: [Range<Int>]) {
        for chunk in chunks {
            let chunk = UnsafeRawBufferPointer(rebasing: file[chunk])
            do { try segmenter.write(chunk) { handle($0, chunk) } } catch { self.error = self.error ?? error }
        }
        let nothing = UnsafeRawBufferPointer(start: nil, count: 0)
        do { try segmenter.finish { handle($0, nothing) } } catch { self.error = self.error ?? error }
    }

    /// The segments of `file`, whole.
    static func whole(
        _ file: [UInt8], by boundaries: SegmentBoundaries, map: TimestampMap? = nil, cuesOnce: Bool = false,
        limits: Segmenter.Limits = Segmenter.Limits()
    ) -> Segmenting {
        let maps = SegmentMaps(first: map, prefersOwn: map == nil)
        return whole(file, by: boundaries, maps: maps, cuesOnce: cuesOnce, limits: limits)
    }

    /// The segments of `file`, whole, with `maps`.
    static func whole(
        _ file: [UInt8], by boundaries: SegmentBoundaries, maps: SegmentMaps, cuesOnce: Bool = false,
        limits: Segmenter.Limits = Segmenter.Limits()
    ) -> Segmenting {
        var made = Segmenting()
        let guarded = GuardedBytes(file)
        defer { withExtendedLifetime(guarded) {} }
        do {
            var segmenter = Segmenter(boundaries, maps: maps, cuesOnce: cuesOnce, limits: limits)
            try segmenter.segment(guarded.buffer) { made.handle($0, guarded.buffer) }
        } catch {
            made.error = error
        }
        return made
    }

    /// The segments of `file` written in one piece, after it has been seen that no split makes others.
    static func stream(
        _ file: [UInt8], by boundaries: SegmentBoundaries, map: TimestampMap? = nil, cuesOnce: Bool = false,
        limits: Segmenter.Limits = Segmenter.Limits(), isThorough: Bool = true,
        sourceLocation: SourceLocation = #_sourceLocation
    ) -> Segmenting {
        let guarded = GuardedBytes(file)
        defer { withExtendedLifetime(guarded) {} }
        let made = Segmenting(
            guarded.buffer, in: [0..<file.count], by: boundaries, map: map, cuesOnce: cuesOnce, limits: limits)
        let splits =
            isThorough
            ? Splits.all(of: file.count)
            : [1, 2, 7, 64].map { Splits.even(of: file.count, size: $0) } + Splits.random(of: file.count, times: 2)
        var segmenter = Segmenter(boundaries, map: map, cuesOnce: cuesOnce, limits: limits)
        for split in splits {
            segmenter.reset()
            let other = Segmenting(&segmenter, guarded.buffer, in: split)
            #expect(other.error == made.error, "\(split)", sourceLocation: sourceLocation)
            // Where an error ends it, how much has been handed out of the last segment may depend on the chunks.
            if made.error == nil { #expect(other == made, "\(split)", sourceLocation: sourceLocation) }
        }
        return made
    }

    private mutating func handle(_ event: SegmentEvent, _ chunk: UnsafeRawBufferPointer) {
        switch event {
        case .began(let index):
            #expect(!isOpen && index == files.count)
            files.append([])
            isOpen = true
        case .bytes(let slice):
            #expect(isOpen && slice.count > 0)
            if case .chunk(let range) = slice.source {
                #expect(range.lowerBound >= 0 && range.upperBound <= chunk.count)
                files[files.count - 1] += chunk[range]
            } else {
                files[files.count - 1] += slice.bytes
            }
        case .ended(let segment):
            #expect(isOpen && segment.index == segments.count)
            segments.append(segment)
            isOpen = false
        }
    }
}

extension NaiveSegmenter.Segment {
    /// Whether the segmenter has made this segment.
    func isMade(_ segment: Segment, _ file: [UInt8]) -> Bool {
        segment.start == start && segment.duration == duration && segment.cueCount == cues.count && file == bytes
    }
}
