// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import ByteScan
public import CSurtitle
internal import Delivery
internal import Sideload
internal import WebVTT

/// A live stream that a caller of the C interface follows.
@safe
final class ChannelHandle: Handle {
    fileprivate(set) var channel: LiveChannel
    fileprivate var list = PieceList(OutputPieces())
    fileprivate var state: [UInt8] = []
    /// What the caller has been told of what is wanted.
    private var texts = HandedTexts()

    init(_ channel: consuming LiveChannel) { self.channel = channel }

    fileprivate func fill(_ place: Place<surtitle_live_want>) -> surtitle_status {
        guard let want = channel.next() else { return SURTITLE_NOT_FOUND }
        texts.removeAll()
        let media = texts.append(want.media.uri)
        let initialization = want.initialization.map { texts.append($0.uri) }
        let (range, initRange) = (want.media.range, want.initialization?.range)
        let isEncrypted = want.media.isEncrypted || want.initialization?.isEncrypted ?? false
        unsafe place.fill(
            surtitle_live_want(
                size: 0, segment: want.segment, uri: surtitle_text(media), offset: Int64(range?.lowerBound ?? -1),
                count: Int64(range?.count ?? 0), init_uri: surtitle_text(initialization),
                init_offset: Int64(initRange?.lowerBound ?? -1), init_count: Int64(initRange?.count ?? 0),
                is_encrypted: isEncrypted ? 1 : 0, reserved: 0))
        return SURTITLE_OK
    }
}

extension LiveChannel {
    /// What is known of the stream.
    var facts: surtitle_live_facts {
        let first = listed?.lowerBound ?? 0
        return surtitle_live_facts(
            size: 0, has_begun: hasBegun ? 1 : 0, has_ended: isEnded ? 1 : 0, target_duration: targetDuration,
            first_segment: first, end_segment: listed.map { $0.upperBound + 1 } ?? first,
            open_parts: UInt64(clamping: openPartCount), held_bytes: UInt64(clamping: heldBytes),
            notes: notes.rawValue, reserved: 0)
    }
}

extension LiveNames {
    /// How a caller wants segments to be named.
    init(_ prefix: surtitle_text, _ lag: Int) throws(Refusal) {
        guard lag >= 0 else { throw Refusal(SURTITLE_TOO_LONG) }
        guard let prefix = try unsafe Arguments.text(prefix) else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        guard !prefix.contains(where: { $0 < ASCII.space || $0 == ASCII.quote }), lag < 1 << 30 else {
            throw Refusal(SURTITLE_INVALID_VALUE)
        }
        self.init(prefix: prefix, lag: lag)
    }
}

extension LiveConfiguration {
    /// How a caller wants tracks to stand beside a stream.
    init(_ settings: UnsafePointer<surtitle_channel_settings>?) throws(Refusal) {
        let settings = try unsafe Arguments.sized(settings)
        guard settings.reserved == 0 else { throw Refusal(SURTITLE_INVALID_VALUE) }
        let value = settings.anchor_value
        let anchor: LiveAnchor
        switch settings.anchor {
        case 0: anchor = .automatic
        case 1: anchor = .date(value)
        case 2:
            guard value >= 0 else { throw Refusal(SURTITLE_INVALID_VALUE) }
            anchor = .segment(UInt64(value))
        case 3: anchor = .media
        case 4: anchor = .firstVersion
        default: throw Refusal(SURTITLE_INVALID_VALUE)
        }
        let map: TimestampMapChoice
        switch settings.map {
        case 0: map = .auto
        case 1: map = .none
        case 2:
            map = .given(
                try TimestampMap(mpegts: settings.mpegts, localMilliseconds: settings.local_milliseconds))
        default: throw Refusal(SURTITLE_INVALID_VALUE)
        }
        let standard = LiveLimits()
        let limits = try LiveLimits(
            playlist: Arguments.limit(settings.longest_playlist, or: standard.playlist),
            segments: Arguments.limit(settings.most_segments, or: standard.segments),
            parts: Arguments.limit(settings.most_parts, or: standard.parts),
            text: Arguments.limit(settings.longest_text, or: standard.text),
            state: Arguments.limit(settings.longest_state, or: standard.state))
        let isPlain = try Arguments.truth(settings.is_plain)
        self.init(anchor: anchor, map: map, lowLatency: isPlain ? .strip : .mirror, limits: limits)
    }
}

extension LiveChange {
    /// The change as functions tell it.
    var code: Int32 {
        switch self {
        case .first: 0
        case .unchanged: 1
        case .advanced: 2
        case .stale: 3
        case .suspect: 4
        case .missed: 5
        case .restarted: 6
        case .ended: 7
        case .needsFull: 8
        }
    }
}

@c @implementation
public func surtitle_channel_create(
    _ settings: UnsafePointer<surtitle_channel_settings>!, _ channel: Place<OpaquePointer?>!
) -> Int32 {
    unsafe make(channel, nil, try unsafe ChannelHandle(LiveChannel(LiveConfiguration(settings))))
}

