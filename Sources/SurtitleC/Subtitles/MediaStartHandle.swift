internal import CSurtitle
internal import Sideload

/// A scanner of media segments that a caller of the C interface keeps.
final class MediaStartHandle: Handle {
    private var scanner = MediaStartScanner()

    override func reset() { scanner.reset() }

    /// Reads `chunk`, or ends the segment if that is nil.
    func scan(_ chunk: UnsafeRawBufferPointer?, _ ticks: inout UInt64) -> Int32 {
        let answer =
            if let chunk = unsafe chunk { unsafe scanner.write(chunk) } else { scanner.finish() }
        switch answer {
        case .found(let start):
            ticks = start
            return SURTITLE_OK.code
        case .needsMoreBytes: return SURTITLE_NEEDS_MORE.code
        case .unsupported(let error): return Self.status(of: error).code
        }
    }

    private static func status(of error: MediaStartError) -> surtitle_status {
        switch error {
        case .notMedia: SURTITLE_NOT_MEDIA
        case .encrypted: SURTITLE_ENCRYPTED
        case .tooLong: SURTITLE_MEDIA_TOO_LONG
        case .noInitSegment: SURTITLE_NO_INIT_SEGMENT
        case .malformed: SURTITLE_MALFORMED_MEDIA
        case .tooManyStreams: SURTITLE_TOO_MANY_STREAMS
        case .unsynchronisedTag: SURTITLE_UNSYNCHRONISED_TAG
        default: SURTITLE_NO_TIMESTAMP
        }
    }
}

/// `surtitle_media_scanner_create` of surtitle.h.
@c @implementation
public func surtitle_media_scanner_create(_ scanner: UnsafeMutablePointer<OpaquePointer?>!) -> Int32 {
    unsafe make(scanner) { () throws(Refusal) in MediaStartHandle() }
}

/// `surtitle_media_scanner_write` of surtitle.h.
@c @implementation
public func surtitle_media_scanner_write(
    _ scanner: OpaquePointer!, _ bytes: UnsafePointer<UInt8>!, _ count: Int, _ mpegts: UnsafeMutablePointer<UInt64>!
) -> Int32 {
    unsafe scanner.use(MediaStartHandle.self) { scanner throws(Refusal) in
        let place = try unsafe Arguments.place(mpegts)
        return try unsafe scanner.scan(Arguments.bytes(bytes, count), &place.pointee)
    }
}

/// `surtitle_media_scanner_finish` of surtitle.h.
@c @implementation
public func surtitle_media_scanner_finish(_ scanner: OpaquePointer!, _ mpegts: UnsafeMutablePointer<UInt64>!) -> Int32 {
    unsafe scanner.use(MediaStartHandle.self) { scanner throws(Refusal) in
        let place = try unsafe Arguments.place(mpegts)
        return unsafe scanner.scan(nil, &place.pointee)
    }
}

/// `surtitle_media_scanner_reset` of surtitle.h.
@c @implementation
public func surtitle_media_scanner_reset(_ scanner: OpaquePointer!) -> Int32 { unsafe scanner.reset() }

/// `surtitle_media_scanner_destroy` of surtitle.h.
@c @implementation
public func surtitle_media_scanner_destroy(_ scanner: OpaquePointer!) { unsafe scanner.destroy(MediaStartHandle.self) }
