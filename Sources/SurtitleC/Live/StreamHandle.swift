// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import ByteScan
public import CSurtitle
internal import Delivery
internal import WebVTT

/// A live stream that a caller of the C interface serves.
@safe
final class StreamHandle: Handle {
    fileprivate var stream: LiveStream
    fileprivate var list = PieceList(OutputPieces())
    fileprivate var state: [UInt8] = []

    init(_ stream: consuming LiveStream) { self.stream = stream }

    fileprivate func step(
        _ ask: inout surtitle_live_ask, _ now: Int64, _ place: Place<surtitle_live_step>,
        _ fetch: Place<OpaquePointer?>
    ) throws(Refusal) {
        var asking = try unsafe LiveAsk(ask)
        var step = surtitle_live_step()
        switch stream.step(&asking, at: now) {
        case .fetch(let job, let number):
            step.kind = Int32(SURTITLE_STEP_FETCH.rawValue)
            step.fetch = number.number
            unsafe fetch.pointee = FetchHandle.handedOut(job)
        case .wait:
            step.kind = Int32(SURTITLE_STEP_WAIT.rawValue)
            step.wait = max(asking.began + LiveStream.patience - now, 100)
        case .playlist: step.kind = Int32(SURTITLE_STEP_PLAYLIST.rawValue)
        case .segment(let span):
            step.kind = Int32(SURTITLE_STEP_SEGMENT.rawValue)
            step.span = surtitle_live_span(.span(span))
        case .status(let status):
            step.kind = Int32(SURTITLE_STEP_STATUS.rawValue)
            step.http_status = Int32(truncatingIfNeeded: status)
        }
        step.lifetime = Int64(stream.lifetime(of: asking.kind))
        step.span.size = MemoryLayout<surtitle_live_span>.size
        unsafe place.fill(step)
        unsafe ask.has_fetched = asking.hasFetched ? 1 : 0
        unsafe ask.waits_for = asking.waitsFor?.number ?? 0
    }
}

extension FetchHandle {
    /// A fetch for the caller, who destroys it.
    fileprivate static func handedOut(_ job: FetchJob) -> OpaquePointer {
        unsafe OpaquePointer(Unmanaged.passRetained(FetchHandle(FetchSettings(job))).toOpaque())
    }
}

extension LiveAsk {
    fileprivate init(_ ask: surtitle_live_ask) throws(Refusal) {
        let text = try unsafe Arguments.view(ask.text) ?? ByteView()
        let kind: LiveAsk.Kind
        switch unsafe ask.kind {
        case 0: kind = .playlist(LiveDirectives(query: text))
        case 1: kind = .segment(Array(text))
        default: throw Refusal(SURTITLE_INVALID_VALUE)
        }
        let hasFetched = try unsafe Arguments.truth(ask.has_fetched)
        let number = unsafe ask.waits_for
        unsafe self.init(
            kind, at: try Arguments.time(ask.began), hasFetched: hasFetched,
            waitsFor: number == 0 ? nil : LiveFetch(number: number))
    }
}

extension Arguments {
    /// A time in milliseconds, of which no sum is too large.
    fileprivate static func time(_ time: Int64) throws(Refusal) -> Int64 {
        guard -(1 << 60)...(1 << 60) ~= time else { throw Refusal(SURTITLE_INVALID_VALUE) }
        return time
    }
}

@c @implementation
public func surtitle_stream_create(
    _ settings: UnsafePointer<surtitle_channel_settings>!, _ playlist: surtitle_text, _ stream: Place<OpaquePointer?>!
) -> Int32 {
    unsafe make(
        stream, nil,
        try unsafe StreamHandle(
            LiveStream(playlist: Arguments.required(Arguments.bytes(of: playlist)), LiveConfiguration(settings))))
}

@c @implementation
public func surtitle_stream_restore(
    _ settings: UnsafePointer<surtitle_channel_settings>!, _ playlist: surtitle_text, _ state: UnsafeRawPointer!,
    _ count: Int, _ stream: Place<OpaquePointer?>!, _ error: Place<surtitle_error>!
) -> Int32 {
    unsafe make(
        stream, error,
        try unsafe restored(
            Arguments.required(Arguments.bytes(of: playlist)), LiveConfiguration(settings),
            Arguments.bytes(state, count)))
}

private func restored(
    _ playlist: [UInt8], _ configuration: LiveConfiguration, _ state: UnsafeRawBufferPointer
) throws(Refusal) -> StreamHandle {
    let stream = try refusing(try unsafe LiveStream(playlist: playlist, restoring: state.bytes, configuration)) {
        Refusal(live: $0)
    }
    return StreamHandle(stream)
}

