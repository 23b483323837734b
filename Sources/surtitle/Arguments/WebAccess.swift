internal import ByteScan
internal import Delivery

/// How things are fetched by http and https, as the options say that all commands have which read files.
struct WebAccess {
    /// What goes to MASTER's origin, and nowhere else.
    private(set) var headers: [HeaderLine] = []
    /// How many seconds one request may take.
    private(set) var seconds = 120
    /// Whether what a local playlist refers to by a URL is fetched.
    var followsReferences = false

    /// The longest file of fields.
    private static let longestFile = 64 << 10
    /// The fields that say how much is asked for and in which form, which surtitle does itself.
    private static let ownNames: [StaticString] = [
        "range", "if-range", "accept-encoding", "connection", "content-length", "transfer-encoding", "expect", "host",
    ]

    /// Takes the value of `--header`: a field, or `@` and the name of a file with a field a line.
    mutating func take(header text: String) throws(Failure) {
        guard let name = text.cut(at: "@"), name.before.isEmpty else { return try add(text, "--header") }
        let file = try InputFile(name.after)
        let bytes = try file.whole(upTo: Self.longestFile, otherwise: "fields are not that long")
        for (index, line) in String(decoding: bytes, as: UTF8.self).pieces(at: "\n").enumerated() {
            let line = line.unicodeScalars.last == "\r" ? String(line.unicodeScalars.dropLast()) : line
            if !line.isEmpty { try add(line, "\(file.name): line \(index + 1)") }
        }
    }

    /// Adds a field. Messages name `place`, and nothing of the field: it may be a secret.
    private mutating func add(_ line: String, _ place: String) throws(Failure) {
        guard let (name, value) = line.cut(at: ":"), !name.isEmpty, name.utf8.allSatisfy(Self.isTokenByte) else {
            throw .usage(
                "\(place) is no header field; write it like 'Authorization: Bearer abc', or @FILE with one a line")
        }
        guard !value.utf8.contains(where: { $0 < 0x20 && $0 != ASCII.tab || $0 == 0x7F }) else {
            throw .usage("\(place): the value of \(name) holds a control character; leave it out")
        }
        if name.withView({ name in Self.ownNames.contains { name.equalsIgnoringCase($0) } }) {
            throw .usage("\(place): \(name) is said by surtitle itself; leave it out")
        }
        headers.append(HeaderLine(Array(name.utf8), value.withView { Array($0.trimmed) }))
    }

    /// Whether a name may hold `byte` (RFC 9110 5.6.2).
    private static func isTokenByte(_ byte: UInt8) -> Bool {
        ASCII.isLetter(byte) || ASCII.isDigit(byte) || "!#$%&'*+-.^_`|~".utf8.contains(byte)
    }

    /// Takes the value of `--timeout`.
    mutating func take(timeout text: String) throws(Failure) {
        guard let value = text.withView({ Int(decimal: $0) }), 1...86_400 ~= value else {
            throw .usage("--timeout is \(text), which is no number of seconds from 1 to 86400")
        }
        seconds = value
    }

    /// Lets everything be fetched so from now on. The credentials are for the first of `places` that is a URL.
    func begin(for places: String?...) throws(Failure) {
        let master = places.compactMap { $0 }.first(where: Web.isURL)
        if master == nil, !headers.isEmpty {
            throw .usage("--header goes to where the first operand comes from, which is no URL; leave it out")
        }
        unsafe Web.shared.access = self
        unsafe Web.shared.credentialsURL = master.map { Array($0.utf8) }
    }
}

extension CommandOption {
    /// How things are fetched.
    static func web(_ path: WritableKeyPath<Target, WebAccess>) -> [CommandOption] {
        [
            CommandOption(
                "--header FIELD|@FILE",
                """
                a header field like 'Authorization: Bearer abc', or a file with one a line, for what is fetched from the
                origin of the operand, or of --media if the operand is no URL, and from no other
                """, .file
            ) { command, arguments throws(Failure) in
                try command[keyPath: path].take(header: arguments.value())
            },
            CommandOption("--timeout SECONDS", "how long a request may take (120)") {
                command, arguments throws(Failure) in
                try command[keyPath: path].take(timeout: arguments.value())
            },
        ]
    }

    /// Whether what a local playlist refers to is fetched.
    static func followsReferences(_ path: WritableKeyPath<Target, WebAccess>) -> CommandOption {
        CommandOption(
            "--fetch",
            """
            also fetches what local playlists refer to by http and https URLs, as far as it is needed; what a playlist that is
            itself fetched refers to needs no leave
            """, path.appending(path: \.followsReferences))
    }
}
