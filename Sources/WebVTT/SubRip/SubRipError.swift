/// A SubRip file cannot be turned into WebVTT.
public struct SubRipError: Error, Equatable, Sendable {
    /// Why it cannot.
    public enum Reason: Equatable, Sendable {
        /// The file is not UTF-8 but, by all appearances, this.
        case encoding(SubRipEncoding)
        /// A line is longer than the limit, in bytes, whose policy is to fail.
        case lineTooLong(limit: Int)
    }

    /// Why the file cannot be turned into WebVTT.
    public let reason: Reason

    /// The stream position, in bytes, of the first byte that is wrong, or of the line that is too long.
    public let position: Int
}

#if !hasFeature(Embedded)
extension SubRipEncoding: CustomStringConvertible {
    /// The encoding's name.
    public var description: String {
        switch self {
        case .utf16LittleEndian, .utf16BigEndian, .utf32LittleEndian, .utf32BigEndian: converterName
        case .eightBit: "Windows-1252 or Latin-1"
        }
    }

    /// The name that iconv knows it by.
    fileprivate var converterName: String {
        switch self {
        case .utf16LittleEndian: "UTF-16LE"
        case .utf16BigEndian: "UTF-16BE"
        case .utf32LittleEndian: "UTF-32LE"
        case .utf32BigEndian: "UTF-32BE"
        case .eightBit: "WINDOWS-1252"
        }
    }
}

extension SubRipError: CustomStringConvertible {
    /// What is wrong, where, and what to do, in one line.
    public var description: String {
        switch reason {
        case .encoding(let encoding):
            "at byte \(position): not UTF-8; looks like \(encoding); convert it first, for example with "
                + "iconv -f \(encoding.converterName) -t UTF-8"
        case .lineTooLong(let limit):
            "at byte \(position): the line is longer than the limit of \(limit) bytes"
        }
    }
}
#endif
