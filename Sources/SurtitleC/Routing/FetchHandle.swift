// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import ByteScan
public import CSurtitle
internal import Delivery
internal import M3U8
internal import Sideload
internal import WebVTT

/// A job of fetching that a caller of the C interface keeps.
final class FetchHandle: Handle {
    private let settings: FetchSettings
    fileprivate var fetch: Fetch
    fileprivate var headers = HeaderFields()
    /// What decrypts in a call; nil if nothing does.
    fileprivate var decrypter: Decrypter? {
        didSet { fetch.decrypts = decrypts }
    }
    /// Whether the caller decrypts later.
    fileprivate var decryptsLater = false {
        didSet { fetch.decrypts = decrypts }
    }
    private var decrypts: Bool { decrypter != nil || decryptsLater }

    /// What the caller was told to do last; nil if it has not asked.
    private var step: Fetch.Step?

    private var texts = HandedTexts()

    init(_ settings: FetchSettings) {
        self.settings = settings
        fetch = Fetch(settings.job, limits: settings.limits)
    }

    /// What the job has come to, or what is to be decrypted for it. A body that is being read goes on.
    var outcome: Fetch.Step? { fetch.settled }

    override func reset() {
        fetch = Fetch(settings.job, limits: settings.limits)
        fetch.decrypts = decrypts
        step = nil
    }

    fileprivate func next(_ place: Place<surtitle_fetch_request>) -> surtitle_status {
        var next = fetch.next()
        while case .decrypt(let decryption) = next, decrypter != nil || !decryptsLater {
            fetch.take(decrypted: decrypter?.decrypted(decryption))
            next = fetch.next()
        }
        step = next
        guard case .request(let request) = next else { return next.status }
        var (kind, offset, count) = (SURTITLE_RANGE_NONE, 0, 0)
        switch request.range {
        case .bytes(let range):
            (kind, offset) = (SURTITLE_RANGE_BYTES, range.lowerBound)
            count = range.upperBound &- range.lowerBound &+ 1
        case .suffix(let last): (kind, count) = (SURTITLE_RANGE_SUFFIX, last)
        case nil: break
        }
        texts.removeAll()
        let fields = unsafe texts.append(request.fields.map { HeaderLine(Array(ByteView($0.name)), $0.value) })
        unsafe place.fill(
            surtitle_fetch_request(
                size: 0, method: surtitle_text(texts.append(ByteView(request.method))),
                url: surtitle_text(texts.append(request.url)), fields: fields.baseAddress, field_count: fields.count,
                range: Int32(kind.rawValue), purpose: Int32(request.purpose.rawValue),
                range_offset: UInt64(offset.magnitude), range_count: UInt64(count.magnitude),
                byte_limit: UInt64(request.byteLimit.magnitude)))
        return next.status
    }

    fileprivate func decryption(_ place: Place<surtitle_decryption>) -> surtitle_status {
        guard case .decrypt(let decryption) = outcome else { return SURTITLE_NOT_FOUND }
        texts.removeAll()
        let (key, vector) = (texts.append(decryption.key), texts.append(decryption.vector))
        let bytes = texts.append(decryption.bytes)
        unsafe place.fill(
            surtitle_decryption(
                size: 0, key: key.start, vector: vector.start, bytes: bytes.start, count: bytes.count))
        return SURTITLE_OK
    }

