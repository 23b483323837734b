import ByteScan

/// How bytes become whole characters of UTF-8, or the reason to refuse the file.
extension SubRipTranscoder {
    /// Takes the next chunk, the first four bytes of the file all at once.
    mutating func takeHeadAndRest(of chunk: ByteView, _ body: ViewSink) {
        var start = 0
        if !isPastHead {
            start = min(chunk.count, SubRipEncoding.decidingByteCount - waitingCount)
            keepWaiting(chunk.prefix(upTo: start))
            guard waitingCount == SubRipEncoding.decidingByteCount else { return }
            takeHead(body)
        }
        if failure == nil { decode(chunk.suffix(from: start), at: position + start, body) }
    }

    /// Decides about the encoding, and takes the bytes that waited for that.
    mutating func takeHead(_ body: ViewSink) {
        let (head, count) = (waiting, waitingCount)
        waitingCount = 0
        isPastHead = true
        unsafe withUnsafeBytes(of: head) { buffer in
            let view = unsafe ByteView(buffer).prefix(upTo: count)
            if let (encoding, position) = SubRipEncoding.givenAway(by: view) {
                refuse(.encoding(encoding), at: position)
            } else {
                cues.begin()
                decode(view, at: 0, body)
            }
        }
    }

    /// Takes the characters of `chunk` that are whole, the first of which may have begun before it.
    private mutating func decode(_ chunk: ByteView, at position: Int, _ body: ViewSink) {
        var start = validator.missingCount
        let progress = validator.take(chunk)
        if waitingCount > 0, progress.end > 0 {
            keepWaiting(chunk.prefix(upTo: start))
            let (character, count) = (waiting, waitingCount)
            waitingCount = 0
            unsafe withUnsafeBytes(of: character) { buffer in
                takeLines(unsafe ByteView(buffer).prefix(upTo: count), at: position + start - count, body)
            }
        } else {
            start = 0
        }
        if progress.end > start { takeLines(chunk[start..<progress.end], at: position + start, body) }
        if progress.isMalformed {
            refuse(.encoding(.eightBit), at: position + progress.end)
        } else {
            keepWaiting(chunk.suffix(from: max(0, progress.end)))
        }
    }

    private mutating func keepWaiting(_ bytes: ByteView) {
        for byte in bytes {
            waiting[waitingCount] = byte
            waitingCount += 1
        }
    }

    /// Stops for good, unless something before has.
    mutating func refuse(_ reason: SubRipError.Reason, at position: Int) {
        if failure == nil { failure = SubRipError(reason: reason, position: position) }
    }
}
