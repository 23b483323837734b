import ByteScan

/// Turns the bytes of a file into UTF-8, in chunks of any size.
///
/// - EF BB BF: UTF-8, which is handed on, whatever encoding has been named.
/// - FE FF, FF FE: UTF-16, which is converted.
/// - Anything else is converted if an encoding has been named, and handed on if none has.
///
///     let decoder = try TextDecoder(in: TextEncoding("shift_jis"))
///     unsafe decoder.write(chunk) { bytes in unsafe file.append(contentsOf: bytes) }
///     unsafe decoder.finish { bytes in unsafe file.append(contentsOf: bytes) }
///
/// What is no character becomes U+FFFD, and is counted: ``malformed``. UTF-8 is handed on byte for byte, and only looked at. Where a
/// chunk ends changes nothing. Memory is bounded.
public final class TextDecoder {
    /// Receives some bytes of the text, which are valid during the call. They come in order and make up the whole text.
    public typealias Body<Failure: Error> = (UnsafeRawBufferPointer) throws(Failure) -> Void

    private enum State {
        /// The first bytes, which do not tell yet whether there is a byte order mark.
        case undecided([UInt8])
        /// The bytes are handed on.
        case verbatim(UTF8Checker)
        case utf16(UTF16Decoder)
        case converting(EncodingConverter)
    }

    /// How many bytes of UTF-16 are decoded at a time.
    private static let partSize = 16 << 10

    private let named: TextEncoding?
    /// What converts from the encoding that was named, until it is known whether it is needed.
    private var converter: EncodingConverter?
    private var state = State.undecided([])
    /// Text that is handed out at once.
    private var output = ReusableBuffer<UInt8>()

    /// The encoding from which the file is converted; nil if it is not, or not known yet.
    public private(set) var encoding: TextEncoding?

    /// What of the text so far is no character; nil if there is none.
    ///
    /// Of UTF-8 that has not ended, the beginning of a character counts.
    public var malformed: MalformedText? {
        let (position, count) =
            switch state {
            case .undecided: (nil as Int?, 0)
            case .verbatim(let checker): (checker.firstMalformed, 0)
            case .utf16(let decoder): (decoder.firstMalformed, decoder.malformedCount)
            case .converting(let converter): (converter.firstMalformed, converter.malformedCount)
            }
        return position.map { MalformedText(encoding: encoding, position: $0, replacementCount: count) }
    }

    /// A decoder of one file, in the encoding `named` unless a byte order mark says otherwise, and in UTF-8 if none is named.
    ///
    /// - Throws: ``UnknownEncodingError`` if iconv cannot be asked any more, for want of memory or descriptors.
    public init(in named: TextEncoding? = nil) throws(UnknownEncodingError) {
        self.named = named
        converter = if let named { try EncodingConverter(named) } else { nil }
    }

    /// The encoding from which a file that begins with `head` is converted; nil if it is handed on.
    ///
    /// The first four bytes decide, or all of a shorter file.
    public static func encoding(of head: [UInt8], in named: TextEncoding? = nil) -> TextEncoding? {
        encoding(after: head.withView { ByteOrderMark(head: $0, isWhole: true) } ?? .absent, named)
    }

    private static func encoding(after mark: ByteOrderMark, _ named: TextEncoding?) -> TextEncoding? {
        switch mark {
        case .utf16(let order): TextEncoding(order)
        case .utf8: nil
        case .absent: named
        }
    }

    /// Decodes the next chunk.
    ///
    /// - Throws: what `body` throws. The decoder is of no use any more after that.
    public func write<Failure>(_ chunk: UnsafeRawBufferPointer, _ body: Body<Failure>) throws(Failure) {
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
    ///
    /// - Throws: what `body` throws.
    public func finish<Failure>(_ body: Body<Failure>) throws(Failure) {
        try unsafe decide(isWhole: true, body)
        switch state {
        case .undecided, .verbatim: break
        case .utf16(var decoder):
            decoder.finish(into: &output)
            state = .utf16(decoder)
            try unsafe handOut(body)
        case .converting(let converter): try unsafe converter.finish(body)
        }
    }

    /// Decides about the encoding if the first bytes tell, and decodes them.
    private func decide<Failure>(isWhole: Bool, _ body: Body<Failure>) throws(Failure) {
        guard case .undecided(let head) = state,
            let mark = head.withView({ ByteOrderMark(head: $0, isWhole: isWhole) })
        else { return }
        encoding = Self.encoding(after: mark, named)
        var start = 0
        switch mark {
        case .utf16(let order):
            start = mark.count
            state = .utf16(UTF16Decoder(order, after: start))
        case .absent:
            if let converter { state = .converting(converter) } else { state = .verbatim(UTF8Checker()) }
        case .utf8: state = .verbatim(UTF8Checker())
        }
        converter = nil
        try unsafe head.withUnsafeBufferPointer { (bytes) throws(Failure) in
            try unsafe pass(UnsafeRawBufferPointer(rebasing: UnsafeRawBufferPointer(bytes)[start...]), body)
        }
    }

    private func pass<Failure>(_ bytes: UnsafeRawBufferPointer, _ body: Body<Failure>) throws(Failure) {
        switch state {
        case .undecided: return
        case .verbatim(var checker):
            checker.scan(unsafe ByteView(bytes))
            state = .verbatim(checker)
            if bytes.count > 0 { try unsafe body(bytes) }
        case .utf16(var decoder):
            var offset = 0
            while offset < bytes.count {
                let end = min(offset + Self.partSize, bytes.count)
                decoder.write(unsafe ByteView(bytes)[offset..<end], into: &output)
                offset = end
                state = .utf16(decoder)
                try unsafe handOut(body)
            }
        case .converting(let converter): try unsafe converter.write(bytes, body)
        }
    }

    /// Hands out the text that has been decoded.
    private func handOut<Failure>(_ body: Body<Failure>) throws(Failure) {
        defer { output.removeAll() }
        if !output.isEmpty { try unsafe body(output.view.buffer) }
    }
}
