public import ByteScan

// The forms of output besides the closure follow from that.
extension CueShifter: StreamRewriter {
    /// What writing throws.
    public typealias Failure = CueShiftError

    /// The most bytes that the next chunk can become, if it has `count` bytes; what is carried counts too.
    public func outputBound(forChunkOf count: Int) -> Int {
        let source = heldBytes + count
        if case .passingThrough = document.state { return source }
        // Of 9 bytes, `MM:SS.mmm`, a time becomes 23 at most, with hours of 13 digits.
        return shift == 0 ? source : source + source / 9 * 14
    }

    /// How many bytes are carried, which have been written and not been handed out.
    public var heldBytes: Int { carry.view.count }

    /// Whether all that is still to come passes through unchanged: the shift is 0, or the file has no signature.
    public var isSettled: Bool { if case .passingThrough = document.state { heldBytes == 0 } else { false } }

    /// Breaks the file off, because its source has. Hands out the bytes that it has kept, as they came. What is written
    /// after this passes through.
    ///
    /// After an error nothing is handed out, and further calls throw it.
    public mutating func abandon(_ body: Sink) {
        if case .failed = document.state { return }
        if heldBytes > 0 { body(OutputSlice(library: carry.view)) }
        carry.removeAll()
        document.lineStart = 0
        document.state = .passingThrough
    }

    /// A number that is another if what becomes of files may be: for ETag and cache keys.
    ///
    /// The same in every run and on every machine.
    public var fingerprint: UInt64 {
        var fingerprint = Fingerprint(of: "shift", version: Self.outputVersion)
        fingerprint.add(UInt64(bitPattern: shift))
        fingerprint.add(longestLine)
        return fingerprint.value
    }

    /// A number that goes up whenever the same shift makes something else of some file.
    package static var outputVersion: Int { 1 }
}
