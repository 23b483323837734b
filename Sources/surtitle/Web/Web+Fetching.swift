internal import ByteScan
internal import Delivery
internal import M3U8

extension Web {
    /// Receives the next bytes of a body, and returns whether more are wanted.
    typealias Body = (UnsafeRawBufferPointer) throws(Failure) -> Bool

    /// How a body came.
    struct Answer {
        /// Where it came from, after redirects.
        let url: String
        /// Whether the server has sent the whole, although a part was asked for.
        let isWhole: Bool
        /// Whether there is nothing behind the last byte that has come.
        let isAtEnd: Bool
    }

    /// Fetches the resource at `url`, or the bytes `range` of it, and hands `body` what is wanted of it.
    ///
    /// Of a server that ignores ranges the bytes before the range are passed over. A range behind the resource's end
    /// has no bytes.
    ///
    /// - Throws: A refusal that names `url`: of more than `limit` bytes, for instance.
    static func fetch(
        _ url: String, _ range: Range<Int>? = nil, upTo limit: Int, _ body: Body
    ) throws(Failure) -> Answer {
        var current = Array(url.utf8).withoutFragment
        guard current.isFetchable else {
            throw .refused(url, "is no http or https URL; percent-encode what no URL may hold")
        }
        var asked = range.map { FetchRange.bytes($0.lowerBound...max($0.lowerBound, $0.upperBound - 1)) }
        for _ in 0...mostRedirects {
            let request = FetchRequest(purpose: .subtitles, url: current, range: asked, byteLimit: limit)
            switch try unsafe Hop(request, of: url).run(range, body) {
            case .answer(let isWhole, let isAtEnd):
                return Answer(url: String(decoding: current, as: UTF8.self), isWhole: isWhole, isAtEnd: isAtEnd)
            case .noPart:
                // The whole tells more. It is asked for once: of a whole there is an answer or a refusal.
                asked = nil
            case .redirect(let location):
                let target = current.resolving(location).withoutFragment
                guard target.isFetchable, RouteOrigin.mayFollow(target, from: current) else {
                    throw .refused(
                        url,
                        "redirects to \(String(decoding: target, as: UTF8.self)), where it is not followed: from https to "
                            + "http, or to another scheme; if that is right, give that URL")
                }
                current = target
            }
        }
        throw .refused(url, "redirects more than \(mostRedirects) times; look into the server")
    }
}

/// One request and its response, by one start of curl.
private struct Hop: ~Copyable {
    enum End {
        case answer(isWhole: Bool, isAtEnd: Bool)
        case noPart
        case redirect([UInt8])
    }

    /// What stands between the head of a response and its end.
    private enum Reading {
        case head([UInt8])
        /// The body, and which of its bytes are wanted.
        case body(BodyWindow)
    }

    private let request: FetchRequest
    /// What messages call it.
    private let name: String
    private var reading = Reading.head([])
    /// How many bytes of the body have come.
    private var count = 0
    private var end = End.answer(isWhole: true, isAtEnd: true)

    init(_ request: FetchRequest, of name: String) {
        self.request = request
        self.name = name
    }

    /// The header fields: those of the options if the URL is of MASTER's origin, and then the request's own.
    private var fields: [HeaderLine] {
        let web = unsafe Web.shared
        var given: [HeaderLine] = []
        if let master = web.credentialsURL, RouteOrigin.isShared(request.url, master) { given = web.access.headers }
        let isNamed = given.contains { $0.name.withView { $0.equalsIgnoringCase("user-agent") } }
        let agent = isNamed ? [] : [HeaderLine("User-Agent", "surtitle/\(Surtitle.version)")]
        return agent + given + request.fields.map { HeaderLine(Array(String(describing: $0.name).utf8), $0.value) }
    }

    consuming func run(_ range: Range<Int>?, _ body: Web.Body) throws(Failure) -> End {
        let seconds = unsafe Web.shared.access.seconds
        guard let curl = CurlRequest(request.url, fields, seconds: seconds) else {
            throw .refused(name, "holds a line break or a NUL; percent-encode it")
        }
        var program = try refusing(try ChildProcess("curl", CurlRequest.words, input: curl.configuration)) {
            (error: SystemError) in
            error.code == ENOENT ? noCurl : Failure.refused(name, "curl cannot be started: \(error)")
        }
        var progress = Progress(name)
        defer { progress.end() }
        let memory = Memory(64 << 10)
        // curl ends itself; this is for one that does not.
        let deadline = Clock.seconds + Double(seconds) + 5
        while true {
            let next = try Failure.refusing(name, try unsafe program.next(into: memory.buffer, within: 250))
            progress.tell(count)
            switch next {
            case .nothing:
                if Clock.seconds > deadline { throw .refused(name, "no answer in \(seconds) s; raise --timeout") }
            case .end: return try conclude(program.end(waiting: true), seconds)
            case .bytes(let count):
                guard try unsafe take(memory.bytes(count), range, body) else {
                    _ = program.end(waiting: false)
                    return end
                }
            }
        }
    }

