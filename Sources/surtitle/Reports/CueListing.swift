internal import ByteScan
internal import M3U8
internal import WebVTT

/// Lists the cues of a file, one a line, while its bytes pass by. No memory is allocated for a cue.
final class CueListing {
    private let output: ByteWriter
    private var scanner = CueScanner()
    private var line: CueLine
    /// The first block that was too long to be read and is a cue, or may be one.
    private var skipped: LineLocation?

    /// A listing in `form`, which is written to `output`.
    init(_ form: CueLine.Form, to output: ByteWriter) {
        self.output = output
        line = CueLine(form)
    }

    /// Lists the cues of `file`. If the file is refused, the cues before that have been listed.
    func list(_ file: borrowing InputFile, _ reading: SubtitleReading) throws(Failure) {
        let name = file.name
        let decoder = try SubtitleDecoder(name, reading)
        try unsafe decoder.forEachChunk(of: file) { (bytes) throws(Failure) in
            if decoder.format == .neither { throw decoder.notSubtitles }
            // Under the default policy nothing is thrown: blocks that are too long are reported as skipped.
            try? unsafe scanner.scan(bytes, list)
            try output.check()
        }
        try? scanner.finish(list)
        if let skipped {
            throw .refused(
                name, "\(skipped)\(decoder.locationNote): the block is too long to be read and is left out; break it up"
            )
        }
    }

    private func list(_ event: CueEvent) {
        switch event {
        case .cue(let cue): output.write(line.filled(with: cue))
        case .skipped(let block) where block.hasArrow:
            skipped = skipped ?? LineLocation(position: block.position, number: block.lineNumber)
        default: break
        }
    }
}

/// The line of a cue in a listing, in memory that is used again for the next cue.
struct CueLine: ~Copyable {
    /// How a cue is written.
    enum Form {
        /// `00:00:01.000 --> 00:00:04.500  One line / and another`, with control characters as escapes.
        case readable
        /// `{"start_ms":1000,"end_ms":4500,"id":"","settings":"","text":"One line\nand another"}`
        case json
    }

    private let form: Form
    private var text = CueTextBuffer()

    init(_ form: Form) { self.form = form }

    /// The line of `cue`, with a line feed at its end. It is valid until the next call.
    mutating func filled(with cue: Cue) -> ByteView {
        text.removeAll()
        switch form {
        case .readable:
            text.append(cue.start)
            text.append(" --> ")
            text.append(cue.end)
            if !cue.text.isEmpty { text.append("  ") }
            text.append(cue.text.bytes, as: .readable)
        case .json:
            text.append("{\"start_ms\":")
            text.append(cue.start.milliseconds)
            text.append(",\"end_ms\":")
            text.append(cue.end.milliseconds)
            text.append(",\"id\":\"")
            text.append(cue.identifier.bytes, as: .json)
            text.append("\",\"settings\":\"")
            text.append(cue.settingsText.bytes, as: .json)
            text.append("\",\"text\":\"")
            text.append(cue.text.bytes, as: .json)
            text.append("\"}")
        }
        text.append("\n")
        return text.view
    }
}
