internal import ByteScan
internal import Delivery

/// How things are fetched by http and https, as the options say that all commands have which read files.
struct WebAccess {
    /// What goes to MASTER's origin, and nowhere else.
    private(set) var headers: [HeaderLine] = []
    /// How many seconds one request may take.
    var seconds = 120
    /// Whether what a local playlist refers to by a URL is fetched.
    var followsReferences = false

    /// The fields that say how much is asked for and in which form, which surtitle does itself.
    private static let ownNames: [StaticString] = [
        "range", "if-range", "accept-encoding", "connection", "content-length", "transfer-encoding", "expect", "host",
    ]

    /// Adds a field. Messages name `place`, and nothing of the field: it may be a secret.
    mutating func add(_ line: String, _ place: String) throws(Failure) {
        guard let (name, value) = line.cut(at: ":"), !name.isEmpty, name.utf8.allSatisfy(HeaderLine.isNameByte) else {
            throw .usage(
                "\(place) is no header field; write it like 'Authorization: Bearer abc', or @FILE with one a line")
        }
        guard value.utf8.allSatisfy(HeaderLine.isValueByte) else {
            throw .usage("\(place): the value of \(name) holds a control character; leave it out")
        }
        if name.withView({ name in Self.ownNames.contains { name.equalsIgnoringCase($0) } }) {
            throw .usage("\(place): \(name) is said by surtitle itself; leave it out")
        }
        headers.append(HeaderLine(Array(name.utf8), value.withView { Array($0.trimmed) }))
    }

    /// Lets the credentials go to the first of `places` that is a URL, from now on.
    static func begin(for places: String?...) throws(Failure) {
        let master = places.compactMap { $0 }.first(where: Web.isURL)
        if unsafe master == nil && !Web.shared.access.headers.isEmpty {
            throw .usage("--header goes to where the first operand comes from, which is no URL; leave it out")
        }
        unsafe Web.shared.credentialsURL = master.map { Array($0.utf8) }
    }
}
