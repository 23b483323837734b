internal import ByteScan
internal import CSurtitle
internal import M3U8
internal import Sideload

// How a playlist goes through a rewriter of the C interface.
//
//     configuration     path of a chunk
//     tracks            chunk ─▶ MasterRewriter ─▶ pieces
//     edits             chunk ─▶ PlaylistEditor ─▶ pieces
//     both              chunk ─▶ PlaylistEditor ─▶ edited ─▶ MasterRewriter ─▶ result
//
// Into the caller's memory: where tracks are all there is, and the bound says that there is room, straight from the chunk. Else it is
// collected in `result`, and copied from there as far as it fits; what is left is taken later.

/// A rewriter that a caller of the C interface keeps.
final class RewriterHandle: Handle {
    /// How a playlist ends.
    enum Ending {
        case finished
        /// Its source broke off.
        case abandoned
    }

    private enum State {
        case open
        /// It has been finished or abandoned.
        case ended
    }

    private var master: MasterRewriter?
    private var editor: PlaylistEditor?

    /// Which of the two there are.
    private let hasTracks: Bool
    private let hasEdits: Bool
    private let longestPiece: Int

    private var state = State.open

    /// The pieces of a call, and the same as the caller gets them.
    private var output: OutputPieces
    private var list = PieceList()

    /// Output that is copied, of a part of the way. A closure for each part would make the compiler copy the core each time.
    private var copied = OutputPieces(mergingThreshold: .max)

    /// What the editor hands out, if it goes on to the tracks.
    private var edited = ReusableBuffer<UInt8>()

    /// Output in one piece, and how much of it the caller has.
    private var result = ReusableBuffer<UInt8>()
    private var taken = 0

    init(_ configuration: ConfigurationHandle, threshold: Int, longestPiece: Int) {
        let limits = configuration.limits
        master = configuration.tracks.map { MasterRewriter($0, limits: limits) }
        editor = configuration.edits.map { PlaylistEditor($0, limits: limits.lines) }
        hasTracks = configuration.tracks != nil
        hasEdits = configuration.edits != nil
        self.longestPiece = longestPiece
        output = OutputPieces(mergingThreshold: threshold, longestPiece: longestPiece)
    }

    func reset() {
        master?.reset()
        editor?.reset()
        state = .open
        output.removeAll()
        list.removeAll()
        result.removeAll()
        taken = 0
    }

    /// What there is to say of the playlist so far.
    var report: RewriterReport {
        var report = RewriterReport()
        switch master {
        case .some(let master):
            report.verdict = master.verdict
            report.verdictPosition = master.verdictPosition
            report.heldBytes = master.heldBytes
            report.isSettled = master.isSettled
            report.addedBytes = master.addedBytes
            report.noteUneditable(master.uneditableLines, first: master.firstUneditableLine)
            report.exceededLimit = master.exceededLimit
        case .none: break
        }
        switch editor {
        case .some(let editor): report = hasTracks ? report.after(editor.report) : editor.report
        case .none: break
        }
        report.outputLeft = left
        return report
    }

    /// How many bytes of the result the caller has not taken.
    private var left: Int { result.count - taken }

    private func checkOpen() throws(Refusal) {
        guard left == 0 else { throw Refusal(SURTITLE_OUTPUT_LEFT) }
        guard case .open = state else { throw Refusal(SURTITLE_ENDED) }
    }

    // MARK: In pieces

    func write(_ chunk: UnsafeRawBufferPointer, to place: ArrayPlace) throws(Refusal) -> Int32 {
        try checkOpen()
        var status = SURTITLE_OK
        if hasTracks, hasEdits {
            status = unsafe collect(chunk)
            list.fill(result.view, longest: longestPiece)
            taken = result.count
        } else {
            do throws(LimitError) {
                if hasTracks {
                    try unsafe master?.write(chunk, into: &output)
                } else {
                    try unsafe editor?.write(chunk, into: &output)
                }
            } catch {
                status = SURTITLE_LIMIT_EXCEEDED
            }
            unsafe list.fill(output, chunk)
        }
        list.give(to: place)
        return status.code
    }

    func end(_ ending: Ending, to place: ArrayPlace) throws(Refusal) -> Int32 {
        try checkOpen()
        if hasTracks, hasEdits {
            collect(ending)
            list.fill(result.view, longest: longestPiece)
            taken = result.count
        } else {
            state = .ended
            switch (ending, hasTracks) {
            case (.finished, true): master?.finish(into: &output)
            case (.finished, false): editor?.finish(into: &output)
            case (.abandoned, true): master?.abandon(into: &output)
            case (.abandoned, false): editor?.abandon(into: &output)
            }
            unsafe list.fill(output, UnsafeRawBufferPointer(start: nil, count: 0))
        }
        list.give(to: place)
        return SURTITLE_OK.code
    }

    // MARK: Into memory

    func write(_ chunk: UnsafeRawBufferPointer, to place: MemoryPlace) throws(Refusal) -> Int32 {
        try checkOpen()
        var buffer = unsafe OutputBuffer(place.memory)
        let status = unsafe writeAtOnce(chunk, to: &buffer)
        place.count = buffer.count
        if let status { return status.code }
        let failure = unsafe collect(chunk)
        let rest = take(to: place)
        return failure == SURTITLE_OK ? rest : failure.code
    }

