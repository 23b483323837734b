internal import ByteScan
internal import WebVTT

/// The line that a cue becomes in a listing, in memory that is used again for the next.
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

    /// The line of `cue`, with a line feed at its end; valid until the next one.
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