    /// What the end of curl means, all of whose output has been taken.
    private func conclude(_ ended: (status: Int32?, words: [UInt8]), _ seconds: Int) throws(Failure) -> End {
        guard ended.status == 0 else {
            if ended.status == 127 { throw noCurl }
            let words = String(decoding: ended.words, as: UTF8.self)
            let first = words.pieces(at: "\n").first { !$0.isEmpty }
            let advice = ended.status == 28 ? "; raise --timeout, which is \(seconds) s" : ""
            throw .refused(name, "\(first ?? "curl was ended before it had fetched it")\(advice)")
        }
        guard case .body = reading else { throw noAnswer }
        return end
    }

    private var noAnswer: Failure { .refused(name, "no HTTP answer; look into the server") }

    private var noCurl: Failure {
        .refused(
            name,
            "is fetched by the program curl, which is not installed, or not on PATH; install it, or save the file and name that"
        )
    }

    /// Takes the next bytes that curl has handed out. Returns whether more are wanted.
    private mutating func take(
        _ bytes: UnsafeRawBufferPointer, _ range: Range<Int>?, _ body: Web.Body
    ) throws(Failure) -> Bool {
        guard case .head(var head) = reading else { return try unsafe hand(bytes, body) }
        unsafe head.append(contentsOf: bytes)
        var length = 0
        guard let response = try refusing(try CurlHead(head, count: &length), { (_: CurlHead.Malformed) in noAnswer })
        else {
            reading = .head(head)
            return true
        }
        guard let window = try begin(response, range) else { return false }
        reading = .body(window)
        guard head.count > length else { return true }
        return try unsafe head.withUnsafeBytes { bytes in
            Result { () throws(Failure) in
                try unsafe hand(UnsafeRawBufferPointer(rebasing: bytes[length...]), body)
            }
        }.get()
    }

    /// Decides by the head of a response. Returns which bytes of its body are wanted; nil if none is.
    private mutating func begin(_ response: borrowing CurlHead, _ range: Range<Int>?) throws(Failure) -> BodyWindow? {
        if [301, 302, 303, 307, 308].contains(response.status), let location = response.location {
            end = .redirect(location)
            return nil
        }
        switch request.verdict(on: FetchResponse(status: response.status), response.fields) {
        case .refused(let reason): throw .refused(name, "\(reason)")
        case .noPart:
            // Nothing is behind the end.
            if response.status == 416, range?.lowerBound ?? 0 > 0 { return nil }
            end = .noPart
            return nil
        case .part(let part):
            end = .answer(isWhole: false, isAtEnd: part.total == part.bytes.upperBound + 1)
            return BodyWindow(0..<part.bytes.count, length: nil)
        case .whole(let length):
            end = .answer(isWhole: true, isAtEnd: true)
            if let range { return BodyWindow(range, length: nil) }
            if let length, length > request.byteLimit { throw tooLong }
            return BodyWindow(length: nil, limit: request.byteLimit)
        }
    }

    private var tooLong: Failure { .refused(name, "more than \(request.byteLimit) bytes; give something shorter") }

    /// Hands on the next bytes of the body. Returns whether more are wanted.
    private mutating func hand(_ bytes: UnsafeRawBufferPointer, _ body: Web.Body) throws(Failure) -> Bool {
        guard case .body(var window) = reading else { return false }
        let (wanted, fault) = window.cut(unsafe ByteView(bytes))
        reading = .body(window)
        count += bytes.count
        if fault != nil { throw tooLong }
        if !wanted.isEmpty {
            guard try unsafe body(wanted.buffer) else { return false }
        }
        if case .answer(true, _) = end { end = .answer(isWhole: true, isAtEnd: !window.isFilled) }
        return !window.isFilled
    }
}

/// A clock that nobody sets.
enum Clock {
    static var seconds: Double {
        var time = timespec()
        _ = unsafe clock_gettime(CLOCK_MONOTONIC, &time)
        return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }
}

/// A line on a terminal that says how far a fetch is, if it takes longer than a second.
private struct Progress {
    private let name: String
    private let start = Clock.seconds
    private var told: Double?

    init(_ name: String) { self.name = name }

    mutating func tell(_ count: Int) {
        let now = Clock.seconds
        guard now - start > 1, now - (told ?? start) > 0.2, Console.isTerminal else { return }
        told = now
        Console.show("fetching \(name): \(count >> 10) KiB, \(Int(now - start)) s")
    }

    func end() { if told != nil { Console.show("") } }
}
