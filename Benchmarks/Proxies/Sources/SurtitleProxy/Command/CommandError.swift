/// Why the proxy does not start, or does not take a configuration.
package struct CommandError: Error, CustomStringConvertible {
    package let description: String

    init(_ description: String) { self.description = description }
}
