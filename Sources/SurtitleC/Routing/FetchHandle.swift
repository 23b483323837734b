internal import ByteScan
internal import CSurtitle
internal import Delivery
internal import M3U8
internal import Sideload
internal import WebVTT

/// A job of fetching that a caller of the C interface keeps.
final class FetchHandle: Handle {
    private let settings: FetchSettings
    private var fetch: Fetch
    private var headers = HeaderFields()

    /// What the caller was told to do last; nil if it has not asked.
    private var step: Fetch.Step?

    // What is handed out.
    private var texts = HandedTexts()
    private var fields = HandedFields()

    init(_ settings: FetchSettings) {
        self.settings = settings
        fetch = Fetch(settings.job, limits: settings.limits)
    }

    /// How many bytes are held of what has come.
    var heldBytes: Int { fetch.heldBytes }

    override func reset() {
        fetch = Fetch(settings.job, limits: settings.limits)
        step = nil
    }

    // MARK: Requests and responses

    func next(_ place: UnsafeMutablePointer<surtitle_fetch_request>) -> surtitle_status {
        let next = fetch.next()
        step = next
        if case .request(let request) = next { unsafe place.fill(handOut(request)) }
        return status(of: next)
    }

    func begin(
        _ response: FetchResponse, _ fields: UnsafePointer<surtitle_field>?, _ count: Int
    ) throws(Refusal) -> surtitle_status {
        headers.removeAll()
        try unsafe Arguments.forEach(fields, count) { headers.append($0, $1) }
        return fetch.begin(response, headers) == .more ? SURTITLE_NEEDS_MORE : SURTITLE_OK
    }

    func write(_ chunk: UnsafeRawBufferPointer) -> surtitle_status {
        unsafe fetch.write(chunk) == .more ? SURTITLE_NEEDS_MORE : SURTITLE_OK
    }

    func finish() { fetch.finish() }

    func fail() { fetch.fail() }

    private func status(of step: Fetch.Step) -> surtitle_status {
        switch step {
        case .request: SURTITLE_NEEDS_MORE
        case .answer: SURTITLE_OK
        case .failure: SURTITLE_FETCH_FAILED
        }
    }

    private func handOut(_ request: FetchRequest) -> surtitle_fetch_request {
        texts.removeAll()
        var (kind, offset, count) = (SURTITLE_RANGE_NONE, 0, 0)
        switch request.range {
        case .bytes(let range):
            (kind, offset) = (SURTITLE_RANGE_BYTES, range.lowerBound)
            count = range.upperBound &- range.lowerBound &+ 1
        case .suffix(let last): (kind, count) = (SURTITLE_RANGE_SUFFIX, last)
        case nil: break
        }
        let fields = unsafe self.fields.set(request.fields.map { HeaderLine(Array(ByteView($0.name)), $0.value) })
        return unsafe surtitle_fetch_request(
            size: 0, method: surtitle_text(texts.append(ByteView(request.method))),
            url: surtitle_text(texts.append(request.url)), fields: fields.baseAddress, field_count: fields.count,
            range: Int32(kind.rawValue), purpose: Int32(request.purpose.rawValue),
            range_offset: UInt64(offset.magnitude), range_count: UInt64(count.magnitude),
            byte_limit: UInt64(request.byteLimit.magnitude))
    }

    // MARK: The result

    func result(_ place: UnsafeMutablePointer<surtitle_fetched>) -> surtitle_status {
        var result = unsafe surtitle_fetched()
        unsafe result.final_cue_milliseconds = -1
        texts.removeAll()
        var (bytes, url): ([UInt8], [UInt8]?) = ([], nil)
        var map: TimestampMap?
        var failure: FetchError?
        guard let step else { return SURTITLE_NEEDS_MORE }
        switch step {
        case .request: return SURTITLE_NEEDS_MORE
        case .failure(let error): failure = error
        case .answer(.present): break
        case .answer(.key(let key)): bytes = key
        case .answer(.duration(let found)):
            unsafe result.duration_nanoseconds = found.duration.nanoseconds ?? .max
            unsafe result.final_cue_milliseconds = found.finalCueEnd?.milliseconds ?? -1
            unsafe result.source = Int32(found.source.rawValue)
        case .answer(.text(let text)):
            unsafe result.is_converted = text.isConverted ? 1 : 0
            (bytes, map, failure) = (text.bytes, text.map, text.mapFailure)
        case .answer(.playlist(let playlist)):
            unsafe result.is_playlist = 1
            (bytes, url) = (playlist.bytes, playlist.url)
        case .answer(.mediaStart(let start)):
            unsafe result.start_nanoseconds = start.start.nanoseconds
            map = start.map
        }
        if let map {
            unsafe result.has_map = 1
            unsafe result.mpegts = map.mpegTS
            unsafe result.local_milliseconds = map.local.milliseconds
        }
        if let failure {
            unsafe result.failure = Int32(failure.reason.category.rawValue) + 1
            unsafe result.purpose = Int32(failure.purpose.rawValue)
            unsafe result.http_status = Int32(truncatingIfNeeded: failure.reason.status ?? 0)
        }
        unsafe result.url = surtitle_text((failure?.url ?? url).map { texts.append($0) })
        unsafe result.message = surtitle_text(texts.append(failure?.reason.message.bytes ?? []))
        let whole = texts.append(bytes)
        unsafe (result.bytes, result.count) = (whole.start, whole.count)
        unsafe place.fill(result)
        return status(of: step)
    }
}
