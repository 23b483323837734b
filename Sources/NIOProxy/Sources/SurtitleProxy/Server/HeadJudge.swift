import NIOHTTP1

// A request's head is judged before anything else sees it. Others read what is ambiguous in another way than this proxy
// does, and what one of two readers overlooks the other acts on: a body taken for requests, a path taken for a host. So
// it is refused, not repaired.
//
//     target       up to 8 KiB of visible bytes, in origin form; an absolute form becomes that. None begins with // or
//                  /\, which browsers take for a host when it comes back to them in a Location; so no path of a
//                  playlist within /.surtitle/ does either
//     Host         one, by a name of this proxy's; HTTP/1.0 needs none. The host of an absolute form takes its
//                  place (RFC 9112 3.2.2)
//     Connection   up to 32 names, and none of a field that the next server finds the body or the site by
//     body         BodyFraming tells

/// Decides whether a request's head can be acted on.
package enum HeadJudge {
    /// Why a request is refused.
    package struct Refusal: Error, Equatable {
        /// What the client is told.
        package let status: HTTPResponseStatus
        /// What the log is told.
        let reason: String
    }

    /// How many bytes a target has at most.
    package static let longestTarget = 8 << 10

    /// The head with its target in origin form.
    ///
    /// - Parameter names: Those by which clients may call the proxy.
    /// - Throws: Why there is no answer but a status. The connection cannot go on after it.
    package static func judge(
        _ head: HTTPRequestHead, for names: HostNames = .any
    ) throws(Refusal) -> HTTPRequestHead {
        guard head.version.major == 1 else {
            throw Refusal(status: .httpVersionNotSupported, reason: "a version other than 1")
        }
        guard head.method != .CONNECT else { throw Refusal(status: .methodNotAllowed, reason: "CONNECT") }
        let (target, authority) = try originForm(of: head)
        let host = try judgeFields(head)
        guard let authority else {
            if let host { try judge(host: host, for: names) }
            return head
        }
        try judge(host: authority, for: names)
        var judged = head
        judged.uri = target
        judged.headers.replaceOrAdd(name: "Host", value: authority)
        return judged
    }

    private static func judge(host: String, for names: HostNames) throws(Refusal) {
        if names.contain(host) == true { return }
        guard HostNames.isHost(host) else { throw Refusal("a Host that is none") }
        guard names == .any else {
            throw Refusal(status: .misdirectedRequest, reason: "a Host that is not called so here")
        }
    }

    // MARK: The target

    /// The target in origin form, and of an absolute form the authority.
    private static func originForm(
        of head: HTTPRequestHead
    ) throws(Refusal) -> (target: String, authority: String?) {
        let target = head.uri
        guard target.utf8.count <= longestTarget else {
            throw Refusal(status: .uriTooLong, reason: "a target of \(target.utf8.count) bytes")
        }
        guard !target.utf8.contains(where: { $0 <= 0x20 || $0 == 0x7F }) else {
            throw Refusal("a control character in the target")
        }
        if target.utf8.first == slash { return (try judged(target), nil) }
        if target == "*", head.method == .OPTIONS { return (target, nil) }
        guard let url = OriginURL(target) else { throw Refusal("a target that is no path and no http or https URL") }
        return (try judged(url.target), url.address.authority)
    }

    private static func judged(_ target: String) throws(Refusal) -> String {
        guard !pointsElsewhere(target.utf8) else { throw Refusal("a target that begins like a host") }
        if target.utf8.starts(with: Site.prefix.utf8) {
            let path = target.utf8.dropFirst(Site.prefix.utf8.count).prefix { $0 != slash }
            guard !pointsElsewhere(decodedStart(of: path)) else {
                throw Refusal("a path within that begins like a host")
            }
        }
        return target
    }

    private static let slash = UInt8(ascii: "/")

    /// Whether browsers take what begins so for a host and a path.
    private static func pointsElsewhere(_ path: some Collection<UInt8>) -> Bool {
        guard path.first == slash, let second = path.dropFirst().first else { return false }
        return second == slash || second == UInt8(ascii: "\\")
    }

    /// The first two bytes, percent-decoded.
    private static func decodedStart(of path: Substring.UTF8View.SubSequence) -> [UInt8] {
        var bytes: [UInt8] = []
        var rest = path
        while bytes.count < 2, let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return bytes
    }

    // MARK: Fields

    /// - Returns: The value of Host.
    private static func judgeFields(_ head: HTTPRequestHead) throws(Refusal) -> String? {
        var hosts = 0
        var host: String?
        var saysMore = false
        for (name, value) in head.headers {
            if name.isField("host") { (hosts, host) = (hosts + 1, value) }
            saysMore = saysMore || name.isOfFraming || name.isField("connection")
        }
        guard hosts == 1 || hosts == 0 && head.version == .http1_0 else { throw Refusal("\(hosts) fields called Host") }
        guard saysMore else { return host }
        guard let names = head.headers.connectionNames else { throw Refusal("too many names in Connection") }
        for name in names where String(name).isOfFraming || name.isField("host") {
            throw Refusal("a field that Connection must not name")
        }
        do {
            let framing = try BodyFraming(head.headers)
            guard head.version != .http1_0 || !framing.needsHTTP11 else { throw FramingFault.length }
        } catch FramingFault.coding {
            throw Refusal(status: .notImplemented, reason: "a transfer coding other than chunked")
        } catch {
            throw Refusal("more than one way to find the end of the body")
        }
        return host
    }
}

extension HeadJudge.Refusal {
    fileprivate init(_ reason: String) { self.init(status: .badRequest, reason: reason) }
}