    func end(_ ending: Ending, to place: MemoryPlace) throws(Refusal) -> Int32 {
        try checkOpen()
        var buffer = unsafe OutputBuffer(place.memory)
        let isDone = endAtOnce(ending, to: &buffer)
        place.count = buffer.count
        if isDone { return SURTITLE_OK.code }
        collect(ending)
        return take(to: place)
    }

    /// Rewrites a whole playlist, and tells how long the output is, whether it fits or not.
    func rewrite(_ playlist: UnsafeRawBufferPointer, to place: MemoryPlace) -> Int32 {
        reset()
        var buffer = unsafe OutputBuffer(place.memory)
        var status = SURTITLE_OK
        if let atOnce = unsafe writeAtOnce(playlist, to: &buffer) {
            status = atOnce
            let isDone = endAtOnce(.finished, to: &buffer)
            place.count = buffer.count
            if !isDone { append(to: place) { collect(.finished) } }
        } else {
            append(to: place) { status = unsafe collect(playlist) }
            append(to: place) { collect(.finished) }
        }
        return place.count <= place.capacity ? status.code : SURTITLE_TOO_SMALL.code
    }

    /// Copies what is left as far as it fits.
    func take(to place: MemoryPlace) -> Int32 {
        let count = min(left, place.capacity)
        if count > 0 { unsafe place.memory.copyMemory(from: result.view[taken..<(taken + count)].buffer) }
        taken += count
        place.count = count
        return left == 0 ? SURTITLE_OK.code : SURTITLE_MORE_OUTPUT.code
    }

    /// Copies what `collecting` collects behind the bytes that are there, as far as it fits, and counts it all.
    private func append(to place: MemoryPlace, _ collecting: () -> Void) {
        collecting()
        let count = place.count
        let fitting = min(max(0, place.capacity - count), result.count)
        if fitting > 0 {
            unsafe UnsafeMutableRawBufferPointer(rebasing: place.memory[count..<(count + fitting)])
                .copyMemory(from: result.view.prefix(upTo: fitting).buffer)
        }
        place.count = count + result.count
        taken = result.count
    }

    /// Writes the chunk straight to the caller's memory; nil, and nothing is done, if that cannot be or there may not be room.
    @inline(__always)
    private func writeAtOnce(_ chunk: UnsafeRawBufferPointer, to buffer: inout OutputBuffer) -> surtitle_status? {
        guard !hasEdits else { return nil }
        do throws(OutputError<LimitError>) {
            try unsafe master?.write(chunk, into: &buffer)
            return SURTITLE_OK
        } catch {
            if case .failed = error { return SURTITLE_LIMIT_EXCEEDED }
            return nil
        }
    }

    /// Ends the playlist straight to the caller's memory; false, and nothing is lost, if that cannot be or there is not room.
    @inline(__always)
    private func endAtOnce(_ ending: Ending, to buffer: inout OutputBuffer) -> Bool {
        guard !hasEdits else { return false }
        do throws(OutputError<LimitError>) {
            switch ending {
            case .finished: try master?.finish(into: &buffer)
            case .abandoned: try master?.abandon(into: &buffer)
            }
            state = .ended
            return true
        } catch {
            return false
        }
    }

    // MARK: Collecting

    /// Makes the output of the chunk the result.
    private func collect(_ chunk: UnsafeRawBufferPointer) -> surtitle_status {
        result.removeAll()
        taken = 0
        guard hasEdits else { return unsafe sideload(chunk) }
        var status = SURTITLE_OK
        do throws(LimitError) {
            try unsafe editor?.write(chunk, into: &copied)
        } catch {
            status = SURTITLE_LIMIT_EXCEEDED
        }
        let later = passOn()
        return status == SURTITLE_OK ? later : status
    }

    /// Ends the playlist, and makes its rest the result.
    private func collect(_ ending: Ending) {
        result.removeAll()
        taken = 0
        state = .ended
        if hasEdits {
            switch ending {
            case .finished: editor?.finish(into: &copied)
            case .abandoned: editor?.abandon(into: &copied)
            }
            _ = passOn()
        }
        guard hasTracks else { return }
        switch ending {
        case .finished: master?.finish(into: &copied)
        case .abandoned: master?.abandon(into: &copied)
        }
        Self.append(copied, to: &result)
    }

    /// Gives what has been edited to the tracks, or makes it the result if there are none.
    private func passOn() -> surtitle_status {
        guard hasTracks else {
            Self.append(copied, to: &result)
            return SURTITLE_OK
        }
        edited.removeAll()
        Self.append(copied, to: &edited)
        return unsafe sideload(edited.view.buffer)
    }

    private func sideload(_ chunk: UnsafeRawBufferPointer) -> surtitle_status {
        var status = SURTITLE_OK
        do throws(LimitError) {
            try unsafe master?.write(chunk, into: &copied)
        } catch {
            status = SURTITLE_LIMIT_EXCEEDED
        }
        Self.append(copied, to: &result)
        return status
    }

    private static func append(_ pieces: OutputPieces, to buffer: inout ReusableBuffer<UInt8>) {
        for case .own(let bytes) in pieces { buffer.append(unsafe ByteView(bytes)) }
    }
}
