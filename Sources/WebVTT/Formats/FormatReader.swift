package import ByteScan

// To add a format: its transcoder here, with a line of its own in each switch.

/// Reads a file of subtitles while its bytes pass by, and hands out WebVTT: a WebVTT file as it is, one of another
/// format as what its transcoder makes of it.
///
///     var reader = FormatReader()
///     try reader.write(chunk, format.told) { file += $0 }
///     try reader.finish(format.told) { file += $0 }
package struct FormatReader: ~Copyable {
    /// What a file is, as far as its first bytes tell.
    package enum Form: Equatable, Sendable {
        /// More of them are needed.
        case undecided
        case known(SubtitleFormat)
        /// It is nothing that could be read, and handed on unchanged.
        case neither

        /// Whether WebVTT is made of it.
        package var isConverted: Bool { if case .known(let format) = self { format.isConverted } else { false } }
    }

    /// Cues that a transcoder has left out because their author made a mistake.
    package struct LeftOut: Sendable {
        package let count: Int
        /// The stream position, in bytes, at which the first of them begins.
        package let position: Int
        /// What is wrong with them, and what to do.
        package let cause: StaticString
        package let advice: StaticString
    }

    /// Says what the file is that begins with some bytes, or is no longer than these.
    package typealias Decision = (_ head: ByteView, _ isWhole: Bool) -> Form

    /// What the file is.
    package private(set) var form = Form.undecided

    private var subRip = SubRipTranscoder()

    /// The first bytes, until they decide, and how many of them do in any case.
    private var head = ReusableBuffer<UInt8>()
    private let decidingByteCount: Int

    /// A reader of a file about which so many bytes decide: by default as many as tell WebVTT.
    package init(decidingBy byteCount: Int = WebVTTSignature.decidingByteCount) { decidingByteCount = byteCount }

    /// Makes the reader as new; the memory it has is kept.
    package mutating func reset() {
        form = .undecided
        head.removeAll()
        subRip.reset()
    }

    /// How many cues a file that is converted has had: without one at its end it is hardly of its format.
    package var convertedCues: Int {
        switch form {
        case .known(.subRip): subRip.cueCount
        case .known(.webVTT), .known(.playlist), .undecided, .neither: 0
        }
    }

    /// The cues that are left out of a file that is converted; nil if there are none.
    package var leftOut: LeftOut? {
        switch form {
        case .known(.subRip):
            subRip.firstBrokenArrow.map {
                LeftOut(
                    count: subRip.brokenArrowCount, position: $0, cause: "a broken arrow, such as - >",
                    advice: "write -->")
            }
        case .known(.webVTT), .known(.playlist), .undecided, .neither: nil
        }
    }

    /// Reads the next chunk, and hands out the WebVTT that is certain.
    ///
    /// - Throws: What is wrong with the file. The WebVTT before that has been handed out by then.
    package mutating func write(
        _ chunk: ByteView, _ decide: Decision, _ body: (ByteView) -> Void
    ) throws(TranscodingError) {
        var rest = chunk
        if form == .undecided {
            let count = min(chunk.count, decidingByteCount &- head.count)
            head.append(chunk.prefix(upTo: count))
            rest = chunk.suffix(from: count)
            try passHead(decide(head.view, false), body)
        }
        if !rest.isEmpty { try pass(rest, body) }
    }

    /// Ends the file, and hands out the rest.
    ///
    /// - Throws: As ``write(_:_:_:)``.
    package mutating func finish(_ decide: Decision, _ body: (ByteView) -> Void) throws(TranscodingError) {
        if form == .undecided { try passHead(decide(head.view, true), body) }
        switch form {
        case .known(.subRip): try unsafe subRip.finish { unsafe body(ByteView($0)) }
        case .known(.webVTT), .known(.playlist), .undecided, .neither: break
        }
    }

    private mutating func passHead(_ form: Form, _ body: (ByteView) -> Void) throws(TranscodingError) {
        self.form = form
        if form == .undecided { return }
        var first = ReusableBuffer<UInt8>()
        swap(&first, &head)
        try pass(first.view, body)
    }

    private mutating func pass(_ bytes: ByteView, _ body: (ByteView) -> Void) throws(TranscodingError) {
        switch form {
        case .undecided: break
        case .known(.subRip): try unsafe subRip.write(bytes.buffer) { unsafe body(ByteView($0)) }
        case .known(.webVTT), .known(.playlist), .neither: body(bytes)
        }
    }
}

extension SubtitleFormat {
    /// What a file is that begins with `head` and was said to be of this format: WebVTT tells itself.
    package func told(by head: ByteView, isWhole: Bool) -> FormatReader.Form {
        switch unsafe WebVTTSignature(head: head.buffer, isWholeFile: isWhole) {
        case .needsMoreBytes: .undecided
        case .valid: .known(.webVTT)
        case .invalid: isConverted ? .known(self) : .neither
        }
    }
}
