internal import ByteScan
internal import M3U8
internal import Sideload
internal import WebVTT

// How something is fetched by somebody else.
//
// The machine does no input or output and reads no clock. It says what to ask for, is fed what comes, and says what to
// ask for next, until it has an answer or a failure. So a delegate, a proxy and a test drive the same thing, and to
// cancel a job is to drop it.
//
//     next() ── .request ──▶ whoever fetches ──▶ origin
//     begin(response) · write(chunk) … · finish() or fail() ◀──
//     next() ── .request …                 .answer or .failure, which stays
//
// A request is in one of these states:
//
//     new        nothing is decided
//     ready      what is asked for next is decided, and nobody has been told
//     asked      the request is under way
//     reading    its body comes. Which of its bytes are wanted is a BodyWindow's, what is done with them the stage's
//     sealed     bytes are held that somebody else decrypts
//     done       the answer is known, or why there is none
//
// Once no more of a body is wanted, the machine is ready again: what still comes of that response is ignored until
// `next` is called.
//
// A duration is taken from the tail, by as few requests as will do (Fetch+Tail.swift):
//
//     bytes=-16384         206: the final cue's end is in it, nearly always
//     bytes=A-B, If-Range  206: 64 KiB before that, then 256 KiB, if validators and length are those of the first
//     no Range             200 at any point, or a part that is not to be trusted: the whole, read as it passes by
//
// If the file has changed between two parts, the tail is asked for anew, once.
//
// What may be held: a block of the tail, or a file of subtitles that is to be brought whole, or a track's playlist. Of
// video a key and a block of a segment that is encrypted, and else nothing.

/// A job of fetching: it says what to ask for, is fed what comes, and has an answer in the end.
///
///     var fetch = Fetch(.duration(track))
///     var fields = HeaderFields()
///     while case .request(let request) = fetch.next() {
///         var response = client.send(request)
///         fields.removeAll()
///         for (name, value) in response.header { fields.append(name, value) }
///         var need = fetch.begin(FetchResponse(status: response.status, url: response.url), fields)
///         while need == .more, let chunk = response.next() { need = fetch.write(chunk) }
///         if need == .more { if response.isWhole { fetch.finish() } else { fetch.fail() } }
///     }
///     if case .answer(.duration(let found)) = fetch.next() { duration = found.duration }
///
/// Where chunks end never changes a request, the answer or the failure. The number of requests and of bytes held is
/// bounded by ``FetchLimits``, whatever comes.
public struct Fetch: ~Copyable {
    /// What is to be done next.
    public enum Step: Equatable, Sendable {
        /// This request is to be made, and its response fed.
        case request(FetchRequest)
        /// These bytes are to be decrypted, and what comes of them told by ``Fetch/take(decrypted:)``. Only if
        /// ``Fetch/decrypts`` says so.
        case decrypt(Decryption)
        /// The job is done.
        case answer(FetchAnswer)
        /// The job came to nothing.
        case failure(FetchError)

        /// Whether there is something to be done before the job ends.
        var isUnderWay: Bool {
            switch self {
            case .request, .decrypt: true
            case .answer, .failure: false
            }
        }
    }

    /// Whether more of a response is wanted.
    public enum Need: Equatable, Sendable {
        /// Go on until the body ends.
        case more
        /// Drop the response, whatever is left of it, and ask for the next step.
        case enough
    }

    /// What a response is read for.
    enum Stage {
        /// Its first bytes, which show that a track is there.
        case presence
        /// The end of a file.
        case tail
        /// A whole file, for the times of its cues.
        case cues
        /// A whole playlist of subtitles, for its length.
        case playlistLength
        /// A whole file, to be handed out.
        case text
        /// A whole playlist of subtitles, to be handed out.
        case playlist
        /// What leads to a time stamp of the video.
        case video
        /// A key, to be handed out.
        case key
    }

    /// A request and its response.
    struct Exchange {
        let request: FetchRequest
        /// Where the response came from.
        let url: [UInt8]
        var window: BodyWindow
    }

    enum State {
        case new
        case ready(FetchRequest)
        case asked(FetchRequest)
        case reading(Exchange)
        case sealed(Decryption, FetchRequest)
        case done(Step)
    }

    /// Whether whoever drives this decrypts. If not, a video whose segments are encrypted tells no time stamp.
    public var decrypts = false

