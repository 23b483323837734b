internal import Encodings

/// How files of cues are read: the options that all commands have which read any.
struct SubtitleReading {
    /// The encoding of files that do not begin with a byte order mark; nil for UTF-8.
    private(set) var encoding: TextEncoding?

    /// By how much the cues are shifted.
    private(set) var shift = Shift.none

    /// Takes the value of `--from-encoding`.
    mutating func decode(from text: String) throws(Failure) {
        do {
            encoding = try TextEncoding(text)
        } catch {
            throw .usage("--from-encoding: \(error)")
        }
    }

    /// Takes the value of `--shift`.
    mutating func shift(by text: String) throws(Failure) { shift = try Shift(option: "--shift", text) }

    /// An option that was given and changes something; nil if there is none.
    var givenOption: String? { encoding != nil ? "--from-encoding" : shift != .none ? "--shift" : nil }

    /// The same without a shift.
    var unshifted: SubtitleReading {
        var reading = self
        reading.shift = .none
        return reading
    }
}
