import NIOHTTP1

// How the end of a message's body is told (RFC 9112 6). This is the only file that names Content-Length and
// Transfer-Encoding.
//
//     head that came  ──▶ BodyFraming   what NIO's decoder has framed the body by; a fault if that is ambiguous
//                     ──▶ BodyLength    none, so many bytes, or unknown
//     head that goes  ──▶ Framing       made anew of method, status, version and length, not of the fields that came
//
// NIO's encoders take what they are told (`automaticallySetFramingHeaders` is false). HTTPResponseSideloader, which is
// to be copied and so stands alone, frames again what it edits.

/// How long a message's body is.
package enum BodyLength: Equatable, Sendable {
    /// There is no body.
    case none
    /// So many bytes.
    case known(Int)
    /// Chunks, or the end of the connection, tell.
    case unknown
}

/// Why nobody can be sure where a message ends.
package enum FramingFault: Error {
    /// Lengths that differ or are no numbers, or a length besides a transfer coding.
    case length
    /// A transfer coding other than `chunked` alone.
    case coding
}

/// By what the body of a message that came is framed.
package struct BodyFraming: Equatable, Sendable {
    private let isChunked: Bool
    private let announced: Int?

    /// Reads the framing of a message with the fields `headers`.
    package init(_ headers: HTTPHeaders) throws(FramingFault) {
        var isChunked = false
        var announced: Int?
        for (name, value) in headers {
            if name.isField("transfer-encoding") {
                guard !isChunked, value.isField("chunked") else { throw .coding }
                isChunked = true
            } else if name.isField("content-length") {
                let digits = value.utf8.allSatisfy { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
                guard digits, let length = Int(value), announced == nil || announced == length else { throw .length }
                announced = length
            }
        }
        guard !isChunked || announced == nil else { throw .length }
        self.isChunked = isChunked
        self.announced = announced
    }

    /// The length of a request's body. Without a word about it there is none.
    package var ofRequest: BodyLength { isChunked ? .unknown : announced.map { .known($0) } ?? .none }

    /// The length of a response's body, or what it would be in answer to a GET.
    package var ofResponse: BodyLength { announced.map { .known($0) } ?? .unknown }

    /// Whether a request says how it goes on in a way that HTTP/1.0 does not know (RFC 9112 6.1).
    var needsHTTP11: Bool { isChunked }

    /// Whether a response ends before its connection does.
    package func endsByItself(to method: HTTPMethod, _ status: HTTPResponseStatus) -> Bool {
        isChunked || announced != nil || !status.hasBody(to: method)
    }
}

/// How the end of a message that goes out is told.
package enum Framing: Equatable, Sendable {
    /// It ends with its head, and says nothing of a length.
    case head
    /// Content-Length; for HEAD and 304 that of a body that does not follow.
    case length(Int)
    case chunks
    /// The end of the connection.
    case connection

    /// The framing of a response with `status`, or of a request if that is nil.
    ///
    /// - Parameter version: What the receiver speaks.
    package init(_ method: HTTPMethod, _ status: HTTPResponseStatus?, _ version: HTTPVersion, _ length: BodyLength) {
        if let status, status.code < 200 || status == .noContent {
            self = .head
            return
        }
        switch length {
        case .none: self = .head
        case .known(let count): self = .length(count)
        case .unknown:
            if let status, !status.hasBody(to: method) {
                self = .head
            } else {
                self = version == .http1_0 ? .connection : .chunks
            }
        }
    }

    fileprivate var field: (name: String, value: String)? {
        switch self {
        case .head, .connection: nil
        case .length(let count): ("Content-Length", String(count))
        case .chunks: ("Transfer-Encoding", "chunked")
        }
    }
}

extension HTTPHeaders {
    /// Without what has been said of where the message ends.
    var withoutFraming: HTTPHeaders { HTTPHeaders(filter { !$0.name.isOfFraming }.map { ($0.name, $0.value) }) }

    /// Says where the message ends. What has been said of it must have been left out.
    mutating func frame(_ framing: Framing) {
        guard let (name, value) = framing.field else { return }
        add(name: name, value: value)
    }
}

extension HTTPResponseHead {
    /// Whether nothing but the end of the connection tells the end of this response, which goes out in answer to
    /// `method`.
    func endsWithConnection(to method: HTTPMethod) -> Bool {
        status.hasBody(to: method) && !headers.contains { name, _ in name.isOfFraming }
    }
}

extension HTTPResponseStatus {
    /// Whether a body follows the head of a final response (RFC 9112 6.3).
    fileprivate func hasBody(to method: HTTPMethod) -> Bool {
        method != .HEAD && self != .noContent && self != .notModified
    }
}

extension String {
    /// Whether it is the name of a field that frames messages.
    var isOfFraming: Bool {
        switch utf8.count {
        case 14: isField("content-length")
        case 17: isField("transfer-encoding")
        default: false
        }
    }
}

extension StringProtocol {
    /// Whether it is `name`, which is in lower case. Both are tokens (RFC 9110 5.1).
    @inline(__always)
    func isField(_ name: StaticString) -> Bool { utf8.count == name.utf8CodeUnitCount && equals(name) }

    private func equals(_ name: StaticString) -> Bool {
        name.withUTF8Buffer { utf8.elementsEqual($0) { $0 == $1 || ($1 > 0x60 && $0 | 0x20 == $1) } }
    }
}

extension NIOHTTPDecoderLimitConfiguration {
    /// For the heads of requests and responses: 256 fields, and 96 KiB together.
    package static var ofHeads: NIOHTTPDecoderLimitConfiguration {
        var limits = NIOHTTPDecoderLimitConfiguration()
        limits.maxHeaderListSize = 96 << 10
        return limits
    }
}
