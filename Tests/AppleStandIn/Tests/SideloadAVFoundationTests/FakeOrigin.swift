import Foundation
import SideloadAVFoundation

/// An origin without a network, and the transport that reaches it.
final class FakeOrigin: SubtitleTransport {
    /// What there is at a URL.
    enum Page: Sendable {
        /// A file that is served whole or in ranges.
        case file(String)
        /// The same of any bytes, served whole.
        case bytes([UInt8])
        /// The same, whatever range is asked for.
        case whole(String)
        /// Another one each time: the number of the request stands for `#`.
        case live(String)
        /// An answer without a body.
        case status(Int)
        /// No answer at all.
        case broken
        /// No answer, and URLSession's error for it.
        case offline
        /// No answer until the task is cancelled.
        case stalled
        /// This page, once so many milliseconds have passed.
        indirect case slow(Int, Page)
    }

    struct Broken: Error {}

    /// What has been asked for.
    struct Asked: Sendable {
        let url: String
        let fields: [(name: String, value: String)]

        func field(_ name: String) -> String? { fields.last { $0.name.lowercased() == name.lowercased() }?.value }
    }

    private struct State {
        var pages: [String: Page]
        var asked: [Asked] = []
        var cancelledCount = 0
    }

    private let state: Locked<State>
    /// Called before each answer; may wait.
    private let pause: @Sendable () async -> Void

    init(_ pages: [String: Page], pause: @escaping @Sendable () async -> Void = {}) {
        state = Locked(State(pages: pages))
        self.pause = pause
    }

    var asked: [Asked] { state.withLock { $0.asked } }
    /// How many requests ended because the task that made them was cancelled.
    var cancelledCount: Int { state.withLock { $0.cancelledCount } }

    func count(_ url: String) -> Int { asked.filter { $0.url == url }.count }
    func put(_ page: Page, at url: String) { state.withLock { $0.pages[url] = page } }

    func response(to request: TransportRequest) async throws -> TransportResponse {
        let url = request.url.absoluteString
        let asked = Asked(url: url, fields: request.fields)
        let page = state.withLock { state in
            state.asked.append(asked)
            return state.pages[url] ?? .status(404)
        }
        do {
            await pause()
            try Task.checkCancellation()
            return try await answer(page, asked, request)
        } catch let error as CancellationError {
            state.withLock { $0.cancelledCount += 1 }
            throw error
        }
    }

    private func answer(_ page: Page, _ asked: Asked, _ request: TransportRequest) async throws -> TransportResponse {
        switch page {
        case .status(let status): return TransportResponse(status: status, url: request.url, body: Data())
        case .broken: throw Broken()
        case .offline: throw NSError(domain: NSURLErrorDomain, code: NSURLErrorNotConnectedToInternet)
        case .stalled:
            while true { try await Task.sleep(for: .seconds(60)) }
        case .slow(let milliseconds, let page):
            try await Task.sleep(for: .milliseconds(milliseconds))
            return try await answer(page, asked, request)
        case .live(let text):
            let body = text.replacingOccurrences(of: "#N", with: "\(count(asked.url))")
            return whole(Data(body.utf8), request)
        case .whole(let text): return whole(Data(text.utf8), request)
        case .bytes(let bytes): return whole(Data(bytes), request)
        case .file(let text):
            let body = Data(text.utf8)
            guard let part = asked.field("Range").flatMap({ range(of: $0, body.count) }) else {
                return whole(body, request)
            }
            let place = "bytes \(part.lowerBound)-\(part.upperBound - 1)/\(body.count)"
            return TransportResponse(
                status: 206, url: request.url, fields: [("Content-Range", place), ("Content-Length", "\(part.count)")],
                body: body[part])
        }
    }

    private func whole(_ body: Data, _ request: TransportRequest) -> TransportResponse {
        TransportResponse(
            status: 200, url: request.url, fields: [("Content-Length", "\(body.count)")],
            body: body.prefix(request.byteLimit), isCutOff: body.count > request.byteLimit)
    }

    /// `bytes=2-5` and `bytes=-5`.
    private func range(of field: String, _ count: Int) -> Range<Int>? {
        let numbers = field.dropFirst("bytes=".count).split(separator: "-", omittingEmptySubsequences: false).map {
            Int($0)
        }
        guard numbers.count == 2, let last = numbers[1] else { return nil }
        guard let first = numbers[0] else { return max(0, count - last)..<count }
        return first < count ? first..<min(last + 1, count) : nil
    }
}

/// A value that threads share.
final class Locked<Value>: @unchecked Sendable {
    private let lock = NSLock()
    private var value: Value

    init(_ value: Value) { self.value = value }

    func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
        try lock.withLock { try body(&value) }
    }
}
