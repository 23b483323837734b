internal import ByteScan

// The options that say how things are fetched.
extension WebAccess {
    /// The longest file of fields.
    private static let longestFile = 64 << 10

    /// Takes the value of `--header`: a field, or `@` and the name of a file with a field a line.
    fileprivate static func take(header text: String) throws(Failure) {
        guard let name = text.cut(at: "@"), name.before.isEmpty else {
            return try unsafe Web.shared.access.add(text, "--header")
        }
        let file = try InputFile(name.after)
        let bytes = try file.whole(upTo: Self.longestFile, otherwise: "fields are not that long")
        for (index, line) in String(decoding: bytes, as: UTF8.self).pieces(at: "\n").enumerated() {
            let line = line.unicodeScalars.last == "\r" ? String(line.unicodeScalars.dropLast()) : line
            if !line.isEmpty { try unsafe Web.shared.access.add(line, "\(file.name): line \(index + 1)") }
        }
    }

    /// Takes the value of `--timeout`.
    fileprivate static func take(timeout text: String) throws(Failure) {
        guard let value = text.withView({ Int(decimal: $0) }), 1...86_400 ~= value else {
            throw .usage("--timeout is \(text), which is no number of seconds from 1 to 86400")
        }
        unsafe Web.shared.access.seconds = value
    }
}

extension CommandOption {
    /// How things are fetched.
    static var web: [CommandOption] {
        [
            CommandOption(
                "--header FIELD|@FILE",
                """
                a header field like 'Authorization: Bearer abc', or a file with one a line, for what is fetched from the
                origin of the operand, or of --media if the operand is no URL, and from no other
                """, .file
            ) { _, arguments throws(Failure) in try WebAccess.take(header: arguments.value()) },
            CommandOption("--timeout SECONDS", "how long a request may take (120)") { _, arguments throws(Failure) in
                try WebAccess.take(timeout: arguments.value())
            },
        ]
    }

    /// Whether what a local playlist refers to is fetched.
    static var followsReferences: CommandOption {
        CommandOption(
            "--fetch",
            """
            also fetches what local playlists refer to by http and https URLs, as far as it is needed; what a playlist that is
            itself fetched refers to needs no leave
            """
        ) { _, _ in unsafe Web.shared.access.followsReferences = true }
    }
}
