#if canImport(AVFoundation) && !os(watchOS)
internal import Sideload

/// Which subtitles a viewer wants.
public struct SubtitleChoice: Equatable, Sendable {
    /// The language: a BCP 47 tag, or an ISO 639-2 code. `en` finds `en-GB` too, and `sv-SE` finds `sv`, if there is
    /// nothing nearer; `pt-PT` never finds `pt-BR`.
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

    /// Which of `shown` is meant; nil if none is. Of several the one whose language is nearest, of these the first that
    /// a loader has brought, or else the first.
    func index(in shown: [SubtitleSelection]) -> Int? {
        guard let wanted = LanguageTag(language) else { return nil }
        var best: (index: Int, fit: LanguageTag.Fit, isOurs: Bool)?
        for (index, one) in shown.enumerated() where one.isForced == isForced && one.isSDH == isSDH {
            guard let tag = one.language.flatMap({ LanguageTag($0) }), let fit = tag.fit(for: wanted) else {
                continue
            }
            let isOurs = one.track != nil
            if let best, best.fit > fit || best.fit == fit && (best.isOurs || !isOurs) { continue }
            best = (index, fit, isOurs)
        }
        return best?.index
    }
}
#endif
