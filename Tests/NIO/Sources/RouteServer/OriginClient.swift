import Delivery
import Foundation

/// Makes the requests to the origin, one after the other, each by a connection of its own, and follows redirects.
struct OriginClient {
    let router: Router
    /// For which requests are made: its fields go along.
    let player: RouteRequest

    /// What `job` finds out or brings.
    func answer(to job: FetchJob) throws(FetchError) -> FetchAnswer {
        var fetch = Fetch(job)
        while true {
            switch fetch.next() {
            case .answer(let answer): return answer
            case .failure(let error): throw error
            case .request(let request): make(request, for: &fetch)
            }
        }
    }

    /// All of `url`, if the origin has it.
    func whole(_ url: [UInt8]) -> [UInt8]? {
        guard let response = Response(to: url, { router.originHeaders(for: player, to: $0) }),
            response.head.status == 200
        else { return nil }
        var body: [UInt8] = []
        let isWhole = response.forEachChunk {
            body += $0
            return true
        }
        return isWhole ? body : nil
    }

    private func make(_ request: FetchRequest, for fetch: inout Fetch) {
        let fields = request.fields.map { HeaderLine(String(describing: $0.name), Routed.text($0.value)) }
        guard let response = Response(to: request.url, { router.originHeaders(for: player, to: $0) + fields }) else {
            return fetch.fail()
        }
        var lines = HeaderFields()
        for (name, value) in response.head.fields { lines.append(name, value) }
        var need = fetch.begin(FetchResponse(status: response.head.status, url: response.url), lines)
        guard need == .more else { return }
        let isWhole = response.forEachChunk { chunk in
            need = chunk.withUnsafeBytes { fetch.write($0) }
            return need == .more
        }
        if need == .more { if isWhole { fetch.finish() } else { fetch.fail() } }
    }
}

/// A response of the origin, whose body has not been read.
private struct Response {
    let head: MessageHead
    /// What answered, after redirects.
    let url: [UInt8]
    private let connection: Socket

    init?(to url: [UInt8], _ headers: ([UInt8]) -> [HeaderLine]) {
        var address = Routed.text(url)
        for _ in 0..<5 {
            guard let place = LoopbackURL(address), let socket = Socket.connect(port: place.port) else { return nil }
            let lines = headers(Array(address.utf8)).map { "\(Routed.text($0.name)): \(Routed.text($0.value))\r\n" }
                .joined()
            let host = "Host: \(place.host):\(place.port)\r\nConnection: close\r\n"
            socket.send(Array("GET \(place.path) HTTP/1.1\r\n\(host)\(lines)\r\n".utf8))
            guard let head = MessageHead(socket) else { return nil }
            guard 300..<400 ~= head.status, let location = head.value("location") else {
                self.head = head
                self.url = Array(address.utf8)
                connection = socket
                return
            }
            address = location.hasPrefix("/") ? "http://\(place.host):\(place.port)\(location)" : location
        }
        return nil
    }

    /// Hands out the body while `wants` says so: whether it came to its end. It has the length that the head says, or ends with the connection.
    func forEachChunk(_ wants: ([UInt8]) -> Bool) -> Bool {
        let length = head.value("content-length").flatMap { Int($0) }
        var left = length ?? .max
        while left > 0, let chunk = connection.receive(min(left, 64 << 10)), !chunk.isEmpty {
            left -= chunk.count
            if !wants(chunk) { return false }
        }
        return length == nil || left == 0
    }
}

enum Routed {
    static func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
}
