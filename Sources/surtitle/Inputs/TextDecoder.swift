/// Turns the bytes of a file into UTF-8, in chunks of any size.
///
///     EF BB BF              UTF-8, which is handed on, whatever encoding has been named
///     FE FF, FF FE          UTF-16, which is converted
///     anything else         is converted if an encoding has been named, and handed on if none has
final class TextDecoder {
    typealias Body = (UnsafeRawBufferPointer) throws(Failure) -> Void

    private enum State {
        /// The first bytes, which do not tell yet whether there is a byte order mark.
        case undecided([UInt8])
        /// The bytes are handed on.
        case verbatim
        case converting(EncodingConverter)
    }

    /// What messages call the file.
    private let name: String
    /// The encoding of a file without a mark; nil for UTF-8.
    private let named: TextEncoding?
    private var state = State.undecided([])

    /// The encoding from which the file is converted; nil if it is not, or not known yet.
    private(set) var encoding: TextEncoding?

    /// What could not be converted: how many U+FFFD stand for it, and where the first does.
    var bad: (count: Int, first: Int)? {
        guard case .converting(let converter) = state, let first = converter.firstBad else { return nil }
        return (converter.badCount, first)
    }

    /// A decoder of the file that messages call `name`, in the encoding `named` unless a mark says otherwise.
    init(_ name: String, named: TextEncoding?) {
        self.name = name
        self.named = named
    }

    /// The encoding from which a file that begins with `head` is converted; nil if it is handed on.
    static func encoding(of head: [UInt8], named: TextEncoding?) -> TextEncoding? {
        switch ByteOrderMark(head: Array(head.prefix(ByteOrderMark.decidingByteCount)), isWhole: true) {
        case .utf16(let encoding): encoding
        case .utf8: nil
        case .absent, nil: named
        }
    }

    /// Decodes the next chunk.
    func write(_ chunk: UnsafeRawBufferPointer, _ body: Body) throws(Failure) {
        var rest = unsafe chunk
        if case .undecided(var head) = state {
            let count = min(ByteOrderMark.decidingByteCount - head.count, chunk.count)
            unsafe head.append(contentsOf: chunk[..<count])
            unsafe rest = UnsafeRawBufferPointer(rebasing: chunk[count...])
            state = .undecided(head)
            try unsafe decide(isWhole: false, body)
        }
        if rest.count > 0 { try unsafe pass(rest, body) }
    }

    /// Ends the file, and hands out the rest.
    func finish(_ body: Body) throws(Failure) {
        try unsafe decide(isWhole: true, body)
        if case .converting(let converter) = state { try unsafe converter.finish(body) }
    }

    /// Decides about the encoding if the first bytes tell, and decodes them.
    private func decide(isWhole: Bool, _ body: Body) throws(Failure) {
        guard case .undecided(let head) = state, let mark = ByteOrderMark(head: head, isWhole: isWhole) else { return }
        var start = 0
        encoding = Self.encoding(of: head, named: named)
        if case .utf16 = mark { start = 2 }
        if let encoding {
            guard let converter = EncodingConverter(encoding, after: start) else {
                throw .refused(name, "is \(encoding.name), which this system's iconv does not know; convert it first")
            }
            state = .converting(converter)
        } else {
            state = .verbatim
        }
        try unsafe head.withUnsafeBufferPointer { (bytes) throws(Failure) in
            try unsafe pass(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start...]), body)
        }
    }

    private func pass(_ bytes: UnsafeRawBufferPointer, _ body: Body) throws(Failure) {
        switch state {
        case .undecided: return
        case .verbatim: try unsafe body(bytes)
        case .converting(let converter): try unsafe converter.write(bytes, body)
        }
    }
}
