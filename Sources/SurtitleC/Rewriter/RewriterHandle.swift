internal import ByteScan
internal import CSurtitle
internal import M3U8
internal import Sideload

/// A rewriter that a caller of the C interface keeps. Its calls take a chunk, or the end of a playlist if that is nil.
final class RewriterHandle: Handle {
    private var pipeline: PlaylistPipeline

    private var list: PieceList

    /// The output of a call that is copied, and what of it has had no room, of which the caller has so many bytes.
    private var copied = OutputPieces(mergingThreshold: .max)
    private var result = ReusableBuffer<UInt8>()
    private var taken = 0

    init(_ configuration: ConfigurationHandle, _ output: OutputPieces) {
        pipeline = PlaylistPipeline(configuration.recipe, limits: configuration.limits)
        list = PieceList(output)
    }

    override func reset() {
        super.reset()
        pipeline.reset()
        dropRest()
    }

    /// How many bytes of the result the caller has not taken.
    private var left: Int { result.count - taken }

    private func dropRest() {
        result.removeAll()
        taken = 0
    }

    private func checkAndBegin(_ chunk: UnsafeRawBufferPointer?) throws(Refusal) {
        guard left == 0 else { throw Refusal(SURTITLE_OUTPUT_LEFT) }
        try unsafe begin(chunk)
    }

    /// Rewrites, and hands out pieces. With `abandons` the end is that of a source which broke off.
    func rewrite(
        to place: ArrayPlace<surtitle_piece>, _ chunk: UnsafeRawBufferPointer?, abandons: Bool = false
    ) throws(Refusal) -> surtitle_status {
        try unsafe checkAndBegin(chunk)
        let status = unsafe run(chunk, abandons, into: &list.output)
        unsafe list.give(chunk, to: place)
        return status
    }

    func rewrite(
        to place: MemoryPlace, _ chunk: UnsafeRawBufferPointer?, abandons: Bool = false
    ) throws(Refusal) -> surtitle_status {
        try unsafe checkAndBegin(chunk)
        return unsafe copy(chunk, abandons, to: place)
    }

    /// Rewrites a whole playlist, and tells how long the output is, whether it fits or not.
    func rewrite(to place: MemoryPlace, whole playlist: UnsafeRawBufferPointer) -> surtitle_status {
        reset()
        let status = unsafe copy(playlist, to: place)
        let left = self.left
        dropRest()
        hasEnded = true
        _ = unsafe copy(nil, to: place)
        place.count += left + self.left
        dropRest()
        return place.status == SURTITLE_OK ? status : place.status
    }

    /// Copies what is left as far as it fits.
    func take(to place: MemoryPlace) -> surtitle_status {
        taken += place.append(result.view.suffix(from: taken))
        return left == 0 ? SURTITLE_OK : SURTITLE_MORE_OUTPUT
    }

    var report: surtitle_report { surtitle_report(pipeline.report, outputLeft: left) }

    /// The output goes straight to the caller's memory, and what has no room there is kept in `result`.
    private func copy(
        _ chunk: UnsafeRawBufferPointer?, _ abandons: Bool = false, to place: MemoryPlace
    ) -> surtitle_status {
        unsafe copied.lend(place.rest)
        let status = unsafe run(chunk, abandons, into: &copied)
        dropRest()
        place.count += copied.lentCount
        for case .own(let bytes) in copied.dropFirst(copied.lentCount == 0 ? 0 : 1) {
            result.append(unsafe ByteView(bytes))
        }
        return status != SURTITLE_OK || left == 0 ? status : SURTITLE_MORE_OUTPUT
    }

    private func run(
        _ chunk: UnsafeRawBufferPointer?, _ abandons: Bool, into output: inout OutputPieces
    ) -> surtitle_status {
        do throws(LimitError) {
            if let chunk = unsafe chunk {
                try unsafe pipeline.write(chunk, into: &output)
            } else if abandons {
                pipeline.abandon(into: &output)
            } else {
                pipeline.finish(into: &output)
            }
            return SURTITLE_OK
        } catch {
            return SURTITLE_LIMIT_EXCEEDED
        }
    }
}
