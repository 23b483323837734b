/// What the value of an option, a key or an operand may be, as far as a shell can complete it.
indirect enum ValueForm: Equatable, Sendable {
    /// A part of a value that is a list: `key=value`, or a flag, which may be without a value.
    struct Field: Equatable, Sendable {
        let name: String
        let isFlag: Bool
        let form: ValueForm
    }

    /// What only the user knows.
    case free
    case file
    case directory
    /// One of these words, or else what only the user knows.
    case words([String])
    /// One of these beginnings, each with its `=` or `:`, and then the other form; or that alone.
    case prefixed([String], ValueForm)
    /// Fields with commas between them, of which the first may be a file.
    case fields([Field])
}
