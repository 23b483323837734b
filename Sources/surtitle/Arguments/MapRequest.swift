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

    /// The lines about the options in the help of the commands that have them.
    static let optionHelp = """
          --map auto|none|MPEGTS[:LOCAL]
                              the X-TIMESTAMP-MAP of the WebVTT files: which time of the video is which time of
                              the cues. Without one players show cues too early where the video's first time
                              stamp is not 0. auto (the default) reads that from the video's first segment, if
                              playlist and segment are local files (MPEG-TS, fragmented MP4, packed audio), and
                              keeps a file's own map; none leaves files as they are; tick MPEGTS (90 kHz) of the
                              video is the cues' time LOCAL (00:00:00.000), whatever map a file has
          --map-from SEGMENT  reads the first time stamp from this file; twice for an init segment and a segment
        """
}
