import Delivery
import NIOCore
import NIOHTTP1

// What is made here, and goes to the client in one piece.

extension ClientConnection {
    func send(_ answer: HTTPAnswer) {
        var headers = HTTPHeaders()
        for line in answer.headers {
            headers.add(
                name: String(decoding: line.name, as: UTF8.self), value: String(decoding: line.value, as: UTF8.self))
        }
        // In answer to HEAD there is no body to be counted.
        let announced = try? BodyFraming(headers).ofResponse
        headers = headers.withoutFraming.readable(by: worker.pages)
        let body = ByteBuffer(bytes: answer.body)
        let isHead = record?.head.method == .HEAD
        send(HTTPResponseStatus(statusCode: answer.status), headers, body, isHead ? announced : nil)
    }

    func send(_ status: HTTPResponseStatus) {
        send(status, HTTPHeaders().readable(by: worker.pages), ByteBuffer())
    }

    /// Sends that there is no room at the moment.
    func sendBusy() {
        worker.counts.turnedAway += 1
        send(.serviceUnavailable, HTTPHeaders([("Retry-After", "1")]).readable(by: worker.pages), ByteBuffer())
    }

    /// Takes note of how many bytes an answer is being made of, whenever it goes on. If all together are too many it is
    /// given up.
    func hold(_ bytes: Int) {
        held.own = bytes
        lastProgress = .now()
        // One alone may be larger than all should be.
        guard worker.held.areTooMany(without: bytes), case .own(let answer?) = state else { return }
        answer.cancel()
        sendBusy()
    }

    /// Sends what is for whoever runs the proxy, and not for pages of other places.
    func sendPage(_ type: String, _ text: String) {
        let body = ByteBuffer(string: text)
        let isHead = record?.head.method == .HEAD
        let fields = HTTPHeaders([("Content-Type", type), ("Cache-Control", "no-store")])
        send(.ok, fields, isHead ? ByteBuffer() : body, .known(body.readableBytes))
    }

    /// - Parameter length: That of the body, if it is not `body`'s.
    func send(
        _ status: HTTPResponseStatus, _ fields: HTTPHeaders, _ body: ByteBuffer, _ length: BodyLength? = nil
    ) {
        guard let context, let request = record?.head else { return }
        response = .begun
        var headers = fields
        headers.frame(Framing(request.method, status, request.version, length ?? .known(body.readableBytes)))
        if !isRequestWhole { keepsAlive = false }
        if !keepsAlive { headers.add(name: "Connection", value: "close") }
        record?.status = Int(status.code)
        record?.bytes = body.readableBytes
        context.write(
            wrapOutboundOut(.head(HTTPResponseHead(version: .http1_1, status: status, headers: headers))), promise: nil)
        if body.readableBytes > 0 { context.write(wrapOutboundOut(.body(.byteBuffer(body))), promise: nil) }
        endResponse(nil)
    }

    func answerMetrics() {
        state = .own(nil)
        worker.gather?().assumeIsolated().whenSuccess { [self] metrics in
            guard case .own(nil) = state else { return }
            sendPage("text/plain; version=0.0.4", metrics?.text ?? "")
        }
    }
}

extension HTTPHeaders {
    /// With leave for `pages`, an origin or `*`, to read what they belong to.
    func readable(by pages: String?) -> HTTPHeaders {
        guard let pages else { return self }
        var fields = self
        fields.add(name: "Access-Control-Allow-Origin", value: pages)
        return fields
    }
}
