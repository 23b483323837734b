public import ByteScan

// Output in few pieces, to be sent after the call.
extension TimestampMapRewriter: StreamRewriter {
    /// What writing throws: nothing.
    public typealias Failure = Never

    /// Rewrites the next chunk, of any size, and collects what is decided in `output`, in place of what is there.
    ///
    /// - Complexity: O(1) after the header.
    public mutating func write(_ chunk: UnsafeRawBufferPointer, into output: inout OutputPieces) {
        var pieces = output.begin()
        unsafe write(chunk) { pieces.append($0) }
        pieces.end()
    }
}

// Output straight into memory of the caller's.
extension TimestampMapRewriter {
    /// Rewrites the next chunk, of any size, and copies what is decided to `output`.
    ///
    /// - Throws: ``OutputError/tooSmall(needed:available:)``, before anything is taken, if there is less room than
    ///   ``outputBound(forChunkOf:)`` says.
    public mutating func write(
        _ chunk: UnsafeRawBufferPointer, into output: inout OutputBuffer
    ) throws(OutputError<Never>) {
        try output.require(outputBound(forChunkOf: chunk.count), or: Never.self)
        var pieces = output.begin()
        unsafe write(chunk) { pieces.append($0) }
        output.end(pieces)
    }

    /// Ends the file, and with it a line that has not ended, and copies the rest to `output`.
    ///
    /// - Throws: ``OutputError/tooSmall(needed:available:)``, before anything is done, if there is less room than the rest may need.
    public mutating func finish(into output: inout OutputBuffer) throws(OutputError<Never>) {
        try output.require(outputBound(forChunkOf: 0), or: Never.self)
        var pieces = output.begin()
        finish { pieces.append($0) }
        output.end(pieces)
    }

    /// The most bytes that the next chunk can become, if it has `count` bytes; what is carried counts too.
    public func outputBound(forChunkOf count: Int) -> Int {
        // The map, and a terminator before it and after it.
        if case .signatureLine = document.state { heldBytes + count + map.view.count + 4 } else { heldBytes + count }
    }
}

// What is held, and what is still to come.
extension TimestampMapRewriter {
    /// How many bytes are carried, which have been written and not been handed out.
    public var heldBytes: Int { carry.view.count }

    /// Whether all that is still to come passes through unchanged, as everything after the header does: a proxy can step aside.
    public var isSettled: Bool {
        if case .passingThrough = document.state { heldBytes == 0 } else { false }
    }

    /// Breaks the file off, because its source has: hands out what is carried, unedited. What is written after this passes through.
    public mutating func abandon(_ body: Sink) {
        if heldBytes > 0 { body(OutputSlice(library: carry.view)) }
        carry.removeAll()
        document.state = .passingThrough
    }
}

extension TimestampMap {
    /// A number that is another if what a rewriter puts into files is: for ETag and cache keys.
    ///
    /// The same in every run and on every machine.
    public var fingerprint: UInt64 {
        var fingerprint = Fingerprint(of: "map", version: Self.outputVersion)
        add(to: &fingerprint)
        return fingerprint.value
    }

    /// A number that goes up whenever the same map makes something else of some file.
    package static var outputVersion: Int { 1 }

    /// Adds the map to `fingerprint`.
    func add(to fingerprint: inout Fingerprint) {
        fingerprint.add(mpegTS)
        fingerprint.add(UInt64(bitPattern: local.milliseconds))
    }
}
