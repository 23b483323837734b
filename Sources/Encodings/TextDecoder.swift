import ByteScan

/// Turns the bytes of a file into UTF-8, in chunks of any size.
///
/// - EF BB BF: UTF-8, which is handed on, whatever encoding has been named.
/// - FE FF, FF FE: UTF-16, which is converted.
/// - Anything else is converted if an encoding has been named, and handed on if none has.
///
/// An encoding that is named for many files at once should be for those alone that are not UTF-8: ``Use/unlessUTF8``.
///
///     let decoder = try TextDecoder(in: TextEncoding("shift_jis"))
///     unsafe decoder.write(chunk) { bytes in unsafe file.append(contentsOf: bytes) }
///     unsafe decoder.finish { bytes in unsafe file.append(contentsOf: bytes) }
///
/// What is no character becomes U+FFFD, and is counted: ``malformed``. UTF-8 is handed on byte for byte, and only
/// looked at. Where a chunk ends changes nothing. Memory is bounded.
public final class TextDecoder {
    /// Receives some bytes of the text, which are valid during the call. They come in order and make up the whole text.
    public typealias Body<Failure: Error> = (UnsafeRawBufferPointer) throws(Failure) -> Void

    /// For which files the encoding that is named counts, of those without a byte order mark.
    public enum Use: Sendable {
        /// All.
        case always
        /// Those that are not valid UTF-8, or have a NUL or an escape, which no text in UTF-8 has. Never what begins
        /// with WEBVTT, which is UTF-8 (W3C WebVTT 4.1).
        ///
        /// A file is held until that is known, up to 16 MiB; what is longer counts as UTF-8.
        case unlessUTF8
    }

    private enum State {
        /// The first bytes, which do not tell yet whether there is a byte order mark.
        case undecided([UInt8])
        /// All bytes so far, which are UTF-8.
        case waiting([UInt8], UTF8Checker)
        /// The bytes are handed on.
        case verbatim(UTF8Checker)
        case utf16(UTF16Decoder)
        case converting(EncodingConverter)
    }

    /// How many bytes of UTF-16 are decoded at a time.
    private static let partSize = 16 << 10
    /// How many bytes are held of what may be UTF-8.
    private static let mostHeld = 16 << 20
    private static let signature = Array("WEBVTT".utf8)

    private let named: TextEncoding?
    private let use: Use
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
        switch state {
        case .undecided: nil
        case .waiting(_, let checker), .verbatim(let checker): malformed(from: checker.firstMalformed)
        case .utf16(let decoder): malformed(from: decoder.firstMalformed, decoder.malformedCount)
        case .converting(let converter): malformed(from: converter.firstMalformed, converter.malformedCount)
        }
    }

    private func malformed(from position: Int?, _ replacementCount: Int = 0) -> MalformedText? {
        position.map { MalformedText(encoding: encoding, position: $0, replacementCount: replacementCount) }
    }

    /// A decoder of one file, in the encoding `named` unless a byte order mark says otherwise, and in UTF-8 if none is
    /// named.
    ///
    /// - Throws: ``UnknownEncodingError`` if iconv cannot be asked any more, for want of memory or descriptors.
    public init(in named: TextEncoding? = nil, _ use: Use = .always) throws(UnknownEncodingError) {
        self.named = named
        self.use = use
        converter = if let named { try EncodingConverter(named) } else { nil }
    }

    /// The encoding from which a file that begins with `head` is converted; nil if it is handed on.
    ///
    /// The first six bytes decide, or all of a shorter file. With ``Use/unlessUTF8`` they only tell what certainly is
    /// handed on.
    public static func encoding(
        of head: [UInt8], in named: TextEncoding? = nil, _ use: Use = .always
    ) -> TextEncoding? {
        let named = use == .unlessUTF8 && head.starts(with: signature) ? nil : named
        return encoding(after: head.withView { ByteOrderMark(head: $0, isWhole: true) } ?? .absent, named)
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

    /// Decodes the next chunk.
    ///
    /// - Throws: as the form that takes a buffer.
    public func write<Failure>(_ chunk: some Collection<UInt8>, _ body: Body<Failure>) throws(Failure) {
        try unsafe chunk.withBytes { (chunk) throws(Failure) in try unsafe write(chunk, body) }
    }

    /// Ends the file, and hands out the rest.
    ///
    /// - Throws: what `body` throws.
    public func finish<Failure>(_ body: Body<Failure>) throws(Failure) {
        try unsafe decide(isWhole: true, body)
        if case .waiting(let held, let checker) = state {
            try unsafe pass(held, by: checker.firstMalformed == nil ? nil : converter, body)
        }
        switch state {
        case .undecided, .waiting, .verbatim: break
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
        if case .absent = mark, converter != nil, use == .unlessUTF8 {
            state = .waiting([], UTF8Checker())
            return try unsafe head.withUnsafeBufferPointer { (bytes) throws(Failure) in
                try unsafe wait(for: UnsafeRawBufferPointer(bytes), body)
            }
        }
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

    /// Holds `bytes` until it is known whether the file is UTF-8.
    private func wait<Failure>(for bytes: UnsafeRawBufferPointer, _ body: Body<Failure>) throws(Failure) {
        guard case .waiting(var held, var checker) = state else { return }
        // Nothing else keeps the bytes while they are added to.
        state = .undecided([])
        unsafe held.append(contentsOf: bytes)
        checker.scan(unsafe ByteView(bytes))
        let isBinary = unsafe bytes.contains { $0 == 0 || $0 == 0x1B }
        if held.starts(with: Self.signature) || held.count > Self.mostHeld && !checker.isMalformed {
            try unsafe pass(held, by: nil, body)
        } else if held.count < Self.signature.count, Self.signature.starts(with: held) {
            state = .waiting(held, checker)
        } else if checker.isMalformed || isBinary {
            try unsafe pass(held, by: converter, body)
        } else {
            state = .waiting(held, checker)
        }
    }

    /// Decodes what has been held: by `converter`, or as UTF-8 without one.
    private func pass<Failure>(
        _ held: [UInt8], by converter: EncodingConverter?, _ body: Body<Failure>
    ) throws(Failure) {
        encoding = converter == nil ? nil : named
        state = if let converter { .converting(converter) } else { .verbatim(UTF8Checker()) }
        self.converter = nil
        try unsafe held.withUnsafeBufferPointer { (bytes) throws(Failure) in
            try unsafe pass(UnsafeRawBufferPointer(bytes), body)
        }
    }

    private func pass<Failure>(_ bytes: UnsafeRawBufferPointer, _ body: Body<Failure>) throws(Failure) {
        switch state {
        case .undecided: return
        case .waiting: try unsafe wait(for: bytes, body)
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
