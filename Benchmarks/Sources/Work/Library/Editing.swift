import M3U8
import WebVTT

/// Attributes edited by rule.
struct Editing: ChunkedJob, ~Copyable {
    static let words = "Attributes edited"
    private var rewriter: PlaylistRewriter

    init(_ edits: [PlaylistEdit]) {
        do {
            rewriter = PlaylistRewriter(try PlaylistEdits(edits))
        } catch {
            fatalError("the edits are refused: \(error)")
        }
    }

    mutating func reset() { rewriter.reset() }
    mutating func write(_ chunk: UnsafeRawBufferPointer, _ sink: Sink) throws {
        try rewriter.write(chunk) { sink($0.bytes) }
    }
    mutating func finish(_ sink: Sink) { rewriter.finish { sink($0.bytes) } }
}

/// Variants dropped by a condition.
struct Filtering: ChunkedJob, ~Copyable {
    static let words = "Variants filtered"
    private var rewriter: PlaylistRewriter
    private var filter: VariantFilter

    init(keeping expression: String) {
        do {
            rewriter = PlaylistRewriter(try PlaylistEdits([], observing: VariantFilter.tags, selectsURIs: true))
            filter = VariantFilter(try VariantExpression(Array(expression.utf8)))
        } catch {
            fatalError("the filter is refused: \(error)")
        }
    }

    mutating func reset() {
        rewriter.reset()
        filter.reset()
    }
    mutating func write(_ chunk: UnsafeRawBufferPointer, _ sink: Sink) throws {
        try rewriter.write(chunk, filtering: &filter) { sink($0.bytes) }
    }
    mutating func finish(_ sink: Sink) { rewriter.finish(deciding: { filter.filter($0, &$1) }) { sink($0.bytes) } }
}

/// The times of all cues shifted.
struct Shifting: ChunkedJob, ~Copyable {
    static let words = "Cues shifted"
    private var shifter: CueShifter

    init(byMilliseconds shift: Int64) { shifter = CueShifter(byMilliseconds: shift) }

    mutating func reset() { shifter.reset() }
    mutating func write(_ chunk: UnsafeRawBufferPointer, _ sink: Sink) throws {
        try shifter.write(chunk) { sink($0.bytes) }
    }
    mutating func finish(_ sink: Sink) { shifter.finish { sink($0.bytes) } }
}
