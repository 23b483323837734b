internal import ByteScan
internal import WebVTT

/// Reads a file of subtitles as WebVTT while its bytes pass by, whatever it is: its first bytes tell.
struct SubtitleReader: ~Copyable {
    private enum Form {
        /// The first bytes are collected.
        case undecided
        case webVTT
        case subRip
    }

    private var form = Form.undecided
    private var head = ReusableBuffer<UInt8>()
    private var transcoder = SubRipTranscoder()

    /// Whether the file is SubRip.
    var isConverted: Bool { form == .subRip }

    mutating func reset() {
        form = .undecided
        head.removeAll()
        transcoder.reset()
    }

    /// Reads the next chunk of a file that was said to be of `format`, and hands out WebVTT. Returns what is wrong.
    mutating func write(
        _ chunk: ByteView, _ format: SubtitleFormat, _ body: (ByteView) -> Void
    ) -> FetchError.Reason? {
        var rest = chunk
        if form == .undecided {
            let count = min(chunk.count, WebVTTSignature.decidingByteCount &- head.count)
            head.append(chunk.prefix(upTo: count))
            rest = chunk.suffix(from: count)
            if let fault = decide(format, isWholeFile: false, body) { return fault }
        }
        return pass(rest, body)
    }

    /// Ends the file. Returns what is wrong.
    mutating func finish(_ format: SubtitleFormat, _ body: (ByteView) -> Void) -> FetchError.Reason? {
        if form == .undecided, let fault = decide(format, isWholeFile: true, body) { return fault }
        guard form == .subRip else { return nil }
        do throws(SubRipError) {
            try unsafe transcoder.finish { unsafe body(ByteView($0)) }
        } catch {
            return .subRip(error)
        }
        return transcoder.cueCount == 0 ? .notSubtitles : nil
    }

    private mutating func decide(
        _ format: SubtitleFormat, isWholeFile: Bool, _ body: (ByteView) -> Void
    ) -> FetchError.Reason? {
        switch unsafe WebVTTSignature(head: head.view.buffer, isWholeFile: isWholeFile) {
        case .needsMoreBytes: return nil
        case .valid: form = .webVTT
        case .invalid:
            guard format == .subRip else { return .notSubtitles }
            form = .subRip
        }
        var first = ReusableBuffer<UInt8>()
        swap(&first, &head)
        return pass(first.view, body)
    }

    private mutating func pass(_ bytes: ByteView, _ body: (ByteView) -> Void) -> FetchError.Reason? {
        guard !bytes.isEmpty else { return nil }
        switch form {
        case .undecided: return nil
        case .webVTT: body(bytes)
        case .subRip:
            do throws(SubRipError) {
                try unsafe transcoder.write(bytes.buffer) { unsafe body(ByteView($0)) }
            } catch {
                return .subRip(error)
            }
        }
        return nil
    }
}
