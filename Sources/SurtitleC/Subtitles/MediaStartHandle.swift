// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

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
        // They are numbered in the order of surtitle.h.
        case .unsupported(let error): return surtitle_status(SURTITLE_NOT_MEDIA.rawValue + numericCast(error.rawValue))
        }
    }
}

@c @implementation
public func surtitle_media_scanner_create(_ scanner: Place<OpaquePointer?>!) -> Int32 {
    unsafe make(scanner, nil, MediaStartHandle())
}

@c @implementation
public func surtitle_media_scanner_write(
    _ scanner: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ count: Int, _ mpegts: Place<UInt64>!
) -> Int32 {
    unsafe scanner.ask(MediaStartHandle.self) { scanner throws(Refusal) in
        try unsafe scanner.scan(&Arguments.required(mpegts).pointee, Arguments.bytes(bytes, count))
    }
}

@c @implementation
public func surtitle_media_scanner_finish(_ scanner: OpaquePointer!, _ mpegts: Place<UInt64>!) -> Int32 {
    unsafe scanner.ask(MediaStartHandle.self) { scanner throws(Refusal) in
        try unsafe scanner.scan(&Arguments.required(mpegts).pointee, nil)
    }
}

@c @implementation
public func surtitle_media_scanner_reset(_ scanner: OpaquePointer!) -> Int32 { unsafe scanner.reset() }

@c @implementation
public func surtitle_media_scanner_destroy(_ scanner: OpaquePointer!) { unsafe scanner.destroy(MediaStartHandle.self) }
