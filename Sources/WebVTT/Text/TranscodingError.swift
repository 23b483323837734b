public import ByteScan

/// A file of another format cannot be turned into WebVTT.
public struct TranscodingError: Error, Equatable, Sendable {
    /// Why it cannot.
    @nonexhaustive
    public enum Reason: Equatable, Sendable {
        /// The file is not UTF-8 but, by all appearances, this.
        case encoding(ForeignEncoding)
        /// A line is longer than the limit, in bytes, whose policy is to fail.
        case lineTooLong(limit: Int)
    }

    /// Why the file cannot be turned into WebVTT.
    public let reason: Reason

    /// The stream position, in bytes, of the first byte that is wrong, or of the line that is too long.
    public let position: Int
}

extension ForeignEncoding: Described {
    /// The encoding's name as iconv knows it, or words for one that has no name.
    public var message: Message {
        switch self {
        case .utf16LittleEndian: "UTF-16LE"
        case .utf16BigEndian: "UTF-16BE"
        case .utf32LittleEndian: "UTF-32LE"
        case .utf32BigEndian: "UTF-32BE"
        case .eightBit: "an 8-bit or East Asian encoding"
        }
    }
}

extension TranscodingError: Described {
    /// What is wrong, where, and what to do, in one line.
    public var message: Message { "at byte \(position): \(reason)" }
}

extension TranscodingError.Reason: Described {
    /// What is wrong and what to do.
    public var message: Message {
        switch self {
        case .encoding(.eightBit): "not UTF-8 but an 8-bit or East Asian encoding; find out which, and convert it first"
        case .encoding(let encoding):
            "not UTF-8; looks like \(encoding); convert it first, for example with iconv -f \(encoding) -t UTF-8"
        case .lineTooLong(let limit): "the line is longer than the limit of \(limit) bytes"
        }
    }
}
