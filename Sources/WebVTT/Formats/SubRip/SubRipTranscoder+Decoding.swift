import ByteScan

/// How bytes become whole characters of UTF-8, or the reason to refuse the file.
extension SubRipTranscoder {
    /// Decodes the next chunk, the first four bytes of the file all at once.
    mutating func decodeHeadAndRest(of chunk: ByteView, _ body: ViewSink) {
        var start = 0
        if !document.hasPassedHead {
            start = min(chunk.count, ForeignEncoding.decidingByteCount - document.waitingCount)
            appendWaiting(chunk.prefix(upTo: start))
            guard document.waitingCount == ForeignEncoding.decidingByteCount else { return }
            decodeHead(body)
        }
        if document.failure == nil { decode(chunk.suffix(from: start), at: position + start, body) }
    }

    /// Decides about the encoding, and decodes the bytes that waited for that.
    mutating func decodeHead(_ body: ViewSink) {
        let (head, count) = (document.waiting, document.waitingCount)
        document.waitingCount = 0
        document.hasPassedHead = true
        unsafe withUnsafeBytes(of: head) { buffer in
            let view = unsafe ByteView(buffer).prefix(upTo: count)
            if let (encoding, position) = ForeignEncoding.givenAway(by: view) {
                refuse(.encoding(encoding), at: position)
            } else {
                cues.begin()
                decode(view, at: 0, body)
            }
        }
    }

    /// Decodes the characters of `chunk` that are whole, the first of which may have begun before it.
    private mutating func decode(_ chunk: ByteView, at position: Int, _ body: ViewSink) {
        var start = document.validator.missingCount
        let progress = document.validator.scan(chunk)
        if document.waitingCount > 0, progress.end > 0 {
            appendWaiting(chunk.prefix(upTo: start))
            let (character, count) = (document.waiting, document.waitingCount)
            document.waitingCount = 0
            unsafe withUnsafeBytes(of: character) { buffer in
                scanLines(unsafe ByteView(buffer).prefix(upTo: count), at: position + start - count, body)
            }
        } else {
            start = 0
        }
        if progress.end > start { scanLines(chunk[start..<progress.end], at: position + start, body) }
        if progress.isMalformed {
            refuse(.encoding(.eightBit), at: position + progress.end)
        } else {
            appendWaiting(chunk.suffix(from: max(0, progress.end)))
        }
    }

    private mutating func appendWaiting(_ bytes: ByteView) {
        for byte in bytes {
            document.waiting[document.waitingCount] = byte
            document.waitingCount += 1
        }
    }

    /// Stops for good, unless something before has.
    mutating func refuse(_ reason: TranscodingError.Reason, at position: Int) {
        if document.failure == nil { document.failure = TranscodingError(reason: reason, position: position) }
    }
}
