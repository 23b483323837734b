#if canImport(AVFoundation) && !os(watchOS)
internal import AVFoundation

/// Subtitles that a player shows, or may show.
public struct SubtitleSelection: Equatable, Sendable {
    /// The number of the track, from 0, if the loader has brought it; nil if it is the video's own.
    public let track: Int?

    /// Its language as the system has it: a BCP 47 tag, or nil if it has none.
    public let language: String?

    /// What the playlist calls it: its NAME.
    public let name: String?

    /// What the system calls it, by its language and characteristics.
    public let displayName: String

    /// Whether it holds only what is essential.
    public let isForced: Bool

    /// Whether it is for the deaf and hard of hearing.
    public let isSDH: Bool

    /// Whether the player has been found to show it. A choice is dropped in silence while it stalls.
    public internal(set) var isShown = false

    /// What there is to know of `option`; `names` are those of the loader's tracks.
    init(_ option: AVMediaSelectionOption, _ names: [[String]]) {
        let title = option.commonMetadata.first { $0.commonKey == .commonKeyTitle }
        let name = title.flatMap { ($0 as any Titled).stringValue }
        self.name = name
        track = name.flatMap { name in names.firstIndex { $0.contains(name) } }
        language = option.extendedLanguageTag
        displayName = option.displayName
        isForced = option.hasMediaCharacteristic(.containsOnlyForcedSubtitles)
        // As Apple's HLS Authoring Specification 4.5 has it: both are there.
        isSDH =
            option.hasMediaCharacteristic(.transcribesSpokenDialogForAccessibility)
            && option.hasMediaCharacteristic(.describesMusicAndSoundForAccessibility)
    }
}

/// What has a title. The property is deprecated in favour of one that is asynchronous, and so wants what is Sendable,
/// which an option and its metadata are not.
private protocol Titled {
    var stringValue: String? { get }
}

extension AVMetadataItem: Titled {}
#endif
