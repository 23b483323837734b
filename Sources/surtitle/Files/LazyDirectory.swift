/// An output directory that is made when something is to be put into it, so that input that is refused leaves none.
final class LazyDirectory {
    private let path: String
    private var made: OutputDirectory?

    init(_ path: String) { self.path = path }

    /// The directory.
    func output() throws(Failure) -> OutputDirectory {
        if let made { return made }
        let output = try OutputDirectory(path)
        made = output
        return output
    }
}
