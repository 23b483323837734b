import Delivery
import NIOCore
import NIOHTTP1

/// Carries out a job of fetching: makes the requests that the machine asks for, one after the other, and feeds it.
final class FetchRun: OriginGet.Reader {
    /// What stands for the URL of a file of this machine. No such host can be (RFC 6761 6.4).
    static let fileURL = Array("http://file.invalid/".utf8)

    private var fetch: Fetch
    private let pool: OriginPool
    private let file: [UInt8]?
    private let fields: ([UInt8]) -> [HeaderLine]
    private var done: ((Result<FetchAnswer, FetchError>) -> Void)?
    private var get: OriginGet?

    /// - Parameters:
    ///   - file: What is at ``fileURL``.
    ///   - fields: The header fields of requests to an URL, beside those that the job wants.
    init(
        _ job: FetchJob, by pool: OriginPool, file: [UInt8]? = nil, fields: @escaping ([UInt8]) -> [HeaderLine],
        done: @escaping (Result<FetchAnswer, FetchError>) -> Void
    ) {
        fetch = Fetch(job)
        self.pool = pool
        self.file = file
        self.fields = fields
        self.done = done
    }

    /// Asks for what is wanted next, until there is nothing left to ask for.
    func proceed() {
        while let done {
            switch fetch.next() {
            case .answer(let answer): finish(done, .success(answer))
            case .failure(let error): finish(done, .failure(error))
            case .request(let request) where request.url == Self.fileURL: feedFile()
            case .request(let request):
                let wanted = request.fields.map { HeaderLine("\($0.name)", String(decoding: $0.value, as: UTF8.self)) }
                get = OriginGet(request.url, by: pool, for: self) { [fields] in fields($0) + wanted }
                return
            }
        }
    }

    func cancel() {
        done = nil
        get?.cancel()
        get = nil
    }

    private func finish(
        _ done: (Result<FetchAnswer, FetchError>) -> Void, _ result: Result<FetchAnswer, FetchError>
    ) {
        self.done = nil
        get = nil
        done(result)
    }

    private func feedFile() {
        guard let file else { return fetch.fail() }
        guard fetch.begin(FetchResponse(status: 200), HeaderFields()) == .more else { return }
        if file.withUnsafeBytes({ fetch.write($0) }) == .more { fetch.finish() }
    }

    // MARK: Responses

    func began(_ status: Int, _ url: String, _ headers: HTTPHeaders) -> Bool {
        var lines = HeaderFields()
        for (name, value) in headers { lines.append(name, value) }
        return goOn(fetch.begin(FetchResponse(status: status, url: Array(url.utf8)), lines))
    }

    func read(_ bytes: ByteBuffer) -> Bool { goOn(bytes.withUnsafeReadableBytes { fetch.write($0) }) }

    func ended(isWhole: Bool) {
        if isWhole { fetch.finish() } else { fetch.fail() }
        proceed()
    }

    /// Whether more is wanted; if not, the next request is made once this one is dropped.
    private func goOn(_ need: Fetch.Need) -> Bool {
        if need == .more { return true }
        pool.later { [self] in proceed() }
        return false
    }
}
