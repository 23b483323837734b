// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import ByteScan
public import CSurtitle
internal import WebVTT

/// A rewriter of timestamp maps that a caller of the C interface keeps.
final class TimestampMapHandle: Handle {
    private var rewriter: TimestampMapRewriter
    private var list = PieceList(OutputPieces())

    init(_ map: TimestampMap) { rewriter = TimestampMapRewriter(map) }

    override func reset() {
        super.reset()
        rewriter.reset()
    }

    /// Maps `chunk`, or ends the file if that is nil.
    fileprivate func write(to place: ArrayPlace<surtitle_piece>, _ chunk: UnsafeRawBufferPointer?) throws(Refusal) {
        try unsafe begin(chunk)
        if let chunk = unsafe chunk {
            unsafe rewriter.write(chunk, into: &list.output)
        } else {
            rewriter.finish(into: &list.output)
        }
        unsafe list.give(chunk, to: place)
    }
}

extension TimestampMap {
    /// The map of these numbers, as callers of the C interface give them.
    init(mpegts: UInt64, localMilliseconds: Int64) throws(Refusal) {
        guard mpegts < 1 << 33, localMilliseconds >= 0 else { throw Refusal(SURTITLE_INVALID_VALUE) }
        self.init(mpegTS: mpegts, local: Timestamp(milliseconds: localMilliseconds))
    }
}

@c @implementation
public func surtitle_timestamp_mapper_create(
    _ mpegts: UInt64, _ local_milliseconds: Int64, _ mapper: Place<OpaquePointer?>!
) -> Int32 {
    unsafe make(
        mapper, nil, TimestampMapHandle(try TimestampMap(mpegts: mpegts, localMilliseconds: local_milliseconds)))
}

@c @implementation
public func surtitle_timestamp_mapper_write(
    _ mapper: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ count: Int, _ pieces: StartPlace<surtitle_piece>!,
    _ piece_count: Place<Int>!
) -> Int32 {
    unsafe mapper.use(TimestampMapHandle.self) { mapper throws(Refusal) in
        try unsafe mapper.write(to: ArrayPlace(pieces, piece_count), Arguments.bytes(bytes, count))
    }
}

@c @implementation
public func surtitle_timestamp_mapper_finish(
    _ mapper: OpaquePointer!, _ pieces: StartPlace<surtitle_piece>!, _ piece_count: Place<Int>!
) -> Int32 {
    unsafe mapper.use(TimestampMapHandle.self) { mapper throws(Refusal) in
        try unsafe mapper.write(to: ArrayPlace(pieces, piece_count), nil)
    }
}

@c @implementation
public func surtitle_timestamp_mapper_reset(_ mapper: OpaquePointer!) -> Int32 { unsafe mapper.reset() }

@c @implementation
public func surtitle_timestamp_mapper_destroy(_ mapper: OpaquePointer!) {
    unsafe mapper.destroy(TimestampMapHandle.self)
}
