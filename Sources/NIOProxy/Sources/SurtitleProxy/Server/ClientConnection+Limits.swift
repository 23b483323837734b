import NIOCore

// What lasts too long, and what is held for the client.

extension ClientConnection {
    /// Takes note that so many bytes have come, which the decoder gets next.
    func came(_ bytes: Int) { unread += bytes }

    /// Takes note that the decoder has made of them what it could: what is left is held twice, as bytes and in fields.
    func noteUnread() { held.unread = 2 * unread }

    /// Whether something has been held since then.
    func hasHeld(since then: NIODeadline) -> Bool { held.count > 0 && holdsSince < then }

    /// Ends at once, whatever waits to be sent, because of `reason`.
    func reset(_ reason: String) {
        record?.note = reason
        drop()
        noteUnfinished()
        gate.reset()
    }

    /// Ends what has lasted too long.
    func check(_ now: NIODeadline) {
        let before = held.written
        noteWritten()
        if held.written != before { lastProgress = now }
        if case .held(_, _, let since) = response, now - since > Self.longestHold {
            sendHead()
            context?.flush()
        }
        let limits = worker.limits
        let isStuck = now - lastProgress > limits.patience
        let isOver = now - began > limits.total
        switch state {
        case .idle: if now - lastProgress > limits.keepAlive { context?.close(promise: nil) }
        case .closing: if isStuck || isOver { gate.reset() }
        // Nobody speaks all the time, and nobody is silent for so long.
        case .taking: if now - lastProgress > limits.total { end() }
        case .own, .forwarding, .ending:
            let isUploadOver = !isRequestWhole && now - began > limits.upload
            guard isUploadOver || isStuck || isOver else { return goOn() }
            drop()
            if case .begun = response {
                guard !isOver else { return reset("too slow") }
                record?.note = "too slow"
                breakOff()
            } else {
                keepsAlive = false
                if isUploadOver { return send(.requestTimeout) }
                worker.counts.originFailures += 1
                send(.gatewayTimeout)
            }
        }
    }

    /// Lets the origin go on, which has waited because too much was held for all clients.
    func goOn() {
        guard case .forwarding(let exchange) = state, context?.channel.isWritable == true else { return }
        if held.written == 0 || !worker.held.areTooMany { exchange.pause(false) }
    }
}
