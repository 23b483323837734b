internal import Encodings
internal import Sideload

/// How files of cues are read: the options that all commands have which read any.
struct SubtitleReading {
    /// The encoding of files that do not begin with a byte order mark; nil for UTF-8.
    private(set) var encoding: TextEncoding?

    /// For which files that counts.
    private(set) var use = TextDecoder.Use.unlessUTF8

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

    /// How the local file of `track` is read, which is number `number`: its own encoding goes before that of all, and
    /// its shift is added to that.
    func reading(of track: TrackConfiguration, number: Int) throws(Failure) -> SubtitleReading {
        var reading = self
        if let name = track.encoding {
            do {
                reading.encoding = try TextEncoding(name)
            } catch {
                throw .usage("track \(number): encoding: \(error)")
            }
            reading.use = .always
        }
        let (sum, isTooMuch) = shift.milliseconds.addingReportingOverflow(track.shift)
        if !isTooMuch { reading.shift = Shift(milliseconds: sum) }
        return reading
    }

    /// The same without a shift.
    var unshifted: SubtitleReading {
        var reading = self
        reading.shift = .none
        return reading
    }
}
