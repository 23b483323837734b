/// An option as a row of a table, which parsing, `--help`, the manual page and the completions of shells all are made
/// from.
///
///     CommandOption("--media MEDIA", "the video's media playlist", .file, \.media)
///     CommandOption("--cues-once", "puts each cue only into the segment it starts in", \.cuesOnce)
///     CommandOption("--chunk BYTES", "how much is read at a time") { command, arguments throws(Failure) in … }
struct CommandOption<Target> {
    /// Reads the option's value, if it has one, into the target.
    typealias Reading = (inout Target, inout ArgumentList) throws(Failure) -> Void

    let description: OptionDescription
    let read: Reading
    /// Whether the command cannot do without it.
    private(set) var isRequired = false

    init(_ spelling: String, _ text: String, _ form: ValueForm = .free, _ read: @escaping Reading) {
        description = OptionDescription(spelling, text, form)
        self.read = read
    }

    /// An option whose value is kept as it is.
    init(_ spelling: String, _ text: String, _ form: ValueForm, _ path: WritableKeyPath<Target, String?>) {
        self.init(spelling, text, form) { target, arguments throws(Failure) in
            target[keyPath: path] = try arguments.value()
        }
    }

    /// An option without a value.
    init(_ spelling: String, _ text: String, _ path: WritableKeyPath<Target, Bool>) {
        self.init(spelling, text) { target, _ in target[keyPath: path] = true }
    }

    /// The same option, without which the command cannot do.
    var required: CommandOption {
        var option = self
        option.isRequired = true
        return option
    }

    /// What a message calls the option where it is missing: `-o DIR`.
    var shortSpelling: String {
        (description.names.prefix(1) + [description.placeholder].compactMap { $0 }).joined(separator: " ")
    }
}
