internal import ByteScan
internal import CSurtitle
internal import M3U8
internal import Sideload

/// A rewriter that a caller of the C interface keeps.
final class RewriterHandle: Handle {
    /// What a call rewrites.
    @safe
    enum Part {
        case chunk(UnsafeRawBufferPointer)
        /// The end.
        case finished
        /// The end of a playlist whose source broke off.
        case abandoned

        /// The chunk; nil at the end.
        var chunk: UnsafeRawBufferPointer? {
            if case .chunk(let chunk) = self { unsafe chunk } else { nil }
        }
    }

    private var pipeline: PlaylistPipeline

    /// The output of a call in pieces.
    private var list: PieceList

    /// The output of a call that is copied.
    private var copied = OutputPieces(mergingThreshold: .max)

    /// The same in one piece, and how much of it the caller has.
    private var result = ReusableBuffer<UInt8>()
    private var taken = 0

    init(_ configuration: ConfigurationHandle, threshold: Int, longestPiece: Int) {
        pipeline = PlaylistPipeline(configuration.recipe, limits: configuration.limits)
        list = PieceList(OutputPieces(mergingThreshold: threshold, longestPiece: longestPiece))
    }

    override func reset() {
        super.reset()
        pipeline.reset()
        list.removeAll()
        dropRest()
    }

    /// How many bytes of the result the caller has not taken.
    private var left: Int { result.count - taken }

    private func dropRest() {
        result.removeAll()
        taken = 0
    }

    private func checkReady() throws(Refusal) {
        guard left == 0 else { throw Refusal(SURTITLE_OUTPUT_LEFT) }
        try checkOpen()
    }

    /// Rewrites a part, and hands out pieces.
    func rewrite(_ part: Part, to place: ArrayPlace<surtitle_piece>) throws(Refusal) -> surtitle_status {
        try checkReady()
        let status = run(part, into: &list.output)
        unsafe list.give(part.chunk, to: place)
        return status
    }

    /// Rewrites a part into the caller's memory.
    func rewrite(_ part: Part, to place: MemoryPlace) throws(Refusal) -> surtitle_status {
        try checkReady()
        return copy(part, to: place)
    }

    /// Rewrites a whole playlist, and tells how long the output is, whether it fits or not.
    func rewrite(whole playlist: UnsafeRawBufferPointer, to place: MemoryPlace) -> surtitle_status {
        reset()
        let status = unsafe copy(.chunk(playlist), to: place)
        let left = self.left
        dropRest()
        _ = copy(.finished, to: place)
        place.count += left + self.left
        dropRest()
        return place.status == SURTITLE_OK ? status : place.status
    }

    /// Copies what is left as far as it fits.
    func take(to place: MemoryPlace) -> surtitle_status {
        taken += place.append(result.view.suffix(from: taken))
        return left == 0 ? SURTITLE_OK : SURTITLE_MORE_OUTPUT
    }

    /// Fills all but the size.
    func fill(_ report: inout surtitle_report) { pipeline.report.fill(&report, outputLeft: left) }

    // MARK: A part

    /// Rewrites a part: where tracks are all there is, and the bound says that there is room, straight into the caller's
    /// memory. Else its output is collected in `result`, and copied as far as it fits.
    private func copy(_ part: Part, to place: MemoryPlace) -> surtitle_status {
        var buffer = unsafe OutputBuffer(place.rest)
        do throws(OutputError<LimitError>) {
            switch part {
            case .chunk(let chunk): try unsafe pipeline.write(chunk, into: &buffer)
            case .finished: try pipeline.finish(into: &buffer)
            case .abandoned: try pipeline.abandon(into: &buffer)
            }
            hasEnded = unsafe part.chunk == nil
            place.count += buffer.count
            return SURTITLE_OK
        } catch {
            place.count += buffer.count
            if case .failed = error { return SURTITLE_LIMIT_EXCEEDED }
        }
        let status = run(part, into: &copied)
        dropRest()
        for case .own(let bytes) in copied { result.append(unsafe ByteView(bytes)) }
        let rest = take(to: place)
        return status == SURTITLE_OK ? rest : status
    }

    private func run(_ part: Part, into output: inout OutputPieces) -> surtitle_status {
        hasEnded = unsafe part.chunk == nil
        switch part {
        case .chunk(let chunk):
            do throws(LimitError) { try unsafe pipeline.write(chunk, into: &output) } catch {
                return SURTITLE_LIMIT_EXCEEDED
            }
        case .finished: pipeline.finish(into: &output)
        case .abandoned: pipeline.abandon(into: &output)
        }
        return SURTITLE_OK
    }
}
