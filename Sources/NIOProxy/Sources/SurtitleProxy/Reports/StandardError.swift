import Dispatch
import Foundation
import NIOConcurrencyHelpers

/// Standard error. Who reads it may be slow, or gone, and no request waits for that: what is said is written on a
/// thread of its own, and lost if it cannot be.
package enum StandardError {
    private static let queue = DispatchQueue(label: "surtitle-proxy.standard-error")
    /// How many bytes wait to be written.
    private static let waiting = NIOLockedValueBox(0)
    private static let mostWaiting = 1 << 20

    /// Says something about the proxy itself, in a line.
    package static func say(_ text: String) { write("surtitle-proxy: \(text)\n") }

    /// Writes `text` a moment later, if not more than 1 MiB waits.
    static func write(_ text: String) {
        let bytes = Array(text.utf8)
        let hasRoom = waiting.withLockedValue { count in
            guard count + bytes.count <= mostWaiting else { return false }
            count += bytes.count
            return true
        }
        guard hasRoom else { return }
        queue.async {
            write(bytes)
            waiting.withLockedValue { $0 -= bytes.count }
        }
    }

    /// Waits until everything is written, for a second at most.
    package static func flush() {
        let written = DispatchSemaphore(value: 0)
        queue.async { written.signal() }
        _ = written.wait(timeout: .now() + 1)
    }

    private static func write(_ bytes: [UInt8]) {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { Foundation.write(STDERR_FILENO, $0.baseAddress, $0.count) }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return }
            rest.removeFirst(count)
        }
    }
}
