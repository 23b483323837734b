/// What the process is given and how it starts out.
enum Launch {
    /// The words behind the program's name.
    ///
    /// - Throws: ``Failure`` for a word that is not UTF-8: repaired, it would name another file or write other bytes.
    static func arguments() throws(Failure) -> [String] {
        var words: [String] = []
        var index = 1
        while index < Int(CommandLine.argc), let pointer = unsafe CommandLine.unsafeArgv[index] {
            guard let word = unsafe String(validatingCString: pointer) else {
                throw .usage("argument \(index) is not UTF-8")
            }
            words.append(word)
            index += 1
        }
        return words
    }

    /// Makes writing to a closed pipe an error like any other, and keeps files from being opened as standard streams.
    static func prepare() {
        _ = signal(SIGPIPE, SIG_IGN)
        // A standard stream that the caller has closed stays useless, but its number is taken: otherwise the next file
        // opened would get it, and messages would be written into that file.
        for stream in STDIN_FILENO...STDERR_FILENO where fcntl(stream, F_GETFD) == -1 {
            _ = unsafe open("/dev/null", stream == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
}
