/// The lines of one event loop's requests, written to standard error a while later, several at once.
final class AccessLog {
    private var lines = ""
    private static let most = 16 << 10

    /// Adds a line, which goes out within a second.
    func append(_ line: String) {
        lines += line
        if lines.utf8.count > Self.most { flush() }
    }

    func flush() {
        guard !lines.isEmpty else { return }
        StandardError.write(lines)
        lines.removeAll(keepingCapacity: true)
    }

    deinit { flush() }
}
