import NIOCore
import NIOHTTP1

// What comes of the origin, on its way to the client.

extension ClientConnection: OriginReceiver {
    func originAnswered(_ head: HTTPResponseHead, _ length: BodyLength) {
        guard let request = record?.head else { return }
        lastProgress = .now()
        record?.status = Int(head.status.code)
        let framing = Framing(request.method, head.status, request.version, length)
        guard let forwarded = head.forwarded(framing, keepsAlive: keepsAlive) else {
            if case .forwarding(let exchange) = state { exchange.cancel() }
            return originFailed(.malformed)
        }
        response = .held(forwarded, framing, since: lastProgress)
        videoPlaylist = VideoPlaylist(head, to: request, worker.playlistEdits(of: request))
    }

    /// Sends the origin's head, if it waits.
    func sendHead() {
        guard let context, case .held(let head, _, _) = response else { return }
        response = .begun
        context.write(wrapOutboundOut(.head(head)), promise: nil)
        if let videoPlaylist, !videoPlaylist.isEdited {
            self.videoPlaylist = nil
            context.write(wrapOutboundOut(.body(.byteBuffer(videoPlaylist.abandon()))), promise: nil)
        }
    }

    /// Frames a playlist anew that is edited: nobody knows yet how long it will be.
    private func reframe(_ playlist: VideoPlaylist) {
        guard case .held(_, _, let since) = response, playlist.isEdited, let request = record?.head else { return }
        let framing = Framing(request.method, playlist.head.status, request.version, .unknown)
        guard let forwarded = playlist.head.forwarded(framing, keepsAlive: keepsAlive) else { return }
        response = .held(forwarded, framing, since: since)
    }

    func originSent(_ came: ByteBuffer) {
        guard let context else { return }
        lastProgress = .now()
        record?.bytes += came.readableBytes
        var bytes = came
        if let videoPlaylist {
            bytes = videoPlaylist.take(came)
            reframe(videoPlaylist)
            if bytes.readableBytes == 0 { return }
        }
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
        if let videoPlaylist {
            let rest = videoPlaylist.finish()
            self.videoPlaylist = nil
            sendHead()
            if rest.readableBytes > 0 { context?.write(wrapOutboundOut(.body(.byteBuffer(rest))), promise: nil) }
        }
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
