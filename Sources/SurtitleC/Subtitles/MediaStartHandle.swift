internal import CSurtitle
internal import Sideload

/// A scanner of media segments that a caller of the C interface keeps.
final class MediaStartHandle: Handle {
    private var scanner = MediaStartScanner()

    override func reset() { scanner.reset() }

    /// Reads `chunk`, or ends the segment if that is nil.
    fileprivate func scan(_ ticks: inout UInt64, _ chunk: UnsafeRawBufferPointer?) -> surtitle_status {
        switch unsafe chunk.map({ unsafe scanner.write($0) }) ?? scanner.finish() {
        case .found(let start):
            ticks = start
            return SURTITLE_OK
        case .needsMoreBytes: return SURTITLE_NEEDS_MORE
        case .unsupported(.notMedia): return SURTITLE_NOT_MEDIA
        case .unsupported(.encrypted): return SURTITLE_ENCRYPTED
        case .unsupported(.tooLong): return SURTITLE_MEDIA_TOO_LONG
        case .unsupported(.noInitSegment): return SURTITLE_NO_INIT_SEGMENT
        case .unsupported(.malformed): return SURTITLE_MALFORMED_MEDIA
        case .unsupported(.tooManyStreams): return SURTITLE_TOO_MANY_STREAMS
        case .unsupported(.unsynchronisedTag): return SURTITLE_UNSYNCHRONISED_TAG
        case .unsupported: return SURTITLE_NO_TIMESTAMP
        }
    }
}

/// `surtitle_media_scanner_create` of surtitle.h.
@c @implementation
public func surtitle_media_scanner_create(_ scanner: UnsafeMutablePointer<OpaquePointer?>!) -> Int32 {
    unsafe make(scanner, nil, MediaStartHandle())
}

/// `surtitle_media_scanner_write` of surtitle.h.
@c @implementation
public func surtitle_media_scanner_write(
    _ scanner: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ count: Int, _ mpegts: UnsafeMutablePointer<UInt64>!
) -> Int32 {
    unsafe scanner.ask(MediaStartHandle.self) { scanner throws(Refusal) in
        try unsafe scanner.scan(&Arguments.required(mpegts).pointee, Arguments.bytes(bytes, count))
    }
}

/// `surtitle_media_scanner_finish` of surtitle.h.
@c @implementation
public func surtitle_media_scanner_finish(_ scanner: OpaquePointer!, _ mpegts: UnsafeMutablePointer<UInt64>!) -> Int32 {
    unsafe scanner.ask(MediaStartHandle.self) { scanner throws(Refusal) in
        try unsafe scanner.scan(&Arguments.required(mpegts).pointee, nil)
    }
}

/// `surtitle_media_scanner_reset` of surtitle.h.
@c @implementation
public func surtitle_media_scanner_reset(_ scanner: OpaquePointer!) -> Int32 { unsafe scanner.reset() }

/// `surtitle_media_scanner_destroy` of surtitle.h.
@c @implementation
public func surtitle_media_scanner_destroy(_ scanner: OpaquePointer!) { unsafe scanner.destroy(MediaStartHandle.self) }
