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

    var master: MasterRewriter?
    private var editor: PlaylistEditor?

    /// Which of the two there are.
    private let hasTracks: Bool
    let hasEdits: Bool
    private let longestPiece: Int

    var state = State.open

    /// The pieces of a call, and the same as the caller gets them.
    private var output: OutputPieces
    private var list = PieceList()

    /// Output that is copied, of a part of the way. A closure for each part would make the compiler copy the core each time.
    private var copied = OutputPieces(mergingThreshold: .max)

    /// What the editor hands out, if it goes on to the tracks.
    private var edited = ReusableBuffer<UInt8>()

    /// Output in one piece, and how much of it the caller has.
    var result = ReusableBuffer<UInt8>()
    var taken = 0

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
    var left: Int { result.count - taken }

    func checkOpen() throws(Refusal) {
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

    // MARK: Collecting

    /// Makes the output of the chunk the result.
    func collect(_ chunk: UnsafeRawBufferPointer) -> surtitle_status {
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
    func collect(_ ending: Ending) {
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
