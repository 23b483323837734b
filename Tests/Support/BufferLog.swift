import ByteScan

/// Collects a rewriter's output in memory of the caller's, and reports calls that do not keep to it.
///
/// Each call is first given no room at all, and then exactly as much as it has said that it needs, before a page that cannot be written.
public struct BufferLog {
    /// The output so far.
    public private(set) var bytes: [UInt8] = []
    /// What was wrong, in words.
    public private(set) var faults: [String] = []

    /// An empty log.
    public init() {}

    /// Writes `text` cut as `split` by `write`, each chunk next to a page that cannot be read, and then calls `finish`.
    ///
    /// Returns the error that was thrown, which may not happen twice.
    @discardableResult
    public mutating func collect<Failure: Error>(
        _ text: [UInt8], _ split: [Range<Int>], in window: GuardedWindow, isLeading: Bool,
        write: (UnsafeRawBufferPointer, inout OutputBuffer) throws(OutputError<Failure>) -> Void,
        finish: (inout OutputBuffer) throws(OutputError<Failure>) -> Void
    ) -> Failure? {
        var failure: Failure?
        for range in split {
            window.with(text[range], isLeading: isLeading) { chunk in
                let error = call { output throws(OutputError<Failure>) in try write(chunk, &output) }
                if error != nil, failure != nil { faults.append("thrown twice") }
                failure = failure ?? error
            }
        }
        failure = call(finish) ?? failure
        return failure
    }

    private mutating func call<Failure: Error>(
        _ body: (inout OutputBuffer) throws(OutputError<Failure>) -> Void
    ) -> Failure? {
        var output = OutputBuffer(UnsafeMutableRawBufferPointer(start: nil, count: 0))
        do throws(OutputError<Failure>) {
            try body(&output)
            return nil
        } catch {
            guard case .tooSmall(let needed, let available) = error else { return failed(error) }
            if needed <= available || output.count > 0 { faults.append("too small: \(needed) of \(available)") }
            return call(body, with: needed)
        }
    }

    private mutating func call<Failure: Error>(
        _ body: (inout OutputBuffer) throws(OutputError<Failure>) -> Void, with needed: Int
    ) -> Failure? {
        let memory = WritableMemory(count: needed)
        var output = OutputBuffer(memory.buffer)
        var failure: Failure?
        do throws(OutputError<Failure>) {
            try body(&output)
        } catch {
            if case .tooSmall = error { faults.append("\(needed) bytes were not enough after all") }
            failure = failed(error)
        }
        bytes += output.bytes
        return failure
    }

    private func failed<Failure: Error>(_ error: OutputError<Failure>) -> Failure? {
        if case .failed(let failure) = error { failure } else { nil }
    }
}
