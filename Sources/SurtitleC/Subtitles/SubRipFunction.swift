public import CSurtitle
internal import WebVTT

/// The WebVTT that a SubRip file becomes, as far as the caller's memory holds it.
private struct TranscodedFile {
    /// How many bytes it has, whether they fit or not.
    private(set) var byteCount = 0

    init(_ file: UnsafeRawBufferPointer, to memory: UnsafeMutableRawBufferPointer) throws(Refusal) {
        var transcoder = SubRipTranscoder()
        var count = 0
        func append(_ bytes: UnsafeRawBufferPointer) {
            if bytes.count <= memory.count - min(count, memory.count) {
                unsafe UnsafeMutableRawBufferPointer(rebasing: memory[count...]).copyMemory(from: bytes)
            }
            count += bytes.count
        }
        do throws(SubRipError) {
            try unsafe transcoder.write(file) { unsafe append($0) }
            try unsafe transcoder.finish { unsafe append($0) }
        } catch {
            throw Refusal(SURTITLE_INVALID_UTF8, error.reason.message, at: error.position)
        }
        byteCount = count
    }
}

/// `surtitle_subrip_to_webvtt` of surtitle.h.
@c @implementation
public func surtitle_subrip_to_webvtt(
    _ bytes: UnsafePointer<UInt8>!, _ count: Int, _ memory: UnsafeMutablePointer<UInt8>!, _ capacity: Int,
    _ written: UnsafeMutablePointer<Int>!, _ error: UnsafeMutablePointer<surtitle_error>!
) -> Int32 {
    unsafe status(error) { () throws(Refusal) in
        let place = try unsafe MemoryPlace(memory, capacity, written)
        place.count = try unsafe TranscodedFile(Arguments.bytes(bytes, count), to: place.memory).byteCount
        return place.count <= place.capacity ? SURTITLE_OK.code : SURTITLE_TOO_SMALL.code
    }
}
