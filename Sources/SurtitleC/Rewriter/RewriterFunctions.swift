public import CSurtitle
internal import Sideload

/// `surtitle_rewriter_create` of surtitle.h.
@c @implementation
public func surtitle_rewriter_create(
    _ configuration: OpaquePointer!, _ options: UnsafePointer<surtitle_rewriter_options>!,
    _ rewriter: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
    unsafe make(rewriter) { () throws(Refusal) in
        let configuration = try unsafe configuration.shared(ConfigurationHandle.self)
        var (threshold, longestPiece) = (1024, 32 << 10)
        try unsafe Arguments.check(options)
        if let options = unsafe options?.pointee {
            // SIZE_MAX comes as -1, and like every number that no slice reaches it copies all.
            if options.merging_threshold != 0 {
                threshold = options.merging_threshold < 0 ? .max : options.merging_threshold
            }
            longestPiece = try Arguments.limit(options.longest_piece, or: longestPiece)
            guard longestPiece >= 64 else { throw Refusal(SURTITLE_INVALID_VALUE) }
        }
        return RewriterHandle(configuration, threshold: threshold, longestPiece: longestPiece)
    }
}

/// `surtitle_rewriter_write` of surtitle.h.
@c @implementation
public func surtitle_rewriter_write(
    _ rewriter: OpaquePointer!, _ bytes: UnsafePointer<UInt8>!, _ count: Int,
    _ pieces: UnsafeMutablePointer<UnsafePointer<surtitle_piece>?>!, _ piece_count: UnsafeMutablePointer<Int>!
) -> Int32 {
    unsafe rewriter.ask(RewriterHandle.self) { rewriter throws(Refusal) in
        let place = try unsafe ArrayPlace(pieces, piece_count)
        return try unsafe rewriter.rewrite(.chunk(Arguments.bytes(bytes, count)), to: place)
    }
}

/// `surtitle_rewriter_finish` of surtitle.h.
@c @implementation
public func surtitle_rewriter_finish(
    _ rewriter: OpaquePointer!, _ pieces: UnsafeMutablePointer<UnsafePointer<surtitle_piece>?>!,
    _ piece_count: UnsafeMutablePointer<Int>!
) -> Int32 {
    unsafe rewriter.ask(RewriterHandle.self) { rewriter throws(Refusal) in
        try unsafe rewriter.rewrite(.finished, to: ArrayPlace(pieces, piece_count))
    }
}

/// `surtitle_rewriter_abandon` of surtitle.h.
@c @implementation
public func surtitle_rewriter_abandon(
    _ rewriter: OpaquePointer!, _ pieces: UnsafeMutablePointer<UnsafePointer<surtitle_piece>?>!,
    _ piece_count: UnsafeMutablePointer<Int>!
) -> Int32 {
    unsafe rewriter.ask(RewriterHandle.self) { rewriter throws(Refusal) in
        try unsafe rewriter.rewrite(.abandoned, to: ArrayPlace(pieces, piece_count))
    }
}

/// `surtitle_rewriter_write_to` of surtitle.h.
@c @implementation
public func surtitle_rewriter_write_to(
    _ rewriter: OpaquePointer!, _ bytes: UnsafePointer<UInt8>!, _ count: Int, _ memory: UnsafeMutablePointer<UInt8>!,
    _ capacity: Int, _ written: UnsafeMutablePointer<Int>!
) -> Int32 {
    unsafe rewriter.ask(RewriterHandle.self) { rewriter throws(Refusal) in
        let place = try unsafe MemoryPlace(memory, capacity, written)
        return try unsafe rewriter.rewrite(.chunk(Arguments.bytes(bytes, count)), to: place)
    }
}

/// `surtitle_rewriter_finish_to` of surtitle.h.
@c @implementation
public func surtitle_rewriter_finish_to(
    _ rewriter: OpaquePointer!, _ memory: UnsafeMutablePointer<UInt8>!, _ capacity: Int,
    _ written: UnsafeMutablePointer<Int>!
) -> Int32 {
    unsafe rewriter.ask(RewriterHandle.self) { rewriter throws(Refusal) in
        try unsafe rewriter.rewrite(.finished, to: MemoryPlace(memory, capacity, written))
    }
}

/// `surtitle_rewriter_abandon_to` of surtitle.h.
@c @implementation
public func surtitle_rewriter_abandon_to(
    _ rewriter: OpaquePointer!, _ memory: UnsafeMutablePointer<UInt8>!, _ capacity: Int,
    _ written: UnsafeMutablePointer<Int>!
) -> Int32 {
    unsafe rewriter.ask(RewriterHandle.self) { rewriter throws(Refusal) in
        try unsafe rewriter.rewrite(.abandoned, to: MemoryPlace(memory, capacity, written))
    }
}

/// `surtitle_rewriter_take` of surtitle.h.
@c @implementation
public func surtitle_rewriter_take(
    _ rewriter: OpaquePointer!, _ memory: UnsafeMutablePointer<UInt8>!, _ capacity: Int,
    _ written: UnsafeMutablePointer<Int>!
) -> Int32 {
    unsafe rewriter.ask(RewriterHandle.self) { rewriter throws(Refusal) in
        try unsafe rewriter.take(to: MemoryPlace(memory, capacity, written))
    }
}

/// `surtitle_rewriter_whole` of surtitle.h.
@c @implementation
public func surtitle_rewriter_whole(
    _ rewriter: OpaquePointer!, _ bytes: UnsafePointer<UInt8>!, _ count: Int, _ memory: UnsafeMutablePointer<UInt8>!,
    _ capacity: Int, _ written: UnsafeMutablePointer<Int>!
) -> Int32 {
    unsafe rewriter.ask(RewriterHandle.self) { rewriter throws(Refusal) in
        let place = try unsafe MemoryPlace(memory, capacity, written)
        return try unsafe rewriter.rewrite(whole: Arguments.bytes(bytes, count), to: place)
    }
}

/// `surtitle_rewriter_reset` of surtitle.h.
@c @implementation
public func surtitle_rewriter_reset(_ rewriter: OpaquePointer!) -> Int32 { unsafe rewriter.reset() }

/// `surtitle_rewriter_report` of surtitle.h.
@c @implementation
public func surtitle_rewriter_report(_ rewriter: OpaquePointer!, _ report: UnsafeMutablePointer<surtitle_report>!)
    -> Int32
{
    unsafe rewriter.use(RewriterHandle.self) { rewriter throws(Refusal) in
        try unsafe rewriter.fill(&Arguments.sizedPlace(report).pointee)
    }
}

/// `surtitle_rewriter_destroy` of surtitle.h.
@c @implementation
public func surtitle_rewriter_destroy(_ rewriter: OpaquePointer!) { unsafe rewriter.destroy(RewriterHandle.self) }
