/// Where a line is: what a message about it says.
struct LinePlace: Equatable {
    /// The stream position, in bytes, at which the line begins.
    var position = 0
    /// The line's number, from 1.
    var number = 1
}

extension LinePlace: CustomStringConvertible {
    var description: String { "line \(number), at byte \(position)" }
}
