import Dispatch
import Foundation

/// The signals that the process gets, in their order.
package final class Signals {
    /// Their numbers.
    package let numbers: AsyncStream<Int32>
    private let sources: [any DispatchSourceSignal]

    /// Those in `expected`, from now on, which end the process no longer by themselves.
    package init(_ expected: [Int32]) {
        let (stream, continuation) = AsyncStream.makeStream(of: Int32.self)
        numbers = stream
        sources = expected.map { number in
            signal(number, SIG_IGN)
            let source = DispatchSource.makeSignalSource(signal: number)
            source.setEventHandler { continuation.yield(number) }
            source.resume()
            return source
        }
    }
}
