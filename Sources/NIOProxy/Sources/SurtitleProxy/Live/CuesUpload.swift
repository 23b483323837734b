import Delivery
import NIOCore

/// A request that brings cues, on the event loop of its client: its bytes go to the one that has the live channels, a
/// piece at a time.
final class CuesUpload {
    private enum State {
        case opening
        case open(Int)
        case over
    }

    private let door: LiveDoor
    private let loop: any EventLoop
    private var state = State.opening
    /// What has come while something else was on its way.
    private var waiting = ByteBuffer()
    private var isBusy = true
    private var isWhole = false
    private var done: (CuesRefusal?) -> Void
    /// Called when it takes more.
    var whenWritable: () -> Void = {}

    /// - Parameter done: Called at once or later, when all has been taken, or with why not.
    init(
        _ request: CuesRequest, _ format: GrowingConfiguration.Format, _ own: Site.Own, by door: LiveDoor,
        on loop: any EventLoop, _ done: @escaping (CuesRefusal?) -> Void
    ) {
        self.door = door
        self.loop = loop
        self.done = done
        let bound = NIOLoopBound(self, eventLoop: loop)
        let opened = door.open(request, format, own) { refusal in loop.execute { bound.value.end(refusal) } }
        opened.hop(to: loop).assumeIsolated().whenComplete { [self] result in
            switch (result, state) {
            case (.success(let writer), .opening):
                state = .open(writer)
                proceed()
            case (.success(let writer), _): door.abandon(writer)
            case (.failure(let error), _): end(error)
            }
        }
    }

    /// Whether it takes more.
    var isWritable: Bool { !isBusy && waiting.readableBytes == 0 }

    func send(_ bytes: ByteBuffer) {
        guard case .over = state else {
            waiting.writeImmutableBuffer(bytes)
            if !isBusy { proceed() }
            return
        }
    }

    /// Takes note that all has come.
    func finish() {
        isWhole = true
        if !isBusy { proceed() }
    }

    /// Ends it, whatever is on its way.
    func cancel() {
        if case .open(let writer) = state { door.abandon(writer) }
        (state, done, whenWritable) = (.over, { _ in }, {})
    }

    private func proceed() {
        guard case .open(let writer) = state else { return }
        isBusy = true
        let isLast = waiting.readableBytes == 0
        if isLast, !isWhole {
            isBusy = false
            return whenWritable()
        }
        let sent = isLast ? door.finish(writer) : door.append(waiting, writer)
        waiting = ByteBuffer()
        sent.hop(to: loop).assumeIsolated().whenComplete { [self] result in
            switch result {
            case .success where isLast: end(nil)
            case .success: proceed()
            case .failure(let error): end(error)
            }
        }
    }

    private func end(_ error: (any Error)?) {
        let done = done
        (state, self.done, whenWritable) = (.over, { _ in }, {})
        done(error.map { $0 as? CuesRefusal ?? .busy })
    }
}
