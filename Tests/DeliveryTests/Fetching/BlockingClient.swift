import Delivery
import Foundation

/// A small HTTP/1.1 client that makes one request after the other, for a machine that says which.
struct BlockingClient {
    /// How many bytes are read at a time.
    let chunkSize: Int
    private(set) var requests: [FetchRequest] = []

    init(chunkSize: Int) { self.chunkSize = chunkSize }

    /// Drives the job to its end.
    mutating func run(_ job: FetchJob, limits: FetchLimits = FetchLimits()) -> Fetch.Step {
        var fetch = Fetch(job, limits: limits)
        while true {
            let step = fetch.next()
            guard case .request(let request) = step else { return step }
            requests.append(request)
            Self.make(request, for: &fetch, chunkSize)
        }
    }

    /// Makes a request, follows redirects, and feeds what comes.
    private static func make(_ request: FetchRequest, for fetch: inout Fetch, _ chunkSize: Int) {
        var url = String(decoding: request.url, as: UTF8.self)
        var fields = HeaderFields()
        for _ in 0..<5 {
            guard let parts = Place(url), let connection = Socket.connect(port: parts.port) else { break }
            defer { close(connection) }
            let lines = request.fields.map { "\($0.name): \(String(decoding: $0.value, as: UTF8.self))\r\n" }.joined()
            Socket.send(connection, Array("GET \(parts.path) HTTP/1.1\r\nHost: 127.0.0.1\r\n\(lines)\r\n".utf8))
            guard let head = Head(connection) else { break }
            if 300..<400 ~= head.status, let location = head.value("location") {
                url = location.hasPrefix("/") ? "http://127.0.0.1:\(parts.port)\(location)" : location
                continue
            }
            fields.removeAll()
            for (name, value) in head.fields { fields.append(name, value) }
            let need = fetch.begin(FetchResponse(status: head.status, url: Array(url.utf8)), fields)
            if need == .more { feed(connection, head.value("content-length").flatMap { Int($0) }, &fetch, chunkSize) }
            return
        }
        fetch.fail()
    }

    /// Feeds the body, which has `length` bytes or ends with the connection.
    private static func feed(_ connection: Int32, _ length: Int?, _ fetch: inout Fetch, _ chunkSize: Int) {
        var left = length ?? .max
        var chunk = [UInt8](repeating: 0, count: chunkSize)
        while left > 0 {
            let count = recv(connection, &chunk, min(chunk.count, left), 0)
            guard count > 0 else { break }
            left -= count
            if chunk[..<count].withUnsafeBytes({ unsafe fetch.write($0) }) == .enough { return }
        }
        if length == nil || left == 0 { fetch.finish() } else { fetch.fail() }
    }

    /// Where a URL leads on loopback.
    private struct Place {
        let port: UInt16
        let path: String

        init?(_ url: String) {
            let prefix = "http://127.0.0.1:"
            guard url.hasPrefix(prefix) else { return nil }
            let rest = url.dropFirst(prefix.count)
            let slash = rest.firstIndex(of: "/") ?? rest.endIndex
            guard let port = UInt16(rest[..<slash]) else { return nil }
            self.port = port
            path = slash == rest.endIndex ? "/" : String(rest[slash...])
        }
    }

    /// The beginning of a response.
    private struct Head {
        let status: Int
        var fields: [(name: String, value: String)] = []

        init?(_ connection: Int32) {
            var head: [UInt8] = []
            var byte: UInt8 = 0
            while head.suffix(4) != [13, 10, 13, 10] {
                guard recv(connection, &byte, 1, 0) == 1 else { return nil }
                head.append(byte)
            }
            let lines = String(decoding: head, as: UTF8.self).components(separatedBy: "\r\n")
            guard let status = Int(lines[0].split(separator: " ")[1]) else { return nil }
            self.status = status
            for line in lines.dropFirst() {
                guard let colon = line.firstIndex(of: ":") else { continue }
                fields.append((String(line[..<colon]), String(line[line.index(after: colon)...])))
            }
        }

        func value(_ name: String) -> String? {
            fields.first { $0.name.lowercased() == name }?.value.trimmingCharacters(in: .whitespaces)
        }
    }
}
