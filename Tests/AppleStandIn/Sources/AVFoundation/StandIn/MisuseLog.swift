import Foundation

/// What was done against the rules with the requests of one asset.
package final class MisuseLog: @unchecked Sendable {
    private let lock = NSLock()
    private var noted: [Misuse] = []
    private var open: [ObjectIdentifier: LoadingRecord] = [:]

    package func note(_ kind: Misuse.Kind, _ url: String) {
        lock.withLock { noted.append(Misuse(kind: kind, url: url)) }
    }

    /// A request whose answer is waited for.
    package func began(_ record: LoadingRecord) { lock.withLock { open[ObjectIdentifier(record)] = record } }

    package func ended(_ record: LoadingRecord) {
        lock.withLock { _ = open.removeValue(forKey: ObjectIdentifier(record)) }
    }

    /// The number of requests whose answer is waited for.
    package var openCount: Int { lock.withLock { open.count } }

    /// All that was noted.
    package var all: [Misuse] { lock.withLock { noted } }

    /// All that was noted, and what is still waited for, at the end of a test.
    package func allAtEnd() -> [Misuse] {
        lock.withLock { noted + open.values.map { Misuse(kind: .neverFinished, url: $0.url) } }
    }
}
