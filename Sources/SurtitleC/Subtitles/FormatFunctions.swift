// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import ByteScan
public import CSurtitle
internal import WebVTT

@c @implementation
public func surtitle_format_of(_ name: UnsafeRawPointer!, _ count: Int, _ format: Place<Int32>!) -> Int32 {
    status(nil) { () throws(Refusal) in
        let place = try unsafe Arguments.required(format)
        let name = unsafe ByteView(try Arguments.bytes(name, count))
        let suffix = Array(name.suffix(from: (Array(name).lastIndex(of: ASCII.period) ?? -1) + 1))
        guard let found = SubtitleFormat(mediaType: name) ?? suffix.withView({ SubtitleFormat(suffix: $0) }) else {
            return SURTITLE_NOT_FOUND
        }
        unsafe place.pointee = Int32(found.rawValue)
        return SURTITLE_OK
    }
}

@c @implementation
public func surtitle_to_webvtt(
    _ format: Int32, _ bytes: UnsafeRawPointer!, _ count: Int, _ memory: UnsafeMutableRawPointer!, _ capacity: Int,
    _ written: Place<Int>!, _ error: Place<surtitle_error>!
) -> Int32 {
    unsafe status(error) { () throws(Refusal) in
        let place = try unsafe MemoryPlace(memory, capacity, written)
        let file = unsafe ByteView(try Arguments.bytes(bytes, count))
        let format = try SubtitleFormat(number: format, of: file)
        var needed = 0
        func append(_ bytes: ByteView) {
            place.append(bytes)
            needed += bytes.count
        }
        var reader = FormatReader()
        do throws(TranscodingError) {
            try reader.write(file, format.told, append)
            try reader.finish(format.told, append)
        } catch {
            place.count = 0
            throw Refusal(SURTITLE_INVALID_UTF8, error.reason.message, at: error.position)
        }
        if reader.form == .neither {
            place.count = 0
            throw Refusal(SURTITLE_NOT_WEBVTT)
        }
        place.count = needed
        return place.status
    }
}

extension SubtitleFormat {
    /// How much of a file is looked at for what it looks like.
    private static var decidingByteCount: Int { 256 }

    /// The format of this `number`, or what `file` looks like if that says so.
    fileprivate init(number: Int32, of file: ByteView) throws(Refusal) {
        if number == SURTITLE_FORMAT_UNKNOWN.rawValue {
            self = SubtitleFormat(head: file.prefix(upTo: min(file.count, Self.decidingByteCount))) ?? .webVTT
        } else if let format = UInt8(exactly: number).flatMap({ SubtitleFormat(rawValue: $0) }), format != .playlist {
            self = format
        } else {
            throw Refusal(SURTITLE_INVALID_VALUE)
        }
    }
}
