/// Why a command stops, and with which exit status. Every room throws it.
package enum Failure: Error, Equatable, CustomStringConvertible {
    /// The arguments are wrong: status 2.
    case usage(String)
    /// The input is refused, or the system failed to read or write: status 1.
    case refused(String)
    /// Nobody reads the output any more: status 1 without a message, as for any command in a pipeline.
    case closedOutput

    /// The process's exit status.
    package var status: Int32 {
        switch self {
        case .usage: 2
        case .refused, .closedOutput: 1
        }
    }

    /// What is written to standard error; nil if nothing is.
    package var message: String? {
        switch self {
        case .usage(let message), .refused(let message): message
        case .closedOutput: nil
        }
    }

    /// The message, for a failure that another one quotes.
    package var description: String { message ?? "nobody reads the output" }

    /// A refusal of the file called `name`.
    static func refused(_ name: String, _ reason: String) -> Failure { .refused("\(name): \(reason)") }

    /// The value; why it cannot be made is a refusal of the file called `name`, in the words of the error.
    static func refusing<Value: ~Copyable>(
        _ name: String, _ value: @autoclosure () throws -> Value
    ) throws(Failure) -> Value {
        do { return try value() } catch { throw .refused(name, "\(error)") }
    }

    /// The value; why it cannot be made is a fault of the arguments, in the words of the error after `place`.
    static func checking<Value>(_ place: String, _ value: @autoclosure () throws -> Value) throws(Failure) -> Value {
        do { return try value() } catch { throw .usage("\(place)\(error)") }
    }
}
