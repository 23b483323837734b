import NIOHTTP1

// Header fields on their way through a proxy (RFC 9110 7.6).

extension HTTPHeaders {
    /// How many fields Connection may name.
    private static var mostConnectionNames: Int { 32 }

    /// The fields that Connection names, as they are written; nil if they are more than anybody needs.
    var connectionNames: [Substring]? {
        var names: [Substring] = []
        for (name, value) in self where name.isField("connection") {
            for part in value.utf8.split(separator: UInt8(ascii: ",")) {
                let name = Substring(part).trimmed
                guard !name.isEmpty else { continue }
                guard names.count < Self.mostConnectionNames else { return nil }
                names.append(name)
            }
        }
        return names
    }

    /// The fields that are not the connection's own, Via with this proxy among them, framed anew.
    ///
    /// Left out are Connection and what it names, and the fields that RFC 9110 7.6.1 lists. Cache-Control and Via stay:
    /// they are for all who hand a message on.
    ///
    /// - Returns: Nil if Connection names more than anybody needs.
    func forwarded(_ framing: Framing) -> HTTPHeaders? {
        guard let names = connectionNames else { return nil }
        let named = names.filter { !$0.isField("cache-control") && !$0.isField("via") }.map { $0.lowercased() }
        var kept = HTTPHeaders()
        kept.reserveCapacity(count + 3)
        for (name, value) in self where !name.isOfConnection && !name.isOfFraming {
            if !named.isEmpty, named.contains(name.lowercased()) { continue }
            kept.add(name: name, value: value)
        }
        kept.add(name: "Via", value: "1.1 surtitle")
        kept.frame(framing)
        return kept
    }

    /// Trailers without those that would say something of the message's way.
    var forwardedTrailers: HTTPHeaders {
        var kept = HTTPHeaders()
        for (name, value) in self where !name.isOfFraming && !name.isOfConnection && !name.isField("host") {
            kept.add(name: name, value: value)
        }
        return kept
    }
}

extension HTTPRequestHead {
    /// The request as it goes to the origin called `authority`, which takes HTTP/1.1.
    package func forwarded(to authority: String, _ length: BodyLength) -> HTTPRequestHead {
        // HeadJudge has counted the names of Connection.
        var fields = headers.forwarded(Framing(method, nil, .http1_1, length)) ?? HTTPHeaders()
        fields.remove(name: "Expect")
        fields.replaceOrAdd(name: "Host", value: authority)
        return HTTPRequestHead(version: .http1_1, method: method, uri: uri, headers: fields)
    }
}

extension HTTPResponseHead {
    /// The response as it goes to a client, framed so; nil if Connection names more than anybody needs.
    func forwarded(_ framing: Framing, keepsAlive: Bool) -> HTTPResponseHead? {
        guard var fields = headers.forwarded(framing) else { return nil }
        if !keepsAlive { fields.add(name: "Connection", value: "close") }
        return HTTPResponseHead(version: .http1_1, status: status, headers: fields)
    }
}

extension String {
    fileprivate var isOfConnection: Bool {
        switch utf8.count {
        case 2: isField("te")
        case 7: isField("upgrade") || isField("trailer")
        case 10: isField("connection") || isField("keep-alive")
        case 16: isField("proxy-connection")
        case 18: isField("proxy-authenticate")
        case 19: isField("proxy-authorization")
        default: false
        }
    }
}

extension Substring {
    /// Without the white space around it.
    fileprivate var trimmed: Substring {
        let isSpace: (UInt8) -> Bool = { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\t") }
        var rest = utf8.drop(while: isSpace)
        while let last = rest.last, isSpace(last) { rest.removeLast() }
        return Substring(rest)
    }
}
