internal import ByteScan
internal import M3U8
internal import Sideload

extension DecimalSeconds {
    /// Parses the value of `option`: a time above 0, such as `634.567` or `10:34.567`, kept exactly.
    init(option: String, _ text: String) throws(Failure) {
        guard let time = Array(text.utf8).withView({ DecimalSeconds(clock: $0) }), time > .zero else {
            throw .usage("\(TrackKeyError(.time, option.utf8, Array(text.utf8)))")
        }
        self = time
    }
}
