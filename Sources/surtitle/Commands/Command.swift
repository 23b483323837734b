/// A subcommand: made from its arguments, then run.
protocol Command {
    /// The word that chooses it.
    static var name: String { get }

    /// What it does, in a few words.
    static var summary: String { get }

    /// What `--help` prints: usage, options, an example.
    static var help: String { get }

    /// Reads the arguments behind the command's name.
    init(_ arguments: inout ArgumentList) throws(Failure)

    /// Does the work.
    func run() throws(Failure)
}
