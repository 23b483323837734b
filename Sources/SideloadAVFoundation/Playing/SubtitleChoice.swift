#if canImport(AVFoundation) && !os(watchOS)
public import AVFoundation

/// Which subtitles a viewer wants.
public struct SubtitleChoice: Equatable, Sendable {
    /// The language: a BCP 47 tag. `en` finds `en-GB` too, if there is no `en`.
    public var language: String

    /// Whether those are wanted that hold only what is essential.
    public var isForced: Bool

    /// Whether those are wanted that are for the deaf and hard of hearing.
    public var isSDH: Bool

    /// Subtitles of a language: neither forced nor for the deaf and hard of hearing unless said otherwise.
    public init(language: String, isForced: Bool = false, isSDH: Bool = false) {
        self.language = language
        self.isForced = isForced
        self.isSDH = isSDH
    }

    /// The option that is meant; nil if there is none. Of several, one whose language is exactly this, then one that is called by one of
    /// `names`, then the first.
    public func option(in group: AVMediaSelectionGroup, preferring names: [String] = []) -> AVMediaSelectionOption? {
        let fit = group.options.filter { option in
            matches(option.extendedLanguageTag)
                && option.hasMediaCharacteristic(.containsOnlyForcedSubtitles) == isForced
                && option.isForHardOfHearing == isSDH
        }
        let exact = fit.filter { $0.extendedLanguageTag?.lowercased() == language.lowercased() }
        let best = exact.isEmpty ? fit : exact
        return best.first { names.contains($0.displayName) } ?? best.first
    }

    /// Whether `tag` is the language or a kind of it (RFC 4647 3.3.1).
    private func matches(_ tag: String?) -> Bool {
        guard let tag = tag?.lowercased() else { return false }
        return tag == language.lowercased() || tag.hasPrefix(language.lowercased() + "-")
    }
}

extension AVMediaSelectionOption {
    /// As Apple's HLS Authoring Specification 4.5 has it: both are there.
    fileprivate var isForHardOfHearing: Bool {
        hasMediaCharacteristic(.transcribesSpokenDialogForAccessibility)
            && hasMediaCharacteristic(.describesMusicAndSoundForAccessibility)
    }
}
#endif
