internal import ByteScan
public import CSurtitle
internal import WebVTT

/// `surtitle_subrip_to_webvtt` of surtitle.h.
@c @implementation
public func surtitle_subrip_to_webvtt(
    _ bytes: UnsafeRawPointer!, _ count: Int, _ memory: UnsafeMutableRawPointer!, _ capacity: Int,
    _ written: UnsafeMutablePointer<Int>!, _ error: UnsafeMutablePointer<surtitle_error>!
) -> Int32 {
    unsafe status(error) { () throws(Refusal) in
        let place = try unsafe MemoryPlace(memory, capacity, written)
        let file = try unsafe Arguments.bytes(bytes, count)
        var needed = 0
        func append(_ bytes: UnsafeRawBufferPointer) {
            unsafe place.append(ByteView(bytes))
            needed += bytes.count
        }
        var transcoder = SubRipTranscoder()
        do throws(SubRipError) {
            try unsafe transcoder.write(file) { unsafe append($0) }
            try unsafe transcoder.finish { unsafe append($0) }
        } catch {
            place.count = 0
            throw Refusal(SURTITLE_INVALID_UTF8, error.reason.message, at: error.position)
        }
        place.count = needed
        return place.status
    }
}
