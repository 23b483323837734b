import Delivery
import NIOCore
import NIOHTTP1

// A request that brings cues while the stream goes on. Its body lasts as long as somebody speaks, so no time is too
// long for it.

extension ClientConnection {
    /// Takes the cues that the request brings, if whoever sends it may.
    func takeCues(_ wanted: CuesRequest, _ own: Site.Own, _ head: HTTPRequestHead) {
        guard head.method == .POST || head.method == .PUT else {
            return send(.methodNotAllowed, HTTPHeaders([("Allow", "POST, PUT")]), ByteBuffer())
        }
        if let status = worker.cuesAccess.refusal(head.headers) {
            let fields = HTTPHeaders(status == .unauthorized ? [("WWW-Authenticate", "Bearer")] : [])
            return send(status, fields, ByteBuffer())
        }
        guard let format = wanted.format else {
            let reason = "say what the cues are: ?format=jsonl, vtt or srt, or by Content-Type"
            return refuseCues(CuesRefusal(status: 415, reason: reason))
        }
        guard let live = worker.live else { return sendBusy() }
        record?.note =
            "cues of \(own.router.cuesAddress(of: wanted.track).map { String(decoding: $0, as: UTF8.self) } ?? "")"
        let upload = CuesUpload(wanted, format, own, by: live, on: worker.loop) { [self] refusal in
            if let refusal { refuseCues(refusal) } else { send(.noContent, HTTPHeaders(), ByteBuffer()) }
        }
        upload.whenWritable = { [self] in readIfDue() }
        state = .taking(upload)
        continueIfExpected(head)
        if isRequestWhole { upload.finish() }
    }

    private func refuseCues(_ refusal: CuesRefusal) {
        record?.note = refusal.reason
        let fields = HTTPHeaders([("Content-Type", "text/plain; charset=utf-8"), ("Cache-Control", "no-store")])
        send(HTTPResponseStatus(statusCode: refusal.status), fields, ByteBuffer(string: refusal.reason + "\n"))
    }
}
