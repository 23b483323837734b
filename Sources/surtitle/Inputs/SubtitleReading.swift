internal import ByteScan
internal import Encodings
internal import Sideload

/// How files of cues are read: the options that all commands have which read any.
struct SubtitleReading {
    /// The encoding of files that do not begin with a byte order mark; nil for UTF-8.
    private(set) var encoding: TextEncoding?

    /// For which files that counts.
    private(set) var use = TextDecoder.Use.unlessUTF8

    /// Whether the file is a track's, which may say its encoding.
    private(set) var isTracks = false

    /// How many milliseconds later the cues are shown, or earlier if it is below 0.
    private(set) var shift: Int64 = 0

    /// Takes the value of `--from-encoding`.
    mutating func decode(from text: String) throws(Failure) {
        encoding = try Failure.checking("--from-encoding: ", try TextEncoding(text))
    }

    /// Takes the value of `--shift`: seconds with up to three decimals, such as `-1.4`, or a time such as `1:00`.
    mutating func shift(by text: String) throws(Failure) {
        guard let milliseconds = text.withView({ ShiftSpelling.milliseconds($0) }) else {
            throw .usage("\(TrackKeyError(.shift, "--shift".utf8, Array(text.utf8)))")
        }
        shift = milliseconds
    }

    /// An option that was given and changes something; nil if there is none.
    var givenOption: String? { encoding != nil ? "--from-encoding" : shift != 0 ? "--shift" : nil }

    /// How the local file of `track` is read, which is number `number`: its own encoding goes before that of all, and
    /// its shift is added to that.
    func reading(of track: TrackConfiguration, number: Int) throws(Failure) -> SubtitleReading {
        var reading = self
        reading.isTracks = track.file != nil
        if let name = track.encoding {
            reading.encoding = try Failure.checking("track \(number): encoding: ", try TextEncoding(name))
            reading.use = .always
        }
        let (sum, isTooMuch) = shift.addingReportingOverflow(track.shift)
        if !isTooMuch { reading.shift = sum }
        return reading
    }

    /// The same without a shift.
    var unshifted: SubtitleReading {
        var reading = self
        reading.shift = 0
        return reading
    }
}
