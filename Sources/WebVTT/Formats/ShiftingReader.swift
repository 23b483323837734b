package import ByteScan

/// A ``FormatReader`` whose WebVTT has its cues shifted, if that is asked for.
package struct ShiftingReader: ~Copyable {
    /// What is wrong with a file.
    package enum Fault: Error {
        case transcoding(TranscodingError)
        case shift(CueShiftError)
    }

    /// What the file is, and what is left out of it before cues are shifted.
    package private(set) var source: FormatReader

    private var shifter: CueShifter

    /// A reader of a file about which so many bytes decide, by default as many as tell WebVTT, and whose cues are
    /// shifted by so many milliseconds.
    package init(decidingBy byteCount: Int = WebVTTSignature.decidingByteCount, shiftedBy shift: Int64 = 0) {
        source = FormatReader(decidingBy: byteCount)
        shifter = CueShifter(byMilliseconds: shift)
    }

    /// Makes the reader as new, for a file whose cues are shifted by so many milliseconds; the memory it has is kept.
    package mutating func reset(shiftedBy shift: Int64) {
        source.reset()
        if shifter.shift == shift { shifter.reset() } else { shifter = CueShifter(byMilliseconds: shift) }
    }

    /// By how many milliseconds cues are shifted.
    package var shift: Int64 { shifter.shift }

    /// How many cues end at or before 0 once they are shifted, and are left out.
    package var leftOutCount: Int { shifter.leftOutCount }

    /// Reads the next chunk, or ends the file if that is nil, and hands out the WebVTT that is certain.
    ///
    /// - Throws: What is wrong with the file. The WebVTT before that has been handed out by then.
    package mutating func read(
        _ chunk: ByteView?, _ decide: FormatReader.Decision, _ body: (ByteView) -> Void
    ) throws(Fault) {
        var fault: CueShiftError?
        var shifter = CueShifter(byMilliseconds: 0)
        swap(&shifter, &self.shifter)
        defer { swap(&shifter, &self.shifter) }
        do throws(TranscodingError) {
            if let chunk {
                try source.write(chunk, decide) { fault = fault ?? Self.shift($0, &shifter, body) }
            } else {
                try source.finish(decide) { fault = fault ?? Self.shift($0, &shifter, body) }
            }
        } catch {
            throw .transcoding(error)
        }
        if let fault { throw .shift(fault) }
        if chunk == nil { shifter.finish { body($0.view) } }
    }

    /// Hands `body` what the next bytes of WebVTT become.
    private static func shift(
        _ bytes: ByteView, _ shifter: inout CueShifter, _ body: (ByteView) -> Void
    ) -> CueShiftError? {
        if shifter.shift == 0 {
            body(bytes)
            return nil
        }
        do throws(CueShiftError) { try unsafe shifter.write(bytes.buffer) { body($0.view) } } catch { return error }
        return nil
    }
}
