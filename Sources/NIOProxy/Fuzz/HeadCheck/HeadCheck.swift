import NIOCore
import NIOEmbedded
import NIOHTTP1
import SurtitleProxy

// What HeadJudge lets through must mean to every reader what it means to this proxy.
//
//     bytes ──▶ NIO's decoder ──▶ HeadJudge ──▶ forwarded, framed anew ──▶ NIO's decoder
//
// 1. A body is as long as BodyFraming says that it is: what the judge has accepted, the decoder has not framed
//    otherwise.
// 2. What goes to the origin is one request, whole, of the same method and target, with one Host and the same body.
// 3. Where the bytes are split changes nothing.

/// Checks what becomes of requests, as a client of any kind may write them.
public enum HeadCheck {
    /// A request as the decoder has told it.
    private struct Message: Equatable {
        var head: HTTPRequestHead
        var body: [UInt8] = []
        var isWhole = false
    }

    /// What is wrong about `bytes`, the first of a client's connection; each begins with the number of its law.
    public static func faults(in bytes: [UInt8]) -> [String] {
        let messages = decode(bytes, by: max(bytes.count, 1))
        var faults: [String] = []
        if bytes.count <= 4096, decode(bytes, by: 1) != messages { faults.append("3: byte by byte it is another") }
        for message in messages {
            guard let head = try? HeadJudge.judge(message.head), let framing = try? BodyFraming(head.headers) else {
                // The connection ends here.
                break
            }
            faults += check(message, framing.ofRequest)
            if message.isWhole { faults += checkForwarded(message, head, framing.ofRequest) }
        }
        return faults
    }

    private static func check(_ message: Message, _ length: BodyLength) -> [String] {
        let count = message.body.count
        let isRight =
            switch length {
            case .none: count == 0
            case .known(let length): message.isWhole ? count == length : count < length || length == 0
            case .unknown: true
            }
        return isRight ? [] : ["1: \(count) bytes of a body that is \(length)"]
    }

    private static func checkForwarded(_ message: Message, _ head: HTTPRequestHead, _ length: BodyLength) -> [String] {
        let forwarded = head.forwarded(to: "origin.example", length)
        let messages = decode(encode(forwarded, message.body), by: 1 << 20)
        guard messages.count == 1, let seen = messages.first else { return ["2: \(messages.count) requests"] }
        var faults: [String] = []
        if !seen.isWhole { faults.append("2: no end") }
        if seen.body != message.body { faults.append("2: another body") }
        if seen.head.method != head.method || seen.head.uri != head.uri { faults.append("2: another request") }
        if seen.head.headers[canonicalForm: "host"].map(String.init) != ["origin.example"] {
            faults.append("2: another Host")
        }
        return faults
    }

    // MARK: NIO's codec

    private static func decode(_ bytes: [UInt8], by size: Int) -> [Message] {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        let decoder = HTTPRequestDecoder(leftOverBytesStrategy: .dropBytes, limitConfiguration: .ofHeads)
        guard (try? channel.pipeline.syncOperations.addHandler(ByteToMessageHandler(decoder))) != nil else { return [] }
        var messages: [Message] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let isRefused = (try? channel.writeInbound(ByteBuffer(bytes: rest.prefix(size)))) == nil
            rest = rest.dropFirst(size)
            while let part = (try? channel.readInbound(as: HTTPServerRequestPart.self)) ?? nil {
                switch part {
                case .head(let head): messages.append(Message(head: head))
                case .body(let bytes): messages[messages.count - 1].body += bytes.readableBytesView
                case .end: messages[messages.count - 1].isWhole = true
                }
            }
            if isRefused { break }
        }
        return messages
    }

    private static func encode(_ head: HTTPRequestHead, _ body: [UInt8]) -> [UInt8] {
        let channel = EmbeddedChannel()
        defer { _ = try? channel.finish(acceptAlreadyClosed: true) }
        var encoding = HTTPRequestEncoder.Configuration()
        encoding.automaticallySetFramingHeaders = false
        try? channel.pipeline.syncOperations.addHandler(HTTPRequestEncoder(configuration: encoding))
        var parts: [HTTPClientRequestPart] = [.head(head)]
        if !body.isEmpty { parts.append(.body(.byteBuffer(ByteBuffer(bytes: body)))) }
        for part in parts + [.end(nil)] { _ = try? channel.writeOutbound(part) }
        var bytes: [UInt8] = []
        while let part = (try? channel.readOutbound(as: ByteBuffer.self)) ?? nil { bytes += part.readableBytesView }
        return bytes
    }
}
