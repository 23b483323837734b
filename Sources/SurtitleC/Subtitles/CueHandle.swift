internal import ByteScan
public import CSurtitle
internal import WebVTT

/// A scanner of cues that a caller of the C interface keeps.
///
/// A cue's bytes are the chunk's, or carried, during the scan alone. So they are copied, one cue after the other, and pointers to them are
/// made when all are there and nothing moves any more.
final class CueHandle: Handle {
    /// A cue, laid out as the C struct is.
    @safe
    private struct CCue {
        var cue: surtitle_cue
    }

    /// Where the parts of a cue are among the copied bytes.
    private struct Place: BitwiseCopyable {
        let start: Int
        let identifierCount: Int
        let settingsCount: Int
        let textCount: Int
        let times: (Int64, Int64)
        let position: Int
    }

    private var scanner: CueScanner
    private var hasEnded = false

    /// How many blocks were longer than the limit.
    private(set) var skipped = 0

    private var bytes = ReusableBuffer<UInt8>()
    private var places = ReusableBuffer<Place>()
    private var cues = GrowingArray<CCue>()

    init(largestBlock: Int) { scanner = CueScanner(limits: CueLimits(largestBlock: largestBlock)) }

    override func reset() {
        scanner.reset()
        hasEnded = false
        skipped = 0
        begin()
    }

    /// Scans `chunk`, or ends the file if that is nil.
    func scan(_ chunk: UnsafeRawBufferPointer?, to place: ArrayPlace) throws(Refusal) -> Int32 {
        if hasEnded { throw Refusal(SURTITLE_ENDED) }
        begin()
        do throws(CueLimitError) {
            if let chunk = unsafe chunk {
                try unsafe scanner.scan(chunk) { note($0) }
            } else {
                hasEnded = true
                try scanner.finish { note($0) }
            }
        } catch {
            // The policy is to skip, so nothing is thrown.
        }
        makeCues()
        cues.give(to: place)
        return scanner.signature == .invalid ? SURTITLE_NOT_WEBVTT.code : SURTITLE_OK.code
    }

    private func begin() {
        bytes.removeAll()
        places.removeAll()
        cues.removeAll()
    }

    private func note(_ event: CueEvent) {
        switch event {
        case .cue(let cue):
            let parts = (cue.identifier.bytes, cue.settingsText.bytes, cue.text.bytes)
            places.append(
                Place(
                    start: bytes.count, identifierCount: parts.0.count, settingsCount: parts.1.count,
                    textCount: parts.2.count, times: (cue.start.milliseconds, cue.end.milliseconds),
                    position: cue.position))
            bytes.append(parts.0)
            bytes.append(parts.1)
            bytes.append(parts.2)
        case .skipped: skipped += 1
        default: break
        }
    }

    private func makeCues() {
        for index in 0..<places.count {
            let place = places[index]
            let settings = place.start + place.identifierCount
            let text = settings + place.settingsCount
            unsafe cues.append(
                CCue(
                    cue: surtitle_cue(
                        start_milliseconds: place.times.0, end_milliseconds: place.times.1,
                        position: UInt64(place.position), identifier: pointer(to: place.start),
                        identifier_count: place.identifierCount, settings: pointer(to: settings),
                        settings_count: place.settingsCount, text: pointer(to: text), text_count: place.textCount)))
        }
    }

    private func pointer(to offset: Int) -> UnsafePointer<UInt8>? {
        unsafe bytes.view.suffix(from: offset).buffer.baseAddress?.assumingMemoryBound(to: UInt8.self)
    }
}

/// `surtitle_cue_scanner_create` of surtitle.h.
@c @implementation
public func surtitle_cue_scanner_create(
    _ largest_block: Int, _ scanner: UnsafeMutablePointer<OpaquePointer?>!
) -> Int32 {
    unsafe make(scanner) { () throws(Refusal) in
        let limit = try Arguments.limit(largest_block, or: CueLimits().largestBlock)
        guard limit <= 1 << 30 else { throw Refusal(SURTITLE_INVALID_VALUE) }
        return CueHandle(largestBlock: limit)
    }
}

/// `surtitle_cue_scanner_write` of surtitle.h.
@c @implementation
public func surtitle_cue_scanner_write(
    _ scanner: OpaquePointer!, _ bytes: UnsafePointer<UInt8>!, _ count: Int,
    _ cues: UnsafeMutablePointer<UnsafePointer<surtitle_cue>?>!, _ cue_count: UnsafeMutablePointer<Int>!
) -> Int32 {
    unsafe scanner.use(CueHandle.self) { scanner throws(Refusal) in
        let place = try unsafe ArrayPlace(cues, cue_count)
        return try unsafe scanner.scan(Arguments.bytes(bytes, count), to: place)
    }
}

/// `surtitle_cue_scanner_finish` of surtitle.h.
@c @implementation
public func surtitle_cue_scanner_finish(
    _ scanner: OpaquePointer!, _ cues: UnsafeMutablePointer<UnsafePointer<surtitle_cue>?>!,
    _ cue_count: UnsafeMutablePointer<Int>!
) -> Int32 {
    unsafe scanner.use(CueHandle.self) { scanner throws(Refusal) in
        try unsafe scanner.scan(nil, to: ArrayPlace(cues, cue_count))
    }
}

/// `surtitle_cue_scanner_skipped` of surtitle.h.
@c @implementation
public func surtitle_cue_scanner_skipped(_ scanner: OpaquePointer!, _ skipped: UnsafeMutablePointer<UInt64>!) -> Int32 {
    unsafe scanner.use(CueHandle.self) { scanner throws(Refusal) in
        let place = try unsafe Arguments.place(skipped)
        unsafe place.pointee = UInt64(scanner.skipped)
        return SURTITLE_OK.code
    }
}

/// `surtitle_cue_scanner_reset` of surtitle.h.
@c @implementation
public func surtitle_cue_scanner_reset(_ scanner: OpaquePointer!) -> Int32 { unsafe scanner.reset() }

/// `surtitle_cue_scanner_destroy` of surtitle.h.
@c @implementation
public func surtitle_cue_scanner_destroy(_ scanner: OpaquePointer!) { unsafe scanner.destroy(CueHandle.self) }
