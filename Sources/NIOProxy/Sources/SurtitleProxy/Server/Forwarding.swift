import NIOHTTP1

// Header fields on their way through a proxy (RFC 9110 7.6).

extension HTTPHeaders {
    /// The fields that are not the connection's own, Via with this proxy among them.
    ///
    /// Left out are Connection, whatever it names, and those that RFC 9110 7.6.1 lists; and how the message was framed, but for its length.
    func forwarded(leavingOut others: String...) -> HTTPHeaders {
        var named = others
        for (name, value) in self where name.isField("connection") {
            named += value.split(separator: ",").map { $0.trimmed.lowercased() }
        }
        var kept = HTTPHeaders()
        kept.reserveCapacity(count + 3)
        for (name, value) in self where !name.isOfConnection && !named.contains(where: { name.isField($0) }) {
            kept.add(name: name, value: value)
        }
        kept.add(name: "Via", value: "1.1 surtitle")
        return kept
    }
}

extension HTTPRequestHead {
    /// The request as it goes to the origin called `authority`.
    func forwarded(to authority: String) -> HTTPRequestHead {
        var fields = headers.forwarded(leavingOut: "host", "expect")
        fields.add(name: "Host", value: authority)
        if headers.contains(name: "Transfer-Encoding") {
            fields.remove(name: "Content-Length")
            fields.add(name: "Transfer-Encoding", value: "chunked")
        }
        return HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: fields)
    }

    /// Whether a body follows (RFC 9112 6.3).
    var hasBody: Bool { headers.contains(name: "Content-Length") || headers.contains(name: "Transfer-Encoding") }

    /// Path and query: of `http://host/path` too, which servers must take (RFC 9112 3.2.2).
    mutating func makeOriginForm() {
        guard !uri.hasPrefix("/"), let url = OriginURL(uri) else { return }
        uri = url.target
    }
}

extension HTTPResponseHead {
    /// The response as it goes to a client, in answer to `request`.
    ///
    /// - Parameter keepsAlive: Whether another request may follow. Not if the body's end is that of the connection.
    func forwarded(to request: HTTPRequestHead, keepsAlive: inout Bool) -> HTTPResponseHead {
        var fields = headers.forwarded()
        if status == .noContent { fields.remove(name: "Content-Length") }
        let hasBody = request.method != .HEAD && status != .noContent && status != .notModified
        if headers.contains(name: "Transfer-Encoding") { fields.remove(name: "Content-Length") }
        if hasBody, !fields.contains(name: "Content-Length") {
            if request.version == .http1_0 {
                keepsAlive = false
            } else {
                fields.add(name: "Transfer-Encoding", value: "chunked")
            }
        }
        if !keepsAlive { fields.add(name: "Connection", value: "close") }
        return HTTPResponseHead(version: .http1_1, status: status, headers: fields)
    }
}

extension String {
    fileprivate var isOfConnection: Bool {
        let names: [String] =
            switch utf8.count {
            case 2: ["te"]
            case 7: ["upgrade", "trailer"]
            case 10: ["connection", "keep-alive"]
            case 16: ["proxy-connection"]
            case 17: ["transfer-encoding"]
            case 18: ["proxy-authenticate"]
            case 19: ["proxy-authorization"]
            default: []
            }
        return names.contains { isField($0) }
    }

    /// Whether it is the name `name`, which is in lower case.
    fileprivate func isField(_ name: String) -> Bool {
        utf8.count == name.utf8.count && utf8.elementsEqual(name.utf8) { $0 == $1 || $0 | 0x20 == $1 }
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        let isSpace: (Character) -> Bool = { $0 == " " || $0 == "\t" }
        var rest = drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return rest
    }
}
