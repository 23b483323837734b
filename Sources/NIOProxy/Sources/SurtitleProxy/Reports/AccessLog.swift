/// The lines of one event loop's requests, written to standard error a while later, several at once.
final class AccessLog {
    /// Those that wait.
    private(set) var lines = ""
    private static let most = 16 << 10

    private let write: (String) -> Void

    init(to write: @escaping (String) -> Void = StandardError.write) { self.write = write }

    /// Adds a line, which goes out within a second.
    func append(_ line: String) {
        lines += line
        if lines.utf8.count > Self.most { flush() }
    }

    func flush() {
        guard !lines.isEmpty else { return }
        write(lines)
        lines.removeAll(keepingCapacity: true)
    }

    deinit { flush() }
}
