/// A quality of media.
public struct AVMediaCharacteristic: Hashable, Sendable, RawRepresentable {
    /// Its name.
    public let rawValue: String

    /// The one of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// It can be read.
    public static let legible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicLegible")
    /// It can be heard.
    public static let audible = AVMediaCharacteristic(rawValue: "AVMediaCharacteristicAudible")
    /// It holds only what is essential.
    public static let containsOnlyForcedSubtitles = AVMediaCharacteristic(rawValue: "public.subtitles.forced-only")
    /// It has all that is said.
    public static let transcribesSpokenDialogForAccessibility = AVMediaCharacteristic(
        rawValue: "public.accessibility.transcribes-spoken-dialog")
    /// It has what else is to be heard.
    public static let describesMusicAndSoundForAccessibility = AVMediaCharacteristic(
        rawValue: "public.accessibility.describes-music-and-sound")
}
