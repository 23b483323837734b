import NIOCore
import NIOHTTP1

/// A request to an origin: finds a connection for it, and sends it once more if a connection that had waited was closed
/// meanwhile.
final class OriginExchange: OriginReceiver {
    private enum State {
        /// There is no connection yet; the parts wait.
        case connecting(CircularBuffer<HTTPClientRequestPart>)
        case sending(OriginConnection)
        case done
    }

    private let pool: OriginPool
    private let address: OriginAddress
    private let head: HTTPRequestHead
    private let receiver: any OriginReceiver
    /// Whether the request goes only to an address of the public net.
    private let onlyPublic: Bool
    private var state = State.done
    /// Whether the request can be sent again as it is: nothing of a body, and nothing has been answered (RFC 9110
    /// 9.2.2).
    private var isRepeatable: Bool
    private var isEnded = false
    private var isPaused = false

    init(
        _ head: HTTPRequestHead, to address: OriginAddress, by pool: OriginPool, for receiver: any OriginReceiver,
        onlyPublic: Bool = false
    ) {
        self.pool = pool
        self.address = address
        self.head = head
        self.receiver = receiver
        self.onlyPublic = onlyPublic
        isRepeatable = head.method == .GET || head.method == .HEAD
        // A connection that waits may have been made where any address was right.
        if !onlyPublic, let connection = pool.take(to: address) { use(connection) } else { connect() }
    }

    /// Whether more of the request's body should be sent.
    var isWritable: Bool { if case .sending(let connection) = state { connection.isWritable } else { false } }

    func send(_ part: HTTPClientRequestPart) {
        switch part {
        case .body: isRepeatable = false
        case .end: isEnded = true
        case .head: break
        }
        switch state {
        case .connecting(var parts):
            parts.append(part)
            state = .connecting(parts)
        case .sending(let connection): connection.send(part)
        case .done: break
        }
    }

    func flush() { if case .sending(let connection) = state { connection.flush() } }

    func pause(_ pauses: Bool) {
        isPaused = pauses
        if case .sending(let connection) = state { connection.pause(pauses) }
    }

    /// Drops the request: nothing comes to the receiver any more.
    func cancel() {
        if case .sending(let connection) = state { connection.cancel() }
        state = .done
    }

    // MARK: Connections

    private func connect() {
        state = .connecting([])
        pool.connect(to: address, onlyPublic: onlyPublic) { [self] result in
            guard case .connecting(let parts) = state else {
                // Dropped meanwhile.
                if case .success(let connection) = result { pool.giveBack(connection) }
                return
            }
            switch result {
            case .success(let connection):
                use(connection)
                for part in parts { connection.send(part) }
                connection.flush()
                receiver.originIsWritable(connection.isWritable)
            case .failure(let failure):
                state = .done
                receiver.originFailed(failure)
            }
        }
    }

    private func use(_ connection: OriginConnection) {
        state = .sending(connection)
        connection.begin(head, for: self)
        connection.pause(isPaused)
    }

    // MARK: Responses

    func originAnswered(_ head: HTTPResponseHead, _ length: BodyLength) {
        isRepeatable = false
        receiver.originAnswered(head, length)
    }

    func originSent(_ bytes: ByteBuffer) { receiver.originSent(bytes) }

    func originPaused() { receiver.originPaused() }

    func originIsWritable(_ isWritable: Bool) { receiver.originIsWritable(isWritable) }

    func originEnded(_ trailers: HTTPHeaders?) {
        state = .done
        receiver.originEnded(trailers)
    }

    func originFailed(_ failure: OriginFailure) {
        guard case .sending(let connection) = state else { return }
        state = .done
        guard isRepeatable, connection.hasWaited else { return receiver.originFailed(failure) }
        connect()
        if isEnded { send(.end(nil)) }
    }
}
