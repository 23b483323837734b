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

    func next(_ place: UnsafeMutablePointer<surtitle_fetch_request>) -> Int32 {
        let next = fetch.next()
        step = next
        if case .request(let request) = next { unsafe fill(place, request) }
        return Self.status(of: next).code
    }

    func begin(_ response: FetchResponse, _ lines: FieldLines) throws(Refusal) -> Int32 {
        headers.removeAll()
        try lines.append(to: &headers)
        return Self.status(of: fetch.begin(response, headers)).code
    }

    func write(_ chunk: UnsafeRawBufferPointer) -> Int32 { unsafe Self.status(of: fetch.write(chunk)).code }

    func finish() { fetch.finish() }

    func fail() { fetch.fail() }

    private static func status(of need: Fetch.Need) -> surtitle_status {
        need == .more ? SURTITLE_NEEDS_MORE : SURTITLE_OK
    }

    private static func status(of step: Fetch.Step) -> surtitle_status {
        switch step {
        case .request: SURTITLE_NEEDS_MORE
        case .answer: SURTITLE_OK
        case .failure: SURTITLE_FETCH_FAILED
        }
    }

    private func fill(_ place: UnsafeMutablePointer<surtitle_fetch_request>, _ request: FetchRequest) {
        texts.removeAll()
        let method = texts.append(Array(ByteView(request.method)))
        let url = texts.append(request.url)
        fields.set(request.fields.map { HeaderLine(Array(ByteView($0.name)), $0.value) })
        var (kind, offset, count) = (SURTITLE_RANGE_NONE, 0, 0)
        switch request.range {
        case .bytes(let range):
            (kind, offset) = (SURTITLE_RANGE_BYTES, range.lowerBound)
            count = range.upperBound &- range.lowerBound &+ 1
        case .suffix(let last): (kind, count) = (SURTITLE_RANGE_SUFFIX, last)
        case nil: break
        }
        unsafe place.pointee.method = texts.text(method)
        unsafe place.pointee.url = texts.text(url)
        unsafe place.pointee.fields = fields.start
        unsafe place.pointee.field_count = fields.count
        unsafe place.pointee.range = Int32(kind.rawValue)
        unsafe place.pointee.purpose = Int32(request.purpose.rawValue)
        unsafe place.pointee.range_offset = UInt64(offset.magnitude)
        unsafe place.pointee.range_count = UInt64(count.magnitude)
        unsafe place.pointee.byte_limit = UInt64(request.byteLimit.magnitude)
    }

    // MARK: The result

    func result(_ place: UnsafeMutablePointer<surtitle_fetched>) -> Int32 {
        guard let step else { return SURTITLE_NEEDS_MORE.code }
        var result = FetchResult()
        switch step {
        case .request: return SURTITLE_NEEDS_MORE.code
        case .answer(let answer): result.note(answer)
        case .failure(let error): result.failure = error
        }
        texts.removeAll()
        let bytes = texts.append(result.bytes)
        let url = (result.failure?.url ?? result.url).map { texts.append($0) }
        let message = texts.append(result.failure?.reason.message.bytes ?? [])
        unsafe result.fill(&place.pointee)
        unsafe place.pointee.bytes = texts.start(bytes)
        unsafe place.pointee.count = bytes.count
        unsafe place.pointee.url = texts.text(url)
        unsafe place.pointee.message = texts.text(message)
        return Self.status(of: step).code
    }
}

/// What a job has come to, as a `surtitle_fetched` tells it.
struct FetchResult {
    var bytes: [UInt8] = []
    var url: [UInt8]?
    var isPlaylist = false
    var isConverted = false
    var duration: FetchedDuration?
    var map: TimestampMap?
    var startNanoseconds: UInt64 = 0
    var failure: FetchError?

    mutating func note(_ answer: FetchAnswer) {
        switch answer {
        case .present: break
        case .key(let key): bytes = key
        case .duration(let found): duration = found
        case .text(let text):
            bytes = text.bytes
            isConverted = text.isConverted
            map = text.map
            failure = text.mapFailure
        case .playlist(let playlist):
            bytes = playlist.bytes
            url = playlist.url
            isPlaylist = true
        case .mediaStart(let start):
            map = start.map
            startNanoseconds = start.start.nanoseconds
        }
    }

    /// Fills all but the size and what is handed out by pointer.
    func fill(_ fetched: inout surtitle_fetched) {
        unsafe fetched.is_playlist = isPlaylist ? 1 : 0
        unsafe fetched.is_converted = isConverted ? 1 : 0
        unsafe fetched.duration_nanoseconds = duration.map { $0.duration.nanoseconds ?? .max } ?? 0
        unsafe fetched.final_cue_milliseconds = duration?.finalCueEnd?.milliseconds ?? -1
        unsafe fetched.source = Int32(duration?.source.rawValue ?? 0)
        unsafe fetched.has_map = map == nil ? 0 : 1
        unsafe fetched.mpegts = map?.mpegTS ?? 0
        unsafe fetched.local_milliseconds = map?.local.milliseconds ?? 0
        unsafe fetched.start_nanoseconds = startNanoseconds
        unsafe fetched.failure = failure.map { Int32($0.reason.category.rawValue) + 1 } ?? 0
        unsafe fetched.purpose = Int32(failure?.purpose.rawValue ?? 0)
        unsafe fetched.http_status = Int32(truncatingIfNeeded: failure?.status ?? 0)
        unsafe fetched.reserved = 0
    }
}
