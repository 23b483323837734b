import NIOCore
import NIOHTTP1

// How a response ends, and with it perhaps the connection.

extension ClientConnection {
    func endResponse(_ trailers: HTTPHeaders?) {
        guard let context else { return }
        if keepsAlive, isRequestWhole, !context.channel.isWritable {
            state = .ending(trailers)
            context.flush()
        } else {
            finishResponse(trailers)
        }
    }

    func finishResponse(_ trailers: HTTPHeaders?) {
        guard let context else { return }
        // A request that is still coming belongs to nothing any more.
        let keepsAlive = keepsAlive && isRequestWhole
        state = keepsAlive ? .idle : .closing
        gate.isOver = !keepsAlive
        let finished = record
        record = nil
        // The next request may come in the middle of this call.
        if keepsAlive {
            context.writeAndFlush(wrapOutboundOut(.end(trailers)), promise: nil)
        } else {
            let sent = context.eventLoop.makePromise(of: Void.self)
            sent.futureResult.assumeIsolated().whenComplete { [self] _ in self.context?.close(promise: nil) }
            context.writeAndFlush(wrapOutboundOut(.end(trailers)), promise: sent)
        }
        held.own = 0
        noteWritten()
        if let finished, sideloader?.isAskingAgain != true { worker.note(finished, sideloader?.report) }
    }

    func noteWritten() {
        guard let context else { return }
        held.written = (try? context.channel.syncOptions?.getOption(.bufferedWritableBytes)) ?? 0
    }

    /// Closes the connection once all that was written has left.
    func breakOff() {
        guard let context else { return }
        state = .closing
        gate.isOver = true
        noteUnfinished()
        let sent = context.eventLoop.makePromise(of: Void.self)
        sent.futureResult.assumeIsolated().whenComplete { [self] _ in self.context?.close(promise: nil) }
        context.writeAndFlush(wrapOutboundOut(.body(.byteBuffer(ByteBuffer()))), promise: sent)
    }

    func noteUnfinished() {
        guard let record else { return }
        self.record = nil
        worker.note(record, nil)
    }

    func drop() {
        switch state {
        case .own(let answer): answer?.cancel()
        case .taking(let upload): upload.cancel()
        case .forwarding(let exchange): exchange.cancel()
        case .idle, .ending, .closing: break
        }
        state = .closing
    }

    /// Ends with the present request, or at once if there is none.
    func end() {
        keepsAlive = false
        switch state {
        case .idle: context?.close(promise: nil)
        case .ending(let trailers): finishResponse(trailers)
        case .taking(let upload):
            // It might go on for hours.
            upload.cancel()
            sendBusy()
        case .own, .forwarding, .closing: break
        }
    }

    /// Ends at once, whatever waits to be sent.
    func stop() { gate.reset() }
}
