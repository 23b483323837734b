internal import Delivery
internal import WebVTT

/// Which X-TIMESTAMP-MAP the files of cues get, as `--map` and `--map-from` say.
struct MapRequest {
    /// The value of `--map`.
    enum Choice: Equatable {
        /// What the first segment of the video tells, where it can be read; the file's own map counts more.
        case auto
        /// None that the file has not.
        case none
        /// This one, instead of the file's own.
        case given(TimestampMap)
    }

    private(set) var choice = Choice.auto
    /// The files to read instead of the video's first segment: one, or an init segment and a media segment.
    private(set) var segments: [String] = []
    private var isChosen = false

    /// Takes the value of `--map`.
    mutating func choose(_ text: String) throws(Failure) {
        isChosen = true
        switch text {
        case "auto": choice = .auto
        case "none": choice = .none
        default: choice = .given(try TimestampMap(option: "--map", text))
        }
    }

    /// Takes what a configuration says, over which the options win.
    mutating func take(_ map: Configuration.Map) {
        guard !isChosen, segments.isEmpty else { return }
        switch map {
        case .auto: choice = .auto
        case .none: choice = .none
        case .given(let map): choice = .given(map)
        }
    }

    /// Takes the value of `--map-from`.
    mutating func read(from segment: String) { segments.append(segment) }

    /// Refuses options that exclude each other, and those that do nothing because no file of cues is written.
    func check(writesCues: Bool) throws(Failure) {
        if choice != .auto, !segments.isEmpty { throw .usage("--map-from is for --map auto; leave one of the two out") }
        if !writesCues, isChosen || !segments.isEmpty {
            throw .usage("\(isChosen ? "--map" : "--map-from") is for the tracks' local files, and no track has file=")
        }
    }
}
