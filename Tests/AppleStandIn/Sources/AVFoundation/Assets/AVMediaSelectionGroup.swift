public import Foundation

/// What a viewer may choose from: one option, or none. Not Sendable, as Apple's is not.
public final class AVMediaSelectionGroup: NSObject {
    /// All options.
    public let options: [AVMediaSelectionOption]

    package init(_ options: [AVMediaSelectionOption]) { self.options = options }

    /// The option that is chosen unless the viewer does.
    public var defaultOption: AVMediaSelectionOption? { options.first { $0.attributes["DEFAULT"] == "YES" } }

    /// Those of `options` that have all of these characteristics.
    public class func mediaSelectionOptions(
        from mediaSelectionOptions: [AVMediaSelectionOption],
        withMediaCharacteristics mediaCharacteristics: [AVMediaCharacteristic]
    ) -> [AVMediaSelectionOption] {
        mediaSelectionOptions.filter { option in mediaCharacteristics.allSatisfy(option.hasMediaCharacteristic) }
    }
}

/// One of the things that a viewer may choose. Not Sendable, as Apple's is not.
public final class AVMediaSelectionOption: NSObject {
    package let attributes: [String: String]

    package init(_ attributes: [String: String]) { self.attributes = attributes }

    /// Its language in the system's form: `ger` reads back as `de`.
    public var extendedLanguageTag: String? { attributes["LANGUAGE"].map { $0 == "ger" ? "de" : $0 } }

    /// What viewers see: made of the language and the characteristics, and not of NAME.
    public var displayName: String {
        let language = extendedLanguageTag.flatMap { Locale(identifier: "en").localizedString(forIdentifier: $0) }
        let kind =
            if hasMediaCharacteristic(.containsOnlyForcedSubtitles) {
                " Forced"
            } else if hasMediaCharacteristic(.transcribesSpokenDialogForAccessibility) {
                " SDH"
            } else {
                ""
            }
        return (language ?? "Unknown language") + kind
    }

    /// Where NAME is: as the title, and in HLS's own key space.
    public var commonMetadata: [AVMetadataItem] {
        attributes["NAME"].map { [AVMetadataItem(.commonKeyTitle, $0)] } ?? []
    }

    /// Whether it is of this kind.
    public func hasMediaCharacteristic(_ mediaCharacteristic: AVMediaCharacteristic) -> Bool {
        switch mediaCharacteristic {
        case .legible: true
        case .containsOnlyForcedSubtitles: attributes["FORCED"] == "YES"
        default:
            attributes["CHARACTERISTICS", default: ""].split(separator: ",").contains {
                $0 == mediaCharacteristic.rawValue
            }
        }
    }

    /// Options of two readings of one playlist are equal.
    override public func isEqual(_ object: Any?) -> Bool {
        (object as? AVMediaSelectionOption)?.attributes == attributes
    }
    override public var hash: Int { attributes.hashValue }
}

/// Something that is said of a medium.
open class AVMetadataItem: NSObject {
    /// Its name among those that all formats have.
    public let commonKey: AVMetadataKey?
    private let text: String

    init(_ key: AVMetadataKey, _ text: String) {
        commonKey = key
        self.text = text
    }

    /// Its value, if that is text.
    @available(*, deprecated, message: "Use load(.stringValue) instead")
    open var stringValue: String? { text }
}

/// The name of something that is said of a medium.
public struct AVMetadataKey: Hashable, Sendable, RawRepresentable {
    /// The name.
    public let rawValue: String

    /// The one of this name.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The title.
    public static let commonKeyTitle = AVMetadataKey(rawValue: "title")
}

/// What is chosen of an asset's groups.
public final class AVMediaSelection: NSObject {
    private let options: [AVMediaSelectionOption?]

    init(_ options: [AVMediaSelectionOption?]) { self.options = options }

    /// What is chosen of this group.
    public func selectedMediaOption(in mediaSelectionGroup: AVMediaSelectionGroup) -> AVMediaSelectionOption? {
        mediaSelectionGroup.options.first { option in options.contains { $0?.isEqual(option) == true } }
    }
}
