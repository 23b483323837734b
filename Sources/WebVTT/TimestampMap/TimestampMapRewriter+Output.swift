public import ByteScan

// The forms of output besides the closure follow from that.
extension TimestampMapRewriter: StreamRewriter {
    /// What writing throws: nothing.
    public typealias Failure = Never

    /// The most bytes that the next chunk can become, if it has `count` bytes; what is carried counts too.
    public func outputBound(forChunkOf count: Int) -> Int {
        // The map, and a terminator before it and after it.
        if case .signatureLine = document.state { heldBytes + count + map.view.count + 4 } else { heldBytes + count }
    }

    /// How many bytes are carried, which have been written and not been handed out.
    public var heldBytes: Int { carry.view.count }

    /// Whether all that is still to come passes through unchanged, as everything after the header does: a proxy can
    /// step aside.
    public var isSettled: Bool { if case .passingThrough = document.state { heldBytes == 0 } else { false } }

    /// Breaks the file off, because its source has. Hands out the bytes that it has kept, as they came. What is written
    /// after this passes through.
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
