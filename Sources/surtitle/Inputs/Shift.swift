internal import ByteScan
internal import Sideload

/// By how much cues are shifted: the value of `--shift`.
struct Shift: Equatable {
    /// Milliseconds; later if above 0.
    let milliseconds: Int64

    /// No shift.
    static let none = Shift(milliseconds: 0)

    init(milliseconds: Int64) { self.milliseconds = milliseconds }

    /// Parses the value of `option`: seconds with up to three decimals, such as `-1.4`, or a time such as `1:00`.
    init(option: String, _ text: String) throws(Failure) {
        guard let milliseconds = text.withView({ ShiftSpelling.milliseconds($0) }) else {
            throw .usage("\(TrackKeyError(.shift, option.utf8, Array(text.utf8)))")
        }
        self.milliseconds = milliseconds
    }
}
