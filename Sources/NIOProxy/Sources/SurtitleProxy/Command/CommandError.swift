/// Why the proxy does not start, or does not take a configuration.
public struct CommandError: Error, CustomStringConvertible {
    /// What is wrong, in words.
    public let description: String

    init(_ description: String) { self.description = description }
}
