import Delivery
import Foundation
import NIOCore
import NIOHTTP1

/// A GET to an origin that follows redirects.
final class OriginGet: OriginReceiver {
    /// Who gets the response. Each but the last call answers whether more is wanted.
    protocol Reader: AnyObject {
        func began(_ status: Int, _ url: String, _ headers: HTTPHeaders) -> Bool
        func read(_ bytes: ByteBuffer) -> Bool
        /// Nothing more comes; `isWhole` unless it broke off.
        func ended(isWhole: Bool)
    }

    private let pool: OriginPool
    /// The header fields of a request to an URL.
    private let fields: ([UInt8]) -> [HeaderLine]
    private weak var reader: (any Reader)?
    private var url: String
    private var exchange: OriginExchange?
    private var redirectsLeft = 5

    /// Makes the request. Nothing is called before this has returned.
    init(
        _ url: [UInt8], by pool: OriginPool, for reader: any Reader, fields: @escaping ([UInt8]) -> [HeaderLine]
    ) {
        self.pool = pool
        self.fields = fields
        self.reader = reader
        self.url = String(decoding: url, as: UTF8.self)
        begin()
    }

    /// Drops the request: nothing comes to the reader any more.
    func cancel() {
        reader = nil
        exchange?.cancel()
        exchange = nil
    }

    private func begin() {
        guard let place = OriginURL(url) else { return pool.later { [self] in reader?.ended(isWhole: false) } }
        var headers = HTTPHeaders([("Host", place.address.authority)])
        for line in fields(Array(url.utf8)) {
            headers.add(
                name: String(decoding: line.name, as: UTF8.self), value: String(decoding: line.value, as: UTF8.self))
        }
        let head = HTTPRequestHead(version: .http1_1, method: .GET, uri: place.target, headers: headers)
        let exchange = OriginExchange(head, to: place.address, by: pool, for: self)
        self.exchange = exchange
        exchange.send(.end(nil))
    }

    func originAnswered(_ head: HTTPResponseHead, _ length: BodyLength) {
        let status = Int(head.status.code)
        if 300..<400 ~= status, status != 304, redirectsLeft > 0, let location = head.headers.first(name: "Location"),
            let base = URL(string: url), let next = URL(string: location, relativeTo: base)
        {
            redirectsLeft -= 1
            exchange?.cancel()
            url = next.absoluteString
            return begin()
        }
        if reader?.began(status, url, head.headers) == false { cancel() }
    }

    func originSent(_ bytes: ByteBuffer) { if reader?.read(bytes) == false { cancel() } }

    func originEnded(_ trailers: HTTPHeaders?) { reader?.ended(isWhole: true) }

    func originFailed(_ failure: OriginFailure) { reader?.ended(isWhole: false) }
}
