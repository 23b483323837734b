import Delivery
import HTTPTypes
import Hummingbird

/// Keeps a body.
final class Collector: ResponseBodyWriter {
    private(set) var bytes: [UInt8] = []

    func write(_ buffer: ByteBuffer) { bytes += buffer.readableBytesView }

    func finish(_ trailingHeaders: HTTPFields?) {}
}

extension HeaderFields {
    init(_ headers: HTTPFields) {
        self.init()
        for field in headers { append(field.name.rawName, field.value) }
    }
}

extension Request {
    func edited(by edits: borrowing HeaderEdits) -> Request {
        var head = head
        head.headerFields.apply(edits)
        return Request(head: head, body: body)
    }
}

extension ResponseHead {
    init(_ response: Response) { self.init(status: response.status.code) }
}

extension HTTPFields {
    mutating func apply(_ edits: borrowing HeaderEdits) {
        for index in 0..<edits.count {
            guard let name = HTTPField.Name("\(edits[index].name)") else { continue }
            self[name] = edits[index].value.map { "\($0)" }
        }
    }
}
