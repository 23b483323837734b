internal import ByteScan
internal import Delivery
internal import M3U8

// What is read by its URL. The command has no HTTP of its own: curl is started as a program, once for each request.
//
//     url ──▶ curl ──▶ head: 200, 206     the body, counted as it comes from the pipe
//                            301 … 308    may it go there? then the next curl, ten times at most
//                            others       refused
//
// What is asked for, what a response is good for, and where credentials and redirects may go is decided as everywhere
// else (Delivery: FetchRequest, FetchVerdict, RouteOrigin).

/// Fetches by http and https.
struct Web {
    /// How many redirects are followed.
    static let mostRedirects = 10
    /// How much of a resource is kept, if it is to be read as a file.
    static let longestFile = 256 << 20

    /// What the options say.
    var access = WebAccess()
    /// The URL that ``WebAccess/headers`` are for: MASTER's; nil if that is no URL.
    var credentialsURL: [UInt8]?
    /// What has been fetched as a whole, by its URL: nothing is fetched twice.
    fileprivate var files: [String: WebFile] = [:]

    // The command reads in one thread.
    nonisolated(unsafe) static var shared = Web()

    /// Whether `text` is an http or https URL.
    static func isURL(_ text: String) -> Bool { text.withView { URIReference($0).isHTTPWithHost } }

    /// `url` as it may stand in what is written: without the user information before its host, which may be a password.
    static func withoutCredentials(_ url: String) -> String {
        url.withView { bytes in
            guard let authority = URIReference(bytes).authority,
                let at = bytes[authority].lastOffset(of: ASCII.at, before: authority.count)
            else { return url }
            let host = bytes.suffix(from: authority.lowerBound + at + 1)
            return String(decoding: Array(bytes.prefix(upTo: authority.lowerBound)) + Array(host), as: UTF8.self)
        }
    }
}

/// A resource that has been fetched as a whole, into a file without a name.
final class WebFile {
    /// Where it came from, after redirects.
    let url: String
    private let descriptor: FileDescriptor

    /// Where such files are made.
    private static var folder: String {
        let named = unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? ""
        return named.isEmpty ? "/tmp" : named
    }

    fileprivate init(_ url: String, _ descriptor: consuming FileDescriptor) {
        self.url = url
        self.descriptor = descriptor
    }

    /// The resource of `url`, which is fetched if it has not been.
    static func open(_ url: String) throws(Failure) -> WebFile {
        if let known = unsafe Web.shared.files[url] { return known }
        let file = try refusing(try FileDescriptor.unnamedFile(in: folder)) { (error: SystemError) in
            Failure.refused(
                folder, "\(error), and what is fetched is kept there; set TMPDIR to a folder for such files")
        }
        let copy = try Failure.refusing(url, try file.rewound())
        let writer = ByteWriter(copy, name: "\(url), as it is kept in \(folder)")
        let end = try unsafe Web.fetch(url, upTo: Web.longestFile) { (bytes) throws(Failure) in
            unsafe writer.write(bytes)
            try writer.check()
            return true
        }
        try writer.finish()
        let fetched = WebFile(end.url, file)
        unsafe Web.shared.files[url] = fetched
        return fetched
    }

    /// The resource, from its beginning.
    func rewound() throws(Failure) -> FileDescriptor { try Failure.refusing(url, try descriptor.rewound()) }
}
