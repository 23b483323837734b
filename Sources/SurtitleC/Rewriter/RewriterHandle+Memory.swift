internal import ByteScan
internal import CSurtitle
internal import M3U8
internal import Sideload

// Into the caller's memory: where tracks are all there is, and the bound says that there is room, straight from the chunk. Else it is
// collected in `result`, and copied from there as far as it fits; what is left is taken later.
extension RewriterHandle {
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
        do throws(OutputError<LimitError>) {
            try unsafe pipeline.write(chunk, into: &buffer)
            return SURTITLE_OK
        } catch {
            if case .failed = error { return SURTITLE_LIMIT_EXCEEDED }
            return nil
        }
    }

    /// Ends the playlist straight to the caller's memory; false, and nothing is lost, if that cannot be or there is not room.
    @inline(__always)
    private func endAtOnce(_ ending: Ending, to buffer: inout OutputBuffer) -> Bool {
        do throws(OutputError<LimitError>) {
            switch ending {
            case .finished: try pipeline.finish(into: &buffer)
            case .abandoned: try pipeline.abandon(into: &buffer)
            }
            state = .ended
            return true
        } catch {
            return false
        }
    }
}
