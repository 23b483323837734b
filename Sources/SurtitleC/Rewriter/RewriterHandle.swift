internal import ByteScan
internal import CSurtitle
internal import M3U8
internal import Sideload

/// A rewriter that a caller of the C interface keeps.
final class RewriterHandle: Handle {
    /// How a playlist ends.
    enum Ending {
        case finished
        /// Its source broke off.
        case abandoned
    }

    enum State {
        case open
        /// It has been finished or abandoned.
        case ended
    }

    var pipeline: PlaylistPipeline
    var state = State.open

    /// The pieces of a call, and the same as the caller gets them.
    private var output: OutputPieces
    private var list = PieceList()

    /// Output that is copied, of a call.
    private var copied = OutputPieces(mergingThreshold: .max)

    /// Output in one piece, and how much of it the caller has.
    var result = ReusableBuffer<UInt8>()
    var taken = 0

    init(_ configuration: ConfigurationHandle, threshold: Int, longestPiece: Int) {
        pipeline = PlaylistPipeline(configuration.recipe, limits: configuration.limits)
        output = OutputPieces(mergingThreshold: threshold, longestPiece: longestPiece)
    }

    override func reset() {
        pipeline.reset()
        state = .open
        output.removeAll()
        list.removeAll()
        result.removeAll()
        taken = 0
    }

    /// How many bytes of the result the caller has not taken.
    var left: Int { result.count - taken }

    func checkOpen() throws(Refusal) {
        guard left == 0 else { throw Refusal(SURTITLE_OUTPUT_LEFT) }
        guard case .open = state else { throw Refusal(SURTITLE_ENDED) }
    }

    // MARK: In pieces

    func write(_ chunk: UnsafeRawBufferPointer, to place: ArrayPlace) throws(Refusal) -> Int32 {
        try checkOpen()
        let status = unsafe write(chunk, into: &output)
        unsafe list.fill(output, chunk)
        list.give(to: place)
        return status.code
    }

    func end(_ ending: Ending, to place: ArrayPlace) throws(Refusal) -> Int32 {
        try checkOpen()
        end(ending, into: &output)
        unsafe list.fill(output, UnsafeRawBufferPointer(start: nil, count: 0))
        list.give(to: place)
        return SURTITLE_OK.code
    }

    private func write(_ chunk: UnsafeRawBufferPointer, into output: inout OutputPieces) -> surtitle_status {
        do throws(LimitError) {
            try unsafe pipeline.write(chunk, into: &output)
            return SURTITLE_OK
        } catch {
            return SURTITLE_LIMIT_EXCEEDED
        }
    }

    private func end(_ ending: Ending, into output: inout OutputPieces) {
        state = .ended
        switch ending {
        case .finished: pipeline.finish(into: &output)
        case .abandoned: pipeline.abandon(into: &output)
        }
    }

    // MARK: Collecting

    /// Makes the output of the chunk the result.
    func collect(_ chunk: UnsafeRawBufferPointer) -> surtitle_status {
        let status = unsafe write(chunk, into: &copied)
        takeCopied()
        return status
    }

    /// Ends the playlist, and makes its rest the result.
    func collect(_ ending: Ending) {
        end(ending, into: &copied)
        takeCopied()
    }

    private func takeCopied() {
        result.removeAll()
        taken = 0
        for case .own(let bytes) in copied { result.append(unsafe ByteView(bytes)) }
    }
}