    /// Whether a video's media playlist is read until it says that its first segment stays the first, if need be to its
    /// end: ``FetchedMediaStart/stays``. If not, nothing behind the first segment is read.
    public var learnsWhatStays = false

    let job: FetchJob
    let limits: FetchLimits
    var state = State.new
    var stage = Stage.presence
    /// How many requests have been decided on.
    var requestCount = 0

    /// What is held of bodies.
    var held = ReusableBuffer<UInt8>()
    var tail = TailSearch()
    var reader = SubtitleReader()
    var cues = SubtitleFacts()
    var playlist = PlaylistReader()
    var video = VideoSearch()
    var media: MediaStartScanner

    /// A job that is about to begin.
    public init(_ job: FetchJob, limits: FetchLimits = FetchLimits()) {
        self.job = job
        self.limits = limits
        media = MediaStartScanner(limits: MediaStartScanner.Limits(bytes: limits.segment))
    }

    /// How many bytes are held of what has come: what else is remembered are a few hundred bytes and one line.
    public var heldBytes: Int { held.count + video.held.count + playlist.valueBytes }

    /// What is to be done next. A request that is under way is given again; an answer or a failure stays.
    ///
    /// A response that is being read when this is called counts as broken off.
    public mutating func next() -> Step {
        while true {
            switch state {
            case .new: start()
            case .reading: fail()
            case .ready(let request):
                state = .asked(request)
                return .request(request)
            case .asked(let request): return .request(request)
            case .sealed(let decryption, _): return .decrypt(decryption)
            case .done(let step): return step
            }
        }
    }

    /// What ``next()`` says if that changes nothing: what is to be decrypted, the answer or the failure.
    package var settled: Step? {
        switch state {
        case .sealed(let decryption, _): .decrypt(decryption)
        case .done(let step): step
        case .new, .ready, .asked, .reading: nil
        }
    }

    /// Takes the beginning of the response to the request that is under way.
    public mutating func begin(_ response: FetchResponse, _ fields: borrowing HeaderFields) -> Need {
        guard case .asked(let request) = state else { return .enough }
        switch request.verdict(on: response, fields) {
        case .refused(let reason): conclude(reason, request)
        case .noPart: askForWhole(request)
        case .whole(let length):
            if let window = window(ofWhole: length, request) {
                state = .reading(Exchange(request: request, url: response.url ?? request.url, window: window))
            }
        case .part(let part):
            video.sealed?.note(total: part.total)
            if let window = window(of: part, FetchValidators(fields, part), request) {
                state = .reading(Exchange(request: request, url: response.url ?? request.url, window: window))
            }
        }
        return need
    }

    /// Takes the next bytes of the body, any number of them.
    ///
    /// - Complexity: O(*n*).
    @discardableResult
    public mutating func write(_ chunk: UnsafeRawBufferPointer) -> Need {
        guard case .reading(var exchange) = state else { return .enough }
        let (wanted, fault) = exchange.window.cut(unsafe ByteView(chunk))
        state = .reading(exchange)
        if !wanted.isEmpty { take(wanted, exchange) }
        if case .reading = state {
            if let fault {
                refuseBody(fault, exchange)
            } else if exchange.window.isFilled {
                endBody(exchange)
            }
        }
        return need
    }

    /// Takes the next bytes of the body, any number of them.
    @discardableResult
    public mutating func write(_ chunk: RawSpan) -> Need { unsafe chunk.withUnsafeBytes { unsafe write($0) } }

    #if !hasFeature(Embedded)
    /// Takes the next bytes of the body, any number of them.
    @discardableResult
    public mutating func write(_ chunk: some Collection<UInt8>) -> Need { unsafe chunk.withBytes { unsafe write($0) } }
    #endif

    /// Ends the body, as its framing says (RFC 9112 6.3): a connection that broke off is for ``fail()``.
    public mutating func finish() {
        guard case .reading(let exchange) = state else { return }
        if let fault = exchange.window.faultAtEnd {
            refuseBody(fault, exchange)
        } else {
            endBody(exchange)
        }
    }

    /// Tells that there will be no response, or no more of it: no connection, too slow, broken off.
    public mutating func fail() {
        switch state {
        case .asked(let request): conclude(.network, request)
        case .reading(let exchange): conclude(.network, exchange.request)
        case .new, .ready, .sealed, .done: break
        }
    }

    private var need: Need { if case .reading = state { .more } else { .enough } }
}
