import ByteScan
import Delivery

/// HTTP as data: both questions of each exchange, with one set of fields and edits, as a connection keeps them.
struct Deciding: ~Copyable {
    private let rules = HTTPRules()
    private let tracks = TracksVersion(fingerprint: 0x075b_cd15)
    private var fields = HeaderFields()
    private var edits = HeaderEdits()

    /// How many bytes of header edits the exchanges in `bytes` come to.
    static func editedBytes(in bytes: UnsafeRawBufferPointer, times: Int) -> UInt64 {
        let heads = MessageHead.all(in: bytes)
        var deciding = Deciding()
        var sum = 0
        for _ in 0..<times {
            deciding.decide(heads) { _, edits in
                for index in 0..<edits.count { sum &+= edits[index].name.count &+ (edits[index].value?.count ?? 0) }
            }
        }
        return UInt64(sum)
    }

    /// What is decided about the exchanges in `bytes`, in words.
    static func words(of bytes: UnsafeRawBufferPointer) -> [String] {
        var deciding = Deciding()
        var words: [String] = []
        deciding.decide(MessageHead.all(in: bytes)) { decision, edits in
            let edits = (0..<edits.count).map { index in
                let value = edits[index].value.map { "=" + text($0) }
                return text(edits[index].name) + (value ?? " removed")
            }
            words.append(([decision()] + edits.sorted()).joined(separator: ", "))
        }
        return words
    }

    /// Asks both questions about each exchange.
    private mutating func decide(_ heads: [MessageHead], _ body: (() -> String, borrowing HeaderEdits) -> Void) {
        for index in stride(from: 0, to: heads.count - 1, by: 2) {
            read(heads[index])
            let line = RequestLine(method: heads[index].words.0, target: heads[index].words.1)
            let asked = rules.decide(line, fields, for: tracks, into: &edits)
            body({ "\(asked.standing)" }, edits)
            read(heads[index + 1])
            let answer = rules.decide(
                ResponseHead(status: heads[index + 1].status), fields, after: asked, into: &edits)
            body({ "\(answer.action)" }, edits)
        }
    }

    private static func text(_ bytes: ByteView) -> String { String(decoding: Array(bytes), as: UTF8.self) }

    private mutating func read(_ head: MessageHead) {
        fields.removeAll()
        for field in head.fields { fields.append(field.name, field.value) }
    }
}
