import Delivery
import Foundation
import NIOCore
import NIOHTTP1

/// A GET to an origin that follows redirects, as far as the request for which it is made may go there. A redirect that
/// leads elsewhere is the answer.
final class OriginGet: OriginReceiver {
    /// Who gets the response. Each but the last call answers whether more is wanted.
    protocol Reader: AnyObject {
        func began(_ status: Int, _ url: String, _ headers: HTTPHeaders) -> Bool
        func read(_ bytes: ByteBuffer) -> Bool
        /// Nothing more comes; `isWhole` unless it broke off.
        func ended(isWhole: Bool)
    }

    private let fetched: FetchRequest
    private let request: Router.Request
    private let pool: OriginPool
    private weak var reader: (any Reader)?
    private var url: String
    private var exchange: OriginExchange?
    private var redirectsLeft = 5

    /// Makes the request. Nothing is called before this has returned.
    init(
        _ fetched: FetchRequest, of request: Router.Request, by pool: OriginPool, for reader: any Reader
    ) {
        self.fetched = fetched
        self.request = request
        self.pool = pool
        self.reader = reader
        url = String(decoding: fetched.url, as: UTF8.self)
        begin(request.mayFetch(fetched))
    }

    /// Drops the request: nothing comes to the reader any more.
    func cancel() {
        reader = nil
        exchange?.cancel()
        exchange = nil
    }

    private func begin(_ permission: FetchPermission) {
        guard permission.lets, let place = OriginURL(url) else {
            return pool.later { [self] in reader?.ended(isWhole: false) }
        }
        var headers = HTTPHeaders([("Host", place.address.authority)])
        for line in request.headers(of: fetched, at: Array(url.utf8)) {
            headers.add(
                name: String(decoding: line.name, as: UTF8.self), value: String(decoding: line.value, as: UTF8.self))
        }
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: place.target, headers: headers)
        let exchange = OriginExchange(
            head, to: place.address, by: pool, for: self, onlyPublic: permission == .grantedIfPublic)
        self.exchange = exchange
        exchange.send(.end(nil))
    }

    func originAnswered(_ head: HTTPResponseHead, _ length: BodyLength) {
        let status = Int(head.status.code)
        if 300..<400 ~= status, status != 304, redirectsLeft > 0, let location = head.headers.first(name: "Location"),
            let base = URL(string: url), let next = URL(string: location, relativeTo: base)?.absoluteString
        {
            let permission = request.mayFetch(fetched, at: Array(next.utf8), redirectedFrom: Array(url.utf8))
            if permission.lets {
                redirectsLeft -= 1
                exchange?.cancel()
                url = next
                return begin(permission)
            }
        }
        if reader?.began(status, url, head.headers) == false { cancel() }
    }

    func originSent(_ bytes: ByteBuffer) { if reader?.read(bytes) == false { cancel() } }

    func originEnded(_ trailers: HTTPHeaders?) { end(isWhole: true) }

    func originFailed(_ failure: OriginFailure) { end(isWhole: false) }

    private func end(isWhole: Bool) {
        // Each holds the other.
        exchange = nil
        reader?.ended(isWhole: isWhole)
    }
}

extension FetchPermission {
    /// Whether a request may be made, be it only where its host has led to the public net.
    fileprivate var lets: Bool { self == .granted || self == .grantedIfPublic }
}
