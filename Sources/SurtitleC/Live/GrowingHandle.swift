// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import ByteScan
public import CSurtitle
internal import Delivery

/// Cues that come, which a caller of the C interface keeps.
final class GrowingHandle: Handle {
    fileprivate var cues: GrowingCues
    fileprivate var list = PieceList(OutputPieces())

    init(_ configuration: GrowingConfiguration) { cues = GrowingCues(configuration) }

    override func reset() { cues.reset() }
}

extension GrowingConfiguration {
    fileprivate init(_ settings: UnsafePointer<surtitle_growing_settings>?) throws(Refusal) {
        let settings = try unsafe Arguments.sized(settings)
        guard let name = try unsafe Arguments.name(settings.name) else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        guard let format = unsafe UInt8(exactly: settings.format).flatMap(Format.init(rawValue:)),
            let late = unsafe UInt8(exactly: settings.late).flatMap(Late.init(rawValue:)),
            unsafe 0...(1 << 40) ~= settings.latency_milliseconds
        else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let hasLatency = try unsafe Arguments.truth(settings.has_latency)
        let isInMilliseconds = try unsafe Arguments.truth(settings.is_in_milliseconds)
        let standard = GrowingLimits()
        let limits = try unsafe GrowingLimits(
            block: Arguments.limit(settings.longest_block, or: standard.block),
            kept: Arguments.limit(settings.most_kept, or: standard.kept))
        unsafe self.init(
            name: name, firstNumber: max(settings.first_number, 1), format: format,
            jsonUnit: isInMilliseconds ? .milliseconds : .seconds, late: late,
            latency: hasLatency ? settings.latency_milliseconds : nil, limits: limits)
    }
}

@c @implementation
public func surtitle_growing_create(
    _ settings: UnsafePointer<surtitle_growing_settings>!, _ growing: Place<OpaquePointer?>!
) -> Int32 {
    unsafe make(growing, nil, try unsafe GrowingHandle(GrowingConfiguration(settings)))
}

@c @implementation
public func surtitle_growing_append(
    _ growing: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ count: Int, _ error: Place<surtitle_error>!
) -> Int32 {
    unsafe growing.use(GrowingHandle.self, error) { growing throws(Refusal) in
        let bytes = try unsafe ByteView(Arguments.bytes(bytes, count))
        try refusing(try growing.cues.append(bytes)) { Refusal(growing: $0) }
    }
}

@c @implementation
public func surtitle_growing_finish(_ growing: OpaquePointer!, _ error: Place<surtitle_error>!) -> Int32 {
    unsafe growing.use(GrowingHandle.self, error) { growing throws(Refusal) in
        try refusing(try growing.cues.finish()) { Refusal(growing: $0) }
    }
}

@c @implementation
public func surtitle_growing_abandon(_ growing: OpaquePointer!) -> Int32 {
    unsafe growing.use(GrowingHandle.self) { growing throws(Refusal) in growing.cues.abandon() }
}

@c @implementation
public func surtitle_growing_seal(_ growing: OpaquePointer!, _ channel: OpaquePointer!) -> Int32 {
    unsafe growing.ask(GrowingHandle.self) { growing throws(Refusal) in
        let code = unsafe channel.use(ChannelHandle.self) { channel throws(Refusal) in
            growing.cues.seal(channel.channel)
        }
        return surtitle_status(rawValue: surtitle_status.RawValue(truncatingIfNeeded: code))
    }
}

@c @implementation
public func surtitle_growing_write(
    _ growing: OpaquePointer!, _ span: UnsafePointer<surtitle_live_span>!, _ pieces: StartPlace<surtitle_piece>!,
    _ piece_count: Place<Int>!
) -> Int32 {
    unsafe growing.use(GrowingHandle.self) { growing throws(Refusal) in
        let place = try unsafe ArrayPlace(pieces, piece_count)
        growing.cues.write(try unsafe LiveSpan(span), into: &growing.list.output)
        unsafe growing.list.give(nil, to: place)
    }
}

@c @implementation
public func surtitle_growing_held(
    _ growing: OpaquePointer!, _ cues: Place<UInt64>!, _ left_out: Place<UInt64>!, _ held_bytes: Place<UInt64>!
) -> Int32 {
    unsafe growing.use(GrowingHandle.self) { growing throws(Refusal) in
        let places = try unsafe (
            Arguments.required(cues), Arguments.required(left_out), Arguments.required(held_bytes)
        )
        unsafe places.0.pointee = UInt64(clamping: growing.cues.cueCount)
        unsafe places.1.pointee = UInt64(clamping: growing.cues.leftOutCount)
        unsafe places.2.pointee = UInt64(clamping: growing.cues.heldBytes)
    }
}

@c @implementation
public func surtitle_growing_reset(_ growing: OpaquePointer!) -> Int32 { unsafe growing.reset() }

@c @implementation
public func surtitle_growing_destroy(_ growing: OpaquePointer!) { unsafe growing.destroy(GrowingHandle.self) }
