// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import ByteScan
public import CSurtitle

extension OutputPieces {
    fileprivate init(_ options: UnsafePointer<surtitle_rewriter_options>?) throws(Refusal) {
        try unsafe Arguments.check(options)
        let options = unsafe options?.pointee ?? surtitle_rewriter_options()
        let longestPiece = try Arguments.limit(options.longest_piece, or: 32 << 10)
        guard longestPiece >= 64 else { throw Refusal(SURTITLE_INVALID_VALUE) }
        // SIZE_MAX comes as -1, and like every number that no slice reaches it copies all.
        let threshold = options.merging_threshold < 0 ? .max : options.merging_threshold
        self.init(mergingThreshold: threshold == 0 ? 1024 : threshold, longestPiece: longestPiece)
    }
}

@c @implementation
public func surtitle_rewriter_create(
    _ configuration: OpaquePointer!, _ options: UnsafePointer<surtitle_rewriter_options>!,
    _ rewriter: Place<OpaquePointer?>!
) -> Int32 {
    unsafe make(
        rewriter, nil, try unsafe RewriterHandle(configuration.shared(ConfigurationHandle.self), OutputPieces(options)))
}

@c @implementation
public func surtitle_rewriter_write(
    _ rewriter: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ count: Int, _ pieces: StartPlace<surtitle_piece>!,
    _ piece_count: Place<Int>!
) -> Int32 {
    unsafe rewriter.ask(RewriterHandle.self) { rewriter throws(Refusal) in
        try unsafe rewriter.rewrite(to: ArrayPlace(pieces, piece_count), Arguments.bytes(bytes, count))
    }
}

@c @implementation
public func surtitle_rewriter_finish(
    _ rewriter: OpaquePointer!, _ pieces: StartPlace<surtitle_piece>!, _ piece_count: Place<Int>!
) -> Int32 {
    unsafe rewriter.ask(RewriterHandle.self) { rewriter throws(Refusal) in
        try unsafe rewriter.rewrite(to: ArrayPlace(pieces, piece_count), nil)
    }
}

@c @implementation
public func surtitle_rewriter_abandon(
    _ rewriter: OpaquePointer!, _ pieces: StartPlace<surtitle_piece>!, _ piece_count: Place<Int>!
) -> Int32 {
    unsafe rewriter.ask(RewriterHandle.self) { rewriter throws(Refusal) in
        try unsafe rewriter.rewrite(to: ArrayPlace(pieces, piece_count), nil, abandons: true)
    }
}

@c @implementation
public func surtitle_rewriter_write_to(
    _ rewriter: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ count: Int, _ memory: UnsafeMutableRawPointer!,
    _ capacity: Int, _ written: Place<Int>!
) -> Int32 {
    unsafe rewriter.ask(RewriterHandle.self) { rewriter throws(Refusal) in
        try unsafe rewriter.rewrite(to: MemoryPlace(memory, capacity, written), Arguments.bytes(bytes, count))
    }
}

@c @implementation
public func surtitle_rewriter_finish_to(
    _ rewriter: OpaquePointer!, _ memory: UnsafeMutableRawPointer!, _ capacity: Int, _ written: Place<Int>!
) -> Int32 {
    unsafe rewriter.ask(RewriterHandle.self) { rewriter throws(Refusal) in
        try unsafe rewriter.rewrite(to: MemoryPlace(memory, capacity, written), nil)
    }
}

@c @implementation
public func surtitle_rewriter_abandon_to(
    _ rewriter: OpaquePointer!, _ memory: UnsafeMutableRawPointer!, _ capacity: Int, _ written: Place<Int>!
) -> Int32 {
    unsafe rewriter.ask(RewriterHandle.self) { rewriter throws(Refusal) in
        try unsafe rewriter.rewrite(to: MemoryPlace(memory, capacity, written), nil, abandons: true)
    }
}

@c @implementation
public func surtitle_rewriter_take(
    _ rewriter: OpaquePointer!, _ memory: UnsafeMutableRawPointer!, _ capacity: Int, _ written: Place<Int>!
) -> Int32 {
    unsafe rewriter.ask(RewriterHandle.self) { rewriter throws(Refusal) in
        try unsafe rewriter.take(to: MemoryPlace(memory, capacity, written))
    }
}

@c @implementation
public func surtitle_rewriter_whole(
    _ rewriter: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ count: Int, _ memory: UnsafeMutableRawPointer!,
    _ capacity: Int, _ written: Place<Int>!
) -> Int32 {
    unsafe rewriter.ask(RewriterHandle.self) { rewriter throws(Refusal) in
        try unsafe rewriter.rewrite(to: MemoryPlace(memory, capacity, written), whole: Arguments.bytes(bytes, count))
    }
}

@c @implementation
public func surtitle_rewriter_reset(_ rewriter: OpaquePointer!) -> Int32 { unsafe rewriter.reset() }

@c @implementation
public func surtitle_rewriter_report(_ rewriter: OpaquePointer!, _ report: Place<surtitle_report>!) -> Int32 {
    unsafe rewriter.use(RewriterHandle.self) { rewriter throws(Refusal) in
        try unsafe Arguments.sizedPlace(report).fill(rewriter.report)
    }
}

@c @implementation
public func surtitle_rewriter_destroy(_ rewriter: OpaquePointer!) { unsafe rewriter.destroy(RewriterHandle.self) }
