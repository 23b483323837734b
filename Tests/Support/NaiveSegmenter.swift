/// WebVTT cut into segments in the plainest way: for each segment, every cue of the file is asked whether it belongs
/// there.
///
/// Times of segments are in nanoseconds, those of cues in milliseconds, and both are compared as numbers of 128 bits.
public struct NaiveSegmenter {
    /// A segment.
    public struct Segment: Equatable {
        /// When it begins.
        public var start: UInt64
        /// How long it lasts.
        public var duration: UInt64
        /// The numbers of its cues in the file.
        public var cues: [Int]
        /// The file.
        public var bytes: [UInt8]
    }

    /// The map of a segment.
    public enum Map {
        /// The file's own, or else this header line.
        case own(otherwise: String?)
        /// This header line, whatever the file has; none if nil.
        case given(String?)
    }

    private let file: [UInt8]
    private let terminator: [UInt8]
    private let blocks: [NaiveWebVTT.Block]
    /// The cues.
    public let cues: [NaiveWebVTT.Block]
    private let cuesOnce: Bool

    /// A segmenter for `file`, or nil if it has no signature. With `cuesOnce` a cue is only in the segment it starts in.
    public init?(_ file: [UInt8], cuesOnce: Bool = false) {
        self.cuesOnce = cuesOnce
        guard let blocks = NaiveWebVTT.blocks(of: file) else { return nil }
        self.file = file
        self.blocks = blocks
        cues = blocks.filter { $0.kind == "cue" }
        let text = file.drop { $0 != 0x0A && $0 != 0x0D }
        terminator = text.starts(with: [0x0D, 0x0A]) ? [0x0D, 0x0A] : [text.first ?? 0x0A]
    }

    /// The bytes of cue number `index`.
    public func bytes(ofCue index: Int) -> [UInt8] { bytes(of: cues[index]) }

    /// Segments that last as long as `durations` say, each with what `map` says of its number.
    public func segments(durations: [UInt64], map: (Int) -> Map = { _ in .own(otherwise: nil) }) -> [Segment] {
        let durations = durations.filter { $0 > 0 }
        var next: UInt64 = 0
        return durations.indices.map { index in
            let start = next
            let end = index == durations.count - 1 ? nil : start + durations[index]
            if let end { next = end }
            return segment(from: start, to: end, duration: durations[index], map: map(index))
        }
    }

    /// Segments every `step`, until `end` or else until the cue ends that ends last of those that show.
    public func segments(
        every step: UInt64, until end: UInt64? = nil, map: (Int) -> Map = { _ in .own(otherwise: nil) }
    ) -> [Segment] {
        let contentEnd = end ?? UInt64(cues.filter { $0.end > $0.start }.map(\.end).max() ?? 0) * 1_000_000
        var durations: [UInt64] = []
        var left = contentEnd
        while left > 0 {
            durations.append(min(step, left))
            left -= min(step, left)
        }
        return segments(durations: durations, map: map)
    }

    private func segment(from start: UInt64, to end: UInt64?, duration: UInt64, map: Map) -> Segment {
        let shown = cues.indices.filter { index in
            let cue = cues[index]
            let startsBeforeEnd = end.map { !isAtOrBehind(cue.start, $0) } ?? true
            if cue.end <= cue.start || cuesOnce { return startsBeforeEnd && isAtOrBehind(cue.start, start) }
            return startsBeforeEnd && (isBehind(cue.end, start) || end == nil && isAtOrBehind(cue.start, start))
        }
        var bytes = head(map: map)
        for index in shown {
            bytes += self.bytes(ofCue: index)
            if let last = bytes.last, last != 0x0A, last != 0x0D { bytes += terminator }
            bytes += blankLine(after: bytes)
        }
        return Segment(start: start, duration: duration, cues: shown, bytes: bytes)
    }

    private func head(map: Map) -> [UInt8] {
        var bytes = Array("WEBVTT".utf8) + terminator
        switch map {
        case .given(let line): bytes += line.map { Array($0.utf8) + terminator } ?? []
        case .own(let line): bytes += (own ?? line.map { Array($0.utf8) }).map { $0 + terminator } ?? []
        }
        bytes += terminator
        for block in blocks where block.kind == "style" || block.kind == "region" {
            bytes += self.bytes(of: block)
            if let last = bytes.last, last != 0x0A, last != 0x0D { bytes += terminator }
            bytes += blankLine(after: bytes)
        }
        return bytes
    }

    /// The header line with the file's own map.
    private var own: [UInt8]? {
        blocks.first { $0.kind == "header" && NaiveSegmenter.isMap($0.text) }
            .map { own in Array(file[own.position...].prefix { $0 != 0x0A && $0 != 0x0D }) }
    }

    /// A blank line that does not become a part of the line before it.
    private func blankLine(after bytes: [UInt8]) -> [UInt8] {
        bytes.last == 0x0D && terminator == [0x0A] ? [0x0D] : terminator
    }

    private func bytes(of block: NaiveWebVTT.Block) -> [UInt8] {
        Array(file[block.position..<(block.position + block.count)])
    }

    /// Whether the line is a map: it has a number of ticks and a time, wherever they stand among its parts.
    public static func isMap(_ line: String) -> Bool {
        let name = Array("X-TIMESTAMP-MAP=".utf8)
        guard line.utf8.starts(with: name) else { return false }
        let parts = Array(line.utf8).dropFirst(name.count).split(separator: 0x2C, omittingEmptySubsequences: false)
            .map(trimmed)
        func values(_ key: String) -> [ArraySlice<UInt8>] {
            parts.filter { $0.starts(with: key.utf8) }.map { trimmed($0.dropFirst(key.utf8.count)) }
        }
        let isTimed = values("LOCAL:").contains { value in
            var rest = value
            return NaiveTimings.timestamp(&rest) != nil && rest.isEmpty
        }
        return isTimed && values("MPEGTS:").contains { !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }
    }

    private static func trimmed(_ bytes: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
        let isSpace = { (byte: UInt8) in [0x20, 0x09, 0x0C].contains(byte) }
        var bytes = bytes.drop(while: isSpace)
        while let last = bytes.last, isSpace(last) { bytes.removeLast() }
        return bytes
    }

    private func isBehind(_ time: Int64, _ bound: UInt64) -> Bool {
        let product = UInt64(time).multipliedFullWidth(by: 1_000_000)
        return product.high > 0 || product.low > bound
    }

    private func isAtOrBehind(_ time: Int64, _ bound: UInt64) -> Bool {
        let product = UInt64(time).multipliedFullWidth(by: 1_000_000)
        return product.high > 0 || product.low >= bound
    }
}
