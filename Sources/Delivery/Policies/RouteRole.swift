/// What a URL was given to a player for: who declared it, and so what is done when it is asked for.
public enum RouteRole: UInt8, CaseIterable, Sendable {
    /// The playlist that the player begins with.
    case master
    /// The playlist of a variant.
    case variant
    /// The playlist of a rendition.
    case rendition
    /// A media segment, a part of one, or a media initialization section.
    case segment
    /// A key.
    case key
    /// A WebVTT segment of a subtitle playlist that somebody else made.
    case cues
}
