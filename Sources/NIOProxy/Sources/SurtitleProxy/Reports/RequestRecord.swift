import HTTPResponseSideloader
import NIOCore
import NIOHTTP1

/// A request, and what has become of it.
struct RequestRecord {
    let head: HTTPRequestHead
    let began = NIODeadline.now()
    var status = 0
    /// How many bytes of a body came: from the origin, before any edit.
    var bytes = 0
    var note = ""

    init(_ head: HTTPRequestHead) { self.head = head }

    /// The line of the log: method, target, status, bytes, milliseconds, and what was done.
    func line(_ report: HTTPResponseSideloader.Report?) -> String {
        let microseconds = (NIODeadline.now() - began).nanoseconds / 1000
        var line =
            "\(head.method.rawValue) \(head.uri) \(status) \(bytes) \(microseconds / 1000).\(microseconds / 100 % 10)ms"
        if let report {
            line += " \(report.decision.reason)"
            if let verdict = report.verdict { line += ", \(verdict), \(report.addedBytes) bytes of tags" }
        }
        return note.isEmpty ? line + "\n" : line + ": \(note)\n"
    }
}
