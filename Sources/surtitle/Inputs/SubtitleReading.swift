/// How files of cues are read: the options that all commands have which read any.
struct SubtitleReading {
    /// The encoding of files that do not begin with a byte order mark; nil for UTF-8.
    private(set) var encoding: TextEncoding?

    /// By how much the cues are shifted.
    private(set) var shift = Shift.none

    /// Reads an option of these and its value. Any other argument is refused.
    mutating func parse(_ argument: ArgumentList.Argument, _ arguments: inout ArgumentList) throws(Failure) {
        switch argument {
        case .option("--from-encoding"):
            encoding = try TextEncoding(option: "--from-encoding", arguments.value())
        case .option("--shift"): shift = try Shift(option: "--shift", arguments.value(mayBeNegative: true))
        default: throw arguments.unexpected(argument)
        }
    }

    /// An option that was given and changes something; nil if there is none.
    var givenOption: String? { encoding != nil ? "--from-encoding" : shift != .none ? "--shift" : nil }

    /// The same without a shift.
    var unshifted: SubtitleReading {
        var reading = self
        reading.shift = .none
        return reading
    }

    /// The lines about the options in the help of the commands that have them.
    static let optionHelp = """
          --from-encoding NAME  the encoding of the subtitles, such as windows-1252, shift_jis or gb18030, as the
                              system's iconv calls it. Without it they are UTF-8, or UTF-16 with a byte
                              order mark, which goes before the option.
          --shift SECONDS     shows every cue that much later, or earlier if it is negative: --shift -1.4. Cues
                              that then end at or before 0 are left out, with a note.
        """
}
