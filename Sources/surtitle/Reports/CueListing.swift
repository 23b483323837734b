internal import WebVTT

/// Lists the cues of a file while its bytes pass by. No memory is allocated for a cue.
final class CueListing {
    private let output: ByteWriter
    private var scanner = CueScanner()
    private var line: CueLine
    private var skipped: LinePlace?

    /// A listing in the given form, to be written to `output`.
    init(_ form: CueLine.Form, to output: ByteWriter) {
        self.output = output
        line = CueLine(form)
    }

    /// Lists the cues of `file`. Those that come before what is wrong with it are listed even so.
    func list(_ file: borrowing InputFile, chunk: Int) throws(Failure) {
        let name = file.name
        let decoder = SubtitleDecoder(name)
        try unsafe decoder.forEachChunk(of: file, chunk: chunk) { (bytes) throws(Failure) in
            if decoder.format == .neither { throw .notWebVTT(name) }
            // Under the default policy nothing is thrown: blocks that are too long are reported as skipped.
            try? unsafe scanner.scan(bytes, take)
            try output.check()
        }
        try? scanner.finish(take)
        if let skipped {
            throw .refused(
                name, "\(skipped)\(decoder.placeNote): the block is too long to be read and is left out; break it up")
        }
    }

    private func take(_ event: CueEvent) {
        switch event {
        case .cue(let cue): output.write(line.filled(with: cue))
        case .skipped(let block): skipped = skipped ?? LinePlace(position: block.position, number: block.lineNumber)
        default: break
        }
    }
}