@c @implementation
public func surtitle_channel_restore(
    _ settings: UnsafePointer<surtitle_channel_settings>!, _ state: UnsafeRawPointer!, _ count: Int,
    _ channel: Place<OpaquePointer?>!, _ error: Place<surtitle_error>!
) -> Int32 {
    unsafe make(channel, error, try unsafe restored(LiveConfiguration(settings), Arguments.bytes(state, count)))
}

private func restored(
    _ configuration: LiveConfiguration, _ state: UnsafeRawBufferPointer
) throws(Refusal) -> ChannelHandle {
    ChannelHandle(try refusing(try unsafe LiveChannel(restoring: state.bytes, configuration)) { Refusal(live: $0) })
}

@c @implementation
public func surtitle_channel_save(
    _ channel: OpaquePointer!, _ memory: UnsafeMutableRawPointer!, _ capacity: Int, _ written: Place<Int>!
) -> Int32 {
    unsafe channel.ask(ChannelHandle.self) { channel throws(Refusal) in
        let place = try unsafe MemoryPlace(memory, capacity, written)
        try refusing(try channel.channel.save(into: &channel.state)) { Refusal(live: $0) }
        return place.give(channel.state)
    }
}

@c @implementation
public func surtitle_channel_take(
    _ channel: OpaquePointer!, _ playlist: UnsafeRawPointer!, _ count: Int, _ change: Place<Int32>!,
    _ error: Place<surtitle_error>!
) -> Int32 {
    unsafe channel.use(ChannelHandle.self, error) { channel throws(Refusal) in
        let place = try unsafe Arguments.required(change)
        let playlist = try unsafe ByteView(Arguments.bytes(playlist, count))
        let change = try refusing(try channel.channel.take(playlist)) { Refusal(live: $0) }
        unsafe place.pointee = change.code
    }
}

@c @implementation
public func surtitle_channel_next(_ channel: OpaquePointer!, _ want: Place<surtitle_live_want>!) -> Int32 {
    unsafe channel.ask(ChannelHandle.self) { channel throws(Refusal) in
        try unsafe channel.fill(Arguments.sizedPlace(want))
    }
}

@c @implementation
public func surtitle_channel_media_start(_ channel: OpaquePointer!, _ segment: UInt64, _ mpegts: UInt64) -> Int32 {
    unsafe channel.use(ChannelHandle.self) { channel throws(Refusal) in
        channel.channel.take(mediaStart: mpegts & (1 << 33 - 1), of: segment)
    }
}

@c @implementation
public func surtitle_channel_no_media_start(_ channel: OpaquePointer!, _ segment: UInt64) -> Int32 {
    unsafe channel.use(ChannelHandle.self) { channel throws(Refusal) in channel.channel.noMediaStart(of: segment) }
}

@c @implementation
public func surtitle_channel_facts(_ channel: OpaquePointer!, _ facts: Place<surtitle_live_facts>!) -> Int32 {
    unsafe channel.use(ChannelHandle.self) { channel throws(Refusal) in
        try unsafe Arguments.sizedPlace(facts).fill(channel.channel.facts)
    }
}

@c @implementation
public func surtitle_channel_playlist(
    _ channel: OpaquePointer!, _ prefix: surtitle_text, _ lag: Int, _ pieces: StartPlace<surtitle_piece>!,
    _ piece_count: Place<Int>!
) -> Int32 {
    unsafe channel.use(ChannelHandle.self) { channel throws(Refusal) in
        let place = try unsafe ArrayPlace(pieces, piece_count)
        let names = try unsafe LiveNames(prefix, lag)
        channel.channel.playlist(named: names, into: &channel.list.output)
        unsafe channel.list.give(nil, to: place)
    }
}

@c @implementation
public func surtitle_channel_find(
    _ channel: OpaquePointer!, _ name: surtitle_text, _ span: Place<surtitle_live_span>!
) -> Int32 {
    unsafe channel.use(ChannelHandle.self) { channel throws(Refusal) in
        let place = try unsafe Arguments.sizedPlace(span)
        guard let name = try unsafe Arguments.view(name) else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        unsafe place.fill(surtitle_live_span(channel.channel.find(name)))
    }
}

@c @implementation
public func surtitle_channel_destroy(_ channel: OpaquePointer!) { unsafe channel.destroy(ChannelHandle.self) }

@c @implementation
public func surtitle_channel_anchor(_ text: surtitle_text, _ settings: Place<surtitle_channel_settings>!) -> Int32 {
    status { () throws(Refusal) in
        let place = try unsafe Arguments.sizedPlace(settings)
        guard let text = try unsafe Arguments.view(text) else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
        let (anchor, value): (surtitle_anchor, Int64)
        switch TrackAnchor(text) {
        case .date(let date): (anchor, value) = (SURTITLE_ANCHOR_DATE, date)
        case .segment(let number): (anchor, value) = (SURTITLE_ANCHOR_SEGMENT, Int64(clamping: number))
        case .media: (anchor, value) = (SURTITLE_ANCHOR_MEDIA, 0)
        case nil: throw Refusal(SURTITLE_INVALID_VALUE)
        }
        unsafe place.pointee.anchor = Int32(anchor.rawValue)
        unsafe place.pointee.anchor_value = value
        return SURTITLE_OK
    }
}
