import NIOCore
import NIOHTTP1

// What comes of the origin, on its way to the client.

extension ClientConnection: OriginReceiver {
    func originAnswered(_ head: HTTPResponseHead, _ length: BodyLength) {
        guard let request = record?.head else { return }
        lastProgress = .now()
        record?.status = Int(head.status.code)
        let framing = Framing(request.method, head.status, request.version, length)
        if framing == .connection { keepsAlive = false }
        guard let forwarded = head.forwarded(framing, keepsAlive: keepsAlive) else {
            if case .forwarding(let exchange) = state { exchange.cancel() }
            return originFailed(.malformed)
        }
        response = .held(forwarded, framing, since: lastProgress)
    }

    /// Sends the origin's head, if it waits.
    func sendHead() {
        guard let context, case .held(let head, _, _) = response else { return }
        response = .begun
        context.write(wrapOutboundOut(.head(head)), promise: nil)
    }

    func originSent(_ bytes: ByteBuffer) {
        guard let context else { return }
        lastProgress = .now()
        record?.bytes += bytes.readableBytes
        sendHead()
        context.write(wrapOutboundOut(.body(.byteBuffer(bytes))), promise: nil)
        if !context.channel.isWritable, case .forwarding(let exchange) = state { exchange.pause(true) }
    }

    func originPaused() {
        context?.flush()
        noteWritten()
        if held.written > 0, worker.held.areTooMany, case .forwarding(let exchange) = state { exchange.pause(true) }
    }

    func originEnded(_ trailers: HTTPHeaders?) {
        sendHead()
        endResponse(trailers?.forwardedTrailers)
    }

    func originFailed(_ failure: OriginFailure) {
        worker.counts.originFailures += 1
        switch (response, failure) {
        case (.none, .busy): sendBusy()
        case (.none, .connectingTooLong): send(.gatewayTimeout)
        case (.none, _), (.held, .malformed), (.held(_, .connection, _), _): send(.badGateway)
        case (.held, _), (.begun, _):
            // What the client has is not all, and it must see that.
            record?.note = "broken off"
            sendHead()
            breakOff()
        }
    }
}
