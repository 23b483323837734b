public import ByteScan

/// The settings of a region, as a parser understands them: what is not legal is left out (W3C WebVTT, section 6.4).
///
/// If a setting occurs twice the last legal one counts. The identifier is valid during the call that handed out the
/// region.
public struct RegionSettings: Equatable {
    /// A point of a region or of the video, in percent of its width and height.
    public struct Anchor: Equatable, Sendable {
        /// From the left, 0 to 100.
        public let x: Double
        /// From the top, 0 to 100.
        public let y: Double
    }

    /// What cues name the region by; empty if nothing is said.
    public private(set) var identifier = ByteView()
    /// How wide the region is, in percent of the video.
    public private(set) var width = 100.0
    /// How many lines high the region is; a number of more than 13 digits counts as 10 to the 13th.
    public private(set) var lines = 3
    /// The point of the region that ``viewportAnchor`` places.
    public private(set) var regionAnchor = Anchor(x: 0, y: 100)
    /// Where that point is in the video.
    public private(set) var viewportAnchor = Anchor(x: 0, y: 100)
    /// Whether cues scroll up as new ones come.
    public private(set) var scrollsUp = false

    /// The settings that `text` holds, on one line or several.
    public init(_ text: ByteView) {
        SettingList.forEach(in: text) { name, value in
            switch name {
            case "id": identifier = value
            case "width": width = SettingList.percentage(value) ?? width
            case "lines":
                let digits = DigitRun(in: value, from: 0)
                if digits.end == value.count { lines = Int(clamping: digits.value) }
            case "regionanchor": regionAnchor = Self.anchor(value) ?? regionAnchor
            case "viewportanchor": viewportAnchor = Self.anchor(value) ?? viewportAnchor
            case "scroll" where value == "up": scrollsUp = true
            default: break
            }
        }
    }

    private static func anchor(_ value: ByteView) -> Anchor? {
        let (first, second) = SettingList.parts(value)
        guard let second, let x = SettingList.percentage(first), let y = SettingList.percentage(second) else {
            return nil
        }
        return Anchor(x: x, y: y)
    }
}
