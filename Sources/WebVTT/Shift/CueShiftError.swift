public import ByteScan

/// A line is too long to be kept until it is known whether its times are to be shifted.
public struct CueShiftError: Error, Equatable, Sendable {
    /// The stream position, in bytes, at which the line begins.
    public let position: Int

    /// The limit that the line exceeds, in bytes without its terminator.
    public let longestLine: Int
}

extension CueShiftError: Described {
    /// What is wrong, where, and what to do, in one line.
    public var message: Message {
        "at byte \(position): the line is longer than the limit of \(longestLine) bytes; break it up"
    }
}
