internal import ByteScan
internal import WebVTT

/// Reads a file of subtitles as WebVTT while its bytes pass by, whatever it is: its first bytes tell.
///
///     bytes ──▶ text ──▶ form ──▶ shift ──▶ WebVTT
///
/// - text: UTF-16 with a byte order mark is decoded, everything else is UTF-8.
/// - form: another format than WebVTT is converted.
/// - shift: the times of all cues, if that is asked for.
struct SubtitleReader: ~Copyable {
    private enum Text {
        /// The first bytes are collected.
        case undecided
        case utf8
        case utf16(UTF16Decoder)
    }

    /// How many bytes of UTF-16 are decoded at a time.
    private static var partSize: Int { 16 << 10 }

    private var text = Text.undecided
    private var head = ReusableBuffer<UInt8>()
    private var decoded = ReusableBuffer<UInt8>()
    private var reader = ShiftingReader()

    /// Whether WebVTT is made of the file.
    var isConverted: Bool { reader.source.form.isConverted }

    /// Whether a player would read something else in the file as it came.
    var isChanged: Bool {
        if case .utf16 = text { return true }
        return isConverted || reader.shift != 0
    }

    /// Makes the reader as new, for a file whose cues are shifted by so many milliseconds.
    mutating func reset(shiftedBy shift: Int64) {
        text = .undecided
        head.removeAll()
        decoded.removeAll()
        reader.reset(shiftedBy: shift)
    }

    /// Reads the next chunk of a file that was said to be of `format`, or ends the file if that is nil, and hands out
    /// WebVTT. Returns what is wrong.
    mutating func read(_ chunk: ByteView?, _ format: SubtitleFormat, _ body: (ByteView) -> Void) -> FetchError.Reason? {
        guard let chunk else { return finish(format, body) }
        var rest = chunk
        if case .undecided = text {
            let count = min(chunk.count, ByteOrderMark.decidingByteCount &- head.count)
            head.append(chunk.prefix(upTo: count))
            rest = chunk.suffix(from: count)
            if let fault = decideText(format, isWhole: false, body) { return fault }
        }
        return decode(rest, format, body)
    }

    private mutating func finish(_ format: SubtitleFormat, _ body: (ByteView) -> Void) -> FetchError.Reason? {
        if let fault = decideText(format, isWhole: true, body) { return fault }
        if case .utf16(var decoder) = text {
            decoder.finish(into: &decoded)
            if let fault = handOnDecoded(format, body) { return fault }
        }
        if let fault = take(nil, format, body) { return fault }
        return isConverted && reader.source.convertedCues == 0 ? .notSubtitles : nil
    }

    // MARK: Text

    private mutating func decideText(
        _ format: SubtitleFormat, isWhole: Bool, _ body: (ByteView) -> Void
    ) -> FetchError.Reason? {
        guard case .undecided = text, let mark = ByteOrderMark(head: head.view, isWhole: isWhole) else { return nil }
        var first = ReusableBuffer<UInt8>()
        swap(&first, &head)
        var bytes = first.view
        switch mark {
        case .utf16(let order):
            text = .utf16(UTF16Decoder(order, after: mark.count))
            bytes = bytes.suffix(from: mark.count)
        case .utf8, .absent: text = .utf8
        }
        return decode(bytes, format, body)
    }

    private mutating func decode(
        _ bytes: ByteView, _ format: SubtitleFormat, _ body: (ByteView) -> Void
    ) -> FetchError.Reason? {
        switch text {
        case .undecided: return nil
        case .utf8: return take(bytes, format, body)
        case .utf16(var decoder):
            var rest = bytes
            while !rest.isEmpty {
                let count = min(rest.count, Self.partSize)
                decoder.write(rest.prefix(upTo: count), into: &decoded)
                rest = rest.suffix(from: count)
                if let fault = handOnDecoded(format, body) { return fault }
            }
            text = .utf16(decoder)
            return nil
        }
    }

    private mutating func handOnDecoded(
        _ format: SubtitleFormat, _ body: (ByteView) -> Void
    ) -> FetchError.Reason? {
        var part = ReusableBuffer<UInt8>()
        swap(&part, &decoded)
        let fault = take(part.view, format, body)
        part.removeAll()
        swap(&part, &decoded)
        return fault
    }

    /// Takes the next bytes of the text, or its end.
    private mutating func take(
        _ bytes: ByteView?, _ format: SubtitleFormat, _ body: (ByteView) -> Void
    ) -> FetchError.Reason? {
        do throws(ShiftingReader.Fault) {
            try reader.read(bytes, format.told, body)
        } catch {
            switch error {
            case .transcoding(let error): return .transcoding(error)
            case .shift(let error): return .shift(error)
            }
        }
        return reader.source.form == .neither ? .notSubtitles : nil
    }
}

// What the first bytes of a file tell.
extension SubtitleReader {
    /// Whether a file that begins with `head` is UTF-16, by its byte order mark.
    static func isUTF16(_ head: ByteView) -> Bool {
        if case .utf16? = ByteOrderMark(head: head, isWhole: true) { true } else { false }
    }

    /// What `head`, the first bytes of a file in UTF-8 or UTF-16, says of its signature.
    static func signature(of head: ByteView, isWhole: Bool) -> WebVTTSignature {
        guard case .utf16(let order)? = ByteOrderMark(head: head, isWhole: true) else {
            return unsafe WebVTTSignature(head: head.buffer, isWholeFile: isWhole)
        }
        var decoder = UTF16Decoder(order)
        var text = ReusableBuffer<UInt8>()
        decoder.write(head.suffix(from: 2), into: &text)
        return unsafe WebVTTSignature(head: text.view.buffer, isWholeFile: isWhole)
    }
}