    fileprivate func result(_ place: Place<surtitle_fetched>) -> surtitle_status {
        guard let step else { return SURTITLE_NEEDS_MORE }
        var (bytes, url): ([UInt8], [UInt8]?) = ([], nil)
        var (isPlaylist, isConverted, start) = (false, false, UInt64(0))
        var duration: FetchedDuration?
        var map: TimestampMap?
        var failure: FetchError?
        switch step {
        case .request, .decrypt: return step.status
        case .failure(let error): failure = error
        case .answer(.present): break
        case .answer(.key(let key)): bytes = key
        case .answer(.duration(let found)): duration = found
        case .answer(.text(let text)):
            (bytes, isConverted, map, failure) = (text.bytes, text.isConverted, text.map, text.mapFailure)
        case .answer(.playlist(let playlist)): (bytes, isPlaylist, url) = (playlist.bytes, true, playlist.url)
        case .answer(.mediaStart(let found)): (map, start) = (found.map, found.start.nanoseconds)
        }
        texts.removeAll()
        url = failure?.url ?? url
        let message = texts.append(failure?.reason.message.bytes ?? [])
        let given = texts.append(bytes)
        unsafe place.fill(
            surtitle_fetched(
                size: 0, is_playlist: isPlaylist ? 1 : 0, is_converted: isConverted ? 1 : 0, bytes: given.start,
                count: given.count, url: surtitle_text(url.map { texts.append($0) }),
                duration_nanoseconds: duration?.duration.nanoseconds ?? 0,
                final_cue_milliseconds: duration?.finalCueEnd?.milliseconds ?? -1,
                source: Int32(duration?.source.rawValue ?? 0), has_map: map == nil ? 0 : 1, mpegts: map?.mpegTS ?? 0,
                local_milliseconds: map?.local.milliseconds ?? 0, start_nanoseconds: start,
                failure: failure.map { Int32($0.reason.category.rawValue) + 1 } ?? 0,
                purpose: Int32(failure?.purpose.rawValue ?? 0),
                http_status: Int32(truncatingIfNeeded: failure?.status ?? 0), reserved: 0,
                message: surtitle_text(message)))
        return step.status
    }
}

/// A function of the caller's that decrypts, and what it is called with.
@safe
private struct Decrypter {
    let decrypt: surtitle_decrypter
    let context: UnsafeMutableRawPointer?

    /// What the bytes become; nil if the function says that it cannot.
    func decrypted(_ decryption: Decryption) -> [UInt8]? {
        var bytes = decryption.bytes
        let status = unsafe decryption.key.withUnsafeBufferPointer { key in
            unsafe decryption.vector.withUnsafeBufferPointer { vector in
                unsafe bytes.withUnsafeMutableBufferPointer { bytes in
                    unsafe decrypt(context, key.baseAddress, vector.baseAddress, bytes.baseAddress, bytes.count)
                }
            }
        }
        return status == 0 ? bytes : nil
    }
}

private typealias surtitle_decrypter =
    @convention(c) (
        UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, Int
    ) -> Int32

extension Fetch.Step {
    fileprivate var status: surtitle_status {
        switch self {
        case .request: SURTITLE_NEEDS_MORE
        case .decrypt: SURTITLE_NEEDS_DECRYPTION
        case .answer: SURTITLE_OK
        case .failure: SURTITLE_FETCH_FAILED
        }
    }
}

/// What is said of a response.
private func status(of need: Fetch.Need) -> surtitle_status { need == .more ? SURTITLE_NEEDS_MORE : SURTITLE_OK }

@c @implementation
public func surtitle_fetch_create(
    _ settings: UnsafePointer<surtitle_fetch_settings>!, _ fetch: Place<OpaquePointer?>!
) -> Int32 {
    unsafe make(fetch, nil, FetchHandle(try unsafe FetchSettings(Arguments.sized(settings))))
}

@c @implementation
public func surtitle_fetch_create_for(
    _ router: OpaquePointer!, _ track: Int, _ job: Int32, _ fetch: Place<OpaquePointer?>!
) -> Int32 {
    unsafe make(fetch, nil, FetchHandle(try unsafe FetchSettings(router.shared(RouterHandle.self).router, track, job)))
}

@c @implementation
public func surtitle_fetch_set_decrypt(
    _ fetch: OpaquePointer!,
    _ decrypt: (
        @convention(c) (
            UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, UnsafePointer<UInt8>?, UnsafeMutablePointer<UInt8>?, Int
        ) -> Int32
    )!, _ context: UnsafeMutableRawPointer!
) -> Int32 {
    unsafe fetch.use(FetchHandle.self) { fetch throws(Refusal) in
        fetch.decrypter = unsafe decrypt.map { unsafe Decrypter(decrypt: $0, context: context) }
    }
}

