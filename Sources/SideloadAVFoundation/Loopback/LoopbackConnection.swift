#if canImport(AVFoundation) && !os(watchOS)
internal import Delivery
internal import Dispatch
internal import Foundation

// A connection to the listener: one request, one answer, and it ends.
//
//     reading ──▶ judged ──▶ answering ──▶ writing ──▶ ended
//        └ 10 s for the head        │          └ 10 s to be read
//                                   └ 3 s, then an empty file

/// One connection. Used on the listener's queue only.
final class LoopbackConnection: @unchecked Sendable {
    typealias Answer = @Sendable (HTTPAnswer) -> Void

    private let descriptor: Int32
    private let queue: DispatchQueue
    private let source: any DispatchSourceRead
    private let patience: LoopbackListener.Patience
    private var writing: (any DispatchSourceWrite)?
    private var bytes: [UInt8] = []
    private var output: ArraySlice<UInt8> = []
    /// Whether its head has come, and is answered.
    private(set) var isJudged = false
    private var hasEnded = false
    private let ended: (LoopbackConnection) -> Void

    init(
        _ descriptor: Int32, _ queue: DispatchQueue, _ patience: LoopbackListener.Patience,
        _ ended: @escaping (LoopbackConnection) -> Void
    ) {
        self.descriptor = descriptor
        self.queue = queue
        self.patience = patience
        self.ended = ended
        source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: queue)
    }

    /// Reads a head, and has `answer` answer it.
    func begin(port: UInt16, _ answer: @escaping (LoopbackHead, @escaping Answer) -> Void) {
        source.setEventHandler { [self] in read(port, answer) }
        source.setCancelHandler { [descriptor] in LoopbackSocket.end(descriptor) }
        source.resume()
        queue.asyncAfter(deadline: .now() + patience.head) { [weak self] in
            if let self, !isJudged { end() }
        }
    }

    func end() {
        guard !hasEnded else { return }
        hasEnded = true
        writing?.cancel()
        source.cancel()
        ended(self)
    }

    private func read(_ port: UInt16, _ answer: (LoopbackHead, @escaping Answer) -> Void) {
        let result = LoopbackSocket.read(descriptor, into: &bytes, atMost: LoopbackHead.byteLimit)
        if case .ended = result { return end() }
        // The player has sent what it had to: more is of no use, and only its end matters.
        if isJudged { return bytes.removeAll() }
        switch LoopbackHead.judge(bytes, port: port) {
        case .needsMore: return
        case .refused(let status): send(HTTPAnswer(status: status))
        case .good(let head):
            isJudged = true
            answer(head) { [self, queue] answer in queue.async { self.send(answer) } }
        }
    }

    private func send(_ answer: HTTPAnswer) {
        guard !hasEnded, output.isEmpty else { return }
        var head = "HTTP/1.1 \(answer.status) \(Self.words[answer.status] ?? "Unknown")\r\n"
        for line in answer.headers {
            head += "\(String(decoding: line.name, as: UTF8.self)): \(String(decoding: line.value, as: UTF8.self))\r\n"
        }
        output = Array((head + "Cache-Control: no-store\r\nConnection: close\r\n\r\n").utf8) + answer.body
        write()
    }

    private func write() {
        while !hasEnded, !output.isEmpty {
            switch LoopbackSocket.write(descriptor, output) {
            case .bytes(let count): output = output.dropFirst(count)
            case .ended: return end()
            case .wouldWait:
                guard writing == nil else { return }
                let writing = DispatchSource.makeWriteSource(fileDescriptor: descriptor, queue: queue)
                writing.setEventHandler { [self] in write() }
                writing.resume()
                self.writing = writing
                // One that does not read is not to keep its place from others.
                queue.asyncAfter(deadline: .now() + patience.reading) { [weak self] in self?.end() }
                return
            }
        }
        end()
    }

    private static let words = [
        200: "OK", 206: "Partial Content", 400: "Bad Request", 403: "Forbidden", 404: "Not Found",
        405: "Method Not Allowed", 416: "Range Not Satisfiable", 431: "Request Header Fields Too Large",
        502: "Bad Gateway", 503: "Service Unavailable", 504: "Gateway Timeout",
    ]
}
#endif