@c @implementation
public func surtitle_stream_save(
    _ stream: OpaquePointer!, _ memory: UnsafeMutableRawPointer!, _ capacity: Int, _ written: Place<Int>!
) -> Int32 {
    unsafe stream.ask(StreamHandle.self) { stream throws(Refusal) in
        let place = try unsafe MemoryPlace(memory, capacity, written)
        try refusing(try stream.stream.save(into: &stream.state)) { Refusal(live: $0) }
        return place.give(stream.state)
    }
}

@c @implementation
public func surtitle_stream_step(
    _ stream: OpaquePointer!, _ ask: Place<surtitle_live_ask>!, _ now: Int64, _ step: Place<surtitle_live_step>!,
    _ fetch: Place<OpaquePointer?>!
) -> Int32 {
    unsafe stream.use(StreamHandle.self) { stream throws(Refusal) in
        let place = try unsafe Arguments.required(fetch)
        unsafe place.pointee = nil
        let ask = try unsafe Arguments.sizedPlace(ask)
        try unsafe stream.step(&ask.pointee, Arguments.time(now), Arguments.sizedPlace(step), place)
    }
}

@c @implementation
public func surtitle_stream_early(
    _ stream: OpaquePointer!, _ now: Int64, _ number: Place<UInt64>!, _ fetch: Place<OpaquePointer?>!
) -> Int32 {
    unsafe stream.ask(StreamHandle.self) { stream throws(Refusal) in
        let (number, place) = try unsafe (Arguments.required(number), Arguments.required(fetch))
        unsafe place.pointee = nil
        guard let (job, fetch) = stream.stream.nextStart(at: try Arguments.time(now)) else { return SURTITLE_NOT_FOUND }
        unsafe number.pointee = fetch.number
        unsafe place.pointee = FetchHandle.handedOut(job)
        return SURTITLE_OK
    }
}

@c @implementation
public func surtitle_stream_take(
    _ stream: OpaquePointer!, _ number: UInt64, _ fetch: OpaquePointer!, _ now: Int64, _ change: Place<Int32>!,
    _ error: Place<surtitle_error>!
) -> Int32 {
    unsafe stream.ask(StreamHandle.self, error) { stream throws(Refusal) in
        let place = try unsafe Arguments.required(change)
        unsafe place.pointee = -1
        let now = try Arguments.time(now)
        var outcome: Fetch.Step?
        let status = unsafe fetch.use(FetchHandle.self) { outcome = $0.outcome }
        guard status == 0 else { throw Refusal(surtitle_status(rawValue: .init(truncatingIfNeeded: status))) }
        guard let outcome else { return SURTITLE_NEEDS_MORE }
        if case .decrypt = outcome { return SURTITLE_NEEDS_MORE }
        let taken = stream.stream.take(outcome, of: LiveFetch(number: number), at: now)
        if let taken { unsafe place.pointee = taken.code }
        if case .failure = outcome { throw Refusal(SURTITLE_FETCH_FAILED) }
        if taken == nil, case .answer(.playlist) = outcome, let refusal = stream.stream.refusal {
            throw Refusal(live: refusal)
        }
        return SURTITLE_OK
    }
}

@c @implementation
public func surtitle_stream_cancel(_ stream: OpaquePointer!, _ number: UInt64) -> Int32 {
    unsafe stream.use(StreamHandle.self) { stream throws(Refusal) in stream.stream.cancel(LiveFetch(number: number)) }
}

@c @implementation
public func surtitle_stream_facts(_ stream: OpaquePointer!, _ facts: Place<surtitle_live_facts>!) -> Int32 {
    unsafe stream.use(StreamHandle.self) { stream throws(Refusal) in
        try unsafe Arguments.sizedPlace(facts).fill(stream.stream.channel.facts)
    }
}

@c @implementation
public func surtitle_stream_playlist(
    _ stream: OpaquePointer!, _ prefix: surtitle_text, _ lag: Int, _ pieces: StartPlace<surtitle_piece>!,
    _ piece_count: Place<Int>!
) -> Int32 {
    unsafe stream.use(StreamHandle.self) { stream throws(Refusal) in
        let place = try unsafe ArrayPlace(pieces, piece_count)
        let names = try unsafe LiveNames(prefix, lag)
        stream.stream.channel.playlist(named: names, into: &stream.list.output)
        unsafe stream.list.give(nil, to: place)
    }
}

@c @implementation
public func surtitle_stream_note_text(_ note: UInt32) -> UnsafePointer<CChar>! {
    let words = LiveNotes.all.first { $0.note.rawValue == note }?.words ?? "unknown note"
    return unsafe UnsafeRawPointer(words.utf8Start).assumingMemoryBound(to: CChar.self)
}

@c @implementation
public func surtitle_stream_destroy(_ stream: OpaquePointer!) { unsafe stream.destroy(StreamHandle.self) }
