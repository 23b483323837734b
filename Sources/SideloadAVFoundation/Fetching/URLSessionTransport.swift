#if canImport(AVFoundation) && !os(watchOS)
#if canImport(FoundationNetworking)
internal import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// Requests to origins by a URLSession of its own.
public final class URLSessionTransport: SubtitleTransport {
    private let session: URLSession
    private let receiver = Receiver()

    /// Requests as `configuration` has them: its cookies, proxies and fields. Without one, nothing is kept but cookies:
    /// those that the multivariant playlist's origin sets go to the app's shared storage, where the player's requests
    /// take them from.
    public init(_ configuration: URLSessionConfiguration? = nil) {
        let configuration = configuration ?? Self.keepingOnlyCookies
        session = URLSession(configuration: configuration, delegate: receiver, delegateQueue: nil)
    }

    static var keepingOnlyCookies: URLSessionConfiguration {
        let configuration = URLSessionConfiguration.ephemeral
        // It would keep a live playlist in memory, which is a new one each time.
        configuration.urlCache = nil
        configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
        configuration.httpCookieStorage = .shared
        return configuration
    }

    deinit { session.invalidateAndCancel() }

    /// Makes a request, and stops when there are more bytes than are of use.
    public func response(to request: TransportRequest) async throws -> TransportResponse {
        let task = session.dataTask(with: URLRequest(request))
        return try await withTaskCancellationHandler {
            try await withCheckedThrowingContinuation { continuation in
                receiver.expect(request, of: task.taskIdentifier, continuation)
                task.resume()
                // Who has cancelled before there was anything to wait for.
                if Task.isCancelled { receiver.cancel(task) }
            }
        } onCancel: {
            receiver.cancel(task)
        }
    }
}

extension URLRequest {
    fileprivate init(_ request: TransportRequest) {
        self.init(url: request.url)
        for field in request.fields { setValue(field.value, forHTTPHeaderField: field.name) }
    }
}

/// Collects the answers of a session's tasks.
private final class Receiver: NSObject, URLSessionDataDelegate, @unchecked Sendable {
    private struct Expected {
        let request: TransportRequest
        let continuation: CheckedContinuation<TransportResponse, any Error>
        var response: HTTPURLResponse?
        var body = Data()
        var isCutOff = false

        /// Hands over what has come of the task, which has ended with this error or without one.
        func end(_ error: (any Error)?) {
            guard let response, let url = response.url, error == nil else {
                continuation.resume(throwing: error ?? URLError(.badServerResponse))
                return
            }
            let fields = response.allHeaderFields.compactMap { name, value in
                (name as? String).map { (name: $0, value: "\(value)") }
            }
            continuation.resume(
                returning: TransportResponse(
                    status: response.statusCode, url: url, fields: fields, body: body, isCutOff: isCutOff,
                    isDecoded: true))
        }
    }

    private let lock = NSLock()
    private var expected: [Int: Expected] = [:]

    func expect(
        _ request: TransportRequest, of task: Int, _ continuation: CheckedContinuation<TransportResponse, any Error>
    ) {
        lock.withLock { expected[task] = Expected(request: request, continuation: continuation) }
    }

    /// Ends a task at once: whoever waits for it does not wait for the session to say so, which it may never do.
    func cancel(_ task: URLSessionTask) {
        task.cancel()
        lock.withLock { expected.removeValue(forKey: task.taskIdentifier) }?.end(URLError(.cancelled))
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, didReceive challenge: URLAuthenticationChallenge,
        completionHandler: @escaping @Sendable (URLSession.AuthChallengeDisposition, URLCredential?) -> Void
    ) {
        let request = lock.withLock { expected[task.taskIdentifier]?.request }
        guard let request else { return completionHandler(.performDefaultHandling, nil) }
        request.answer(challenge, completionHandler: completionHandler)
    }

    func urlSession(
        _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
        newRequest: URLRequest, completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
        let request = lock.withLock { expected[task.taskIdentifier]?.request }
        // The session would send the fields of the first request, whatever host comes next.
        let redirected = newRequest.url.flatMap { request?.redirected(to: $0, from: response.url) }
        completionHandler(redirected.map { URLRequest($0) })
    }

    func urlSession(
        _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
        completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
        lock.withLock {
            expected[dataTask.taskIdentifier]?.response = response as? HTTPURLResponse
            // What has come before belongs to the answer that challenged.
            expected[dataTask.taskIdentifier]?.body = Data()
        }
        completionHandler(.allow)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
        let enough = lock.withLock { () -> Expected? in
            // Taken out, so that the bytes are not copied for each piece.
            guard var answer = expected.removeValue(forKey: dataTask.taskIdentifier) else { return nil }
            let room = answer.request.byteLimit - answer.body.count
            answer.body += data.prefix(room)
            answer.isCutOff = data.count > room
            if answer.isCutOff { return answer }
            expected[dataTask.taskIdentifier] = answer
            return nil
        }
        guard let enough else { return }
        dataTask.cancel()
        enough.end(nil)
    }

    func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
        lock.withLock { expected.removeValue(forKey: task.taskIdentifier) }?.end(error)
    }
}
#endif
