public import Foundation

/// What a viewer may choose from: one option, or none.
public final class AVMediaSelectionGroup: NSObject, Sendable {
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

/// One of the things that a viewer may choose.
public final class AVMediaSelectionOption: NSObject, Sendable {
    package let attributes: [String: String]

    package init(_ attributes: [String: String]) { self.attributes = attributes }

    /// Its language, as the playlist has it.
    public var extendedLanguageTag: String? { attributes["LANGUAGE"] }

    /// What viewers see.
    public var displayName: String { attributes["NAME"] ?? "" }

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
}