@c @implementation
public func surtitle_fetch_set_decrypts(_ fetch: OpaquePointer!, _ decrypts: Int32) -> Int32 {
    unsafe fetch.use(FetchHandle.self) { fetch throws(Refusal) in
        fetch.decryptsLater = try Arguments.truth(decrypts)
    }
}

@c @implementation
public func surtitle_fetch_decryption(_ fetch: OpaquePointer!, _ decryption: Place<surtitle_decryption>!) -> Int32 {
    unsafe fetch.ask(FetchHandle.self) { fetch throws(Refusal) in
        try unsafe fetch.decryption(Arguments.sizedPlace(decryption))
    }
}

@c @implementation
public func surtitle_fetch_decrypted(_ fetch: OpaquePointer!, _ bytes: UnsafePointer<UInt8>!, _ count: Int) -> Int32 {
    unsafe fetch.use(FetchHandle.self) { fetch throws(Refusal) in
        let decrypted = try unsafe Arguments.bytes(bytes, count)
        unsafe fetch.fetch.take(decrypted: Array(decrypted))
    }
}

@c @implementation
public func surtitle_fetch_next(_ fetch: OpaquePointer!, _ request: Place<surtitle_fetch_request>!) -> Int32 {
    unsafe fetch.ask(FetchHandle.self) { fetch throws(Refusal) in
        try unsafe fetch.next(Arguments.sizedPlace(request))
    }
}

@c @implementation
public func surtitle_fetch_begin(
    _ fetch: OpaquePointer!, _ http_status: Int32, _ url: surtitle_text, _ is_decoded: Int32,
    _ fields: UnsafePointer<surtitle_field>!, _ field_count: Int
) -> Int32 {
    unsafe fetch.ask(FetchHandle.self) { fetch throws(Refusal) in
        let response = FetchResponse(
            status: Int(http_status), url: try unsafe Arguments.bytes(of: url),
            isDecoded: try Arguments.truth(is_decoded))
        fetch.headers.removeAll()
        try unsafe Arguments.forEach(fields, field_count) { fetch.headers.append($0, $1) }
        return status(of: fetch.fetch.begin(response, fetch.headers))
    }
}

@c @implementation
public func surtitle_fetch_write(_ fetch: OpaquePointer!, _ bytes: UnsafeRawPointer!, _ count: Int) -> Int32 {
    unsafe fetch.ask(FetchHandle.self) { fetch throws(Refusal) in
        try unsafe status(of: fetch.fetch.write(Arguments.bytes(bytes, count)))
    }
}

@c @implementation
public func surtitle_fetch_finish(_ fetch: OpaquePointer!) -> Int32 {
    unsafe fetch.use(FetchHandle.self) { fetch throws(Refusal) in fetch.fetch.finish() }
}

@c @implementation
public func surtitle_fetch_fail(_ fetch: OpaquePointer!) -> Int32 {
    unsafe fetch.use(FetchHandle.self) { fetch throws(Refusal) in fetch.fetch.fail() }
}

@c @implementation
public func surtitle_fetch_result(_ fetch: OpaquePointer!, _ result: Place<surtitle_fetched>!) -> Int32 {
    unsafe fetch.ask(FetchHandle.self) { fetch throws(Refusal) in
        try unsafe fetch.result(Arguments.sizedPlace(result))
    }
}

@c @implementation
public func surtitle_fetch_held_bytes(_ fetch: OpaquePointer!, _ held: Place<UInt64>!) -> Int32 {
    unsafe fetch.use(FetchHandle.self) { fetch throws(Refusal) in
        try unsafe Arguments.required(held).pointee = UInt64(fetch.fetch.heldBytes)
    }
}

@c @implementation
public func surtitle_fetch_reset(_ fetch: OpaquePointer!) -> Int32 { unsafe fetch.reset() }

@c @implementation
public func surtitle_fetch_destroy(_ fetch: OpaquePointer!) { unsafe fetch.destroy(FetchHandle.self) }
