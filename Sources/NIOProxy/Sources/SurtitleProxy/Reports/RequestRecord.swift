import ByteScan
import HTTPResponseSideloader
import NIOCore
import NIOHTTP1

/// A request, and what has become of it.
package struct RequestRecord {
    let head: HTTPRequestHead
    let began = NIODeadline.now()
    var status = 0
    /// How many bytes of a body came: from the origin, before any edit.
    var bytes = 0
    package var note = ""

    package init(_ head: HTTPRequestHead) { self.head = head }

    /// The line of the log: method, target, status, bytes, milliseconds, and what was done.
    package func line(_ report: HTTPResponseSideloader.Report?) -> String {
        let microseconds = (NIODeadline.now() - began).nanoseconds / 1000
        var line =
            "\(head.method.rawValue.readable) \(head.uri.readable) \(status) \(bytes) \(microseconds / 1000).\(microseconds / 100 % 10)ms"
        if let report {
            line += " \(report.decision.reason)"
            if let verdict = report.verdict { line += ", \(verdict), \(report.addedBytes) bytes of tags" }
        }
        return note.isEmpty ? line + "\n" : line + ": \(note)\n"
    }
}

extension String {
    /// As messages show values: with escapes in place of control characters, and cut short at 1 KiB.
    fileprivate var readable: String {
        let isPlain = utf8.count <= 1024 && utf8.allSatisfy { 0x20..<0x7F ~= $0 }
        if isPlain { return self }
        let message: Message = "\(Array(utf8))"
        return String(decoding: message.bytes, as: UTF8.self)
    }
}
