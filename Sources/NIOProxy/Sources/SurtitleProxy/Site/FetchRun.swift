import Crypto
import Delivery
import Encodings
import NIOCore
import NIOHTTP1
import _CryptoExtras

/// Carries out a job of fetching: makes the requests that the machine asks for, one after the other, and feeds it.
final class FetchRun: OriginGet.Reader {
    private var fetch: Fetch
    private let pool: OriginPool
    private let file: [UInt8]?
    private let request: Router.Request
    private var done: ((Fetch.Step) -> Void)?
    private var get: OriginGet?
    /// What decodes the body of the request that is under way, if the track names an encoding.
    private var decoder: TextDecoder?
    /// How many bytes are held of what has come.
    private(set) var heldBytes = 0
    /// Called when that has changed.
    var whenHolding: () -> Void = {}

    /// - Parameters:
    ///   - file: What is at the URL of a local file.
    ///   - request: Says where may be asked, and with which header fields.
    ///   - done: Called with the last step.
    init(
        _ job: FetchJob, for request: Router.Request, by pool: OriginPool, file: [UInt8]? = nil,
        done: @escaping (Fetch.Step) -> Void
    ) {
        fetch = Fetch(job)
        fetch.decrypts = true
        fetch.learnsWhatStays = true
        self.pool = pool
        self.file = file
        self.request = request
        self.done = done
    }

    /// Asks for what is wanted next, until there is nothing left to ask for.
    func proceed() {
        while let done {
            switch fetch.next() {
            case .request(let request) where request.url == FetchTrack.localURL: feedFile()
            case .request(let fetched):
                do {
                    decoder = try fetched.encoding.map {
                        try TextDecoder(in: TextEncoding(String(decoding: $0, as: UTF8.self)))
                    }
                } catch {
                    // The names were known when the site was loaded: there is no memory left.
                    fetch.fail()
                    continue
                }
                get = OriginGet(fetched, of: request, by: pool, for: self)
                return
            case .decrypt(let decryption): fetch.take(decrypted: decryption.decrypted)
            case .answer, .failure:
                self.done = nil
                done(fetch.next())
            }
        }
    }

    func cancel() {
        done = nil
        get?.cancel()
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

    func read(_ bytes: ByteBuffer) -> Bool {
        var need = Fetch.Need.more
        bytes.withUnsafeReadableBytes { bytes in
            guard let decoder else { return need = fetch.write(bytes) }
            decoder.write(bytes) { need = fetch.write($0) }
        }
        heldBytes = fetch.heldBytes
        whenHolding()
        return goOn(need)
    }

    func ended(isWhole: Bool) {
        if isWhole {
            decoder?.finish { fetch.write($0) }
            fetch.finish()
        } else {
            fetch.fail()
        }
        proceed()
    }

    /// Whether more is wanted; if not, the next request is made once this one is dropped.
    private func goOn(_ need: Fetch.Need) -> Bool {
        if need == .more { return true }
        pool.later { [self] in proceed() }
        return false
    }
}

extension Decryption {
    /// What the bytes become; nil if the key is none.
    var decrypted: [UInt8]? {
        guard let vector = try? AES._CBC.IV(ivBytes: vector) else { return nil }
        let key = SymmetricKey(data: key)
        return (try? AES._CBC.decrypt(bytes, using: key, iv: vector, noPadding: true)).map { Array($0) }
    }
}
