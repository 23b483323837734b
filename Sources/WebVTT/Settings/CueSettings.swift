public import ByteScan

/// The settings of a cue, as a parser understands them: what is not legal is left out (W3C WebVTT, section 6.2).
///
/// If a setting occurs twice the last legal one counts. The region's identifier is valid during the call that handed
/// out the cue.
public struct CueSettings: Equatable {
    /// Which way lines go (`vertical`).
    public enum WritingDirection: Equatable, Sendable {
        /// Lines go from left to right or from right to left.
        case horizontal
        /// Lines go down and follow each other to the left: `rl`.
        case verticalGrowingLeft
        /// Lines go down and follow each other to the right: `lr`.
        case verticalGrowingRight
    }

    /// Where the cue's box is (`line`).
    public enum Line: Equatable, Sendable {
        /// Where there is room.
        case auto
        /// At a line, counted from 0 at the top or from -1 at the bottom.
        case number(Double)
        /// At a percentage of the video, from 0 to 100.
        case percentage(Double)
    }

    /// Which edge of the cue's box ``line`` places.
    public enum LineAlignment: Equatable, Sendable {
        /// The first.
        case start
        /// The middle.
        case center
        /// The last.
        case end
    }

    /// Which edge of the cue's box ``position`` places.
    public enum PositionAlignment: Equatable, Sendable {
        /// The one that ``textAlignment`` suggests.
        case auto
        /// The left one, or the upper one of vertical text.
        case lineLeft
        /// The middle.
        case center
        /// The right one, or the lower one of vertical text.
        case lineRight
    }

    /// How lines stand in the cue's box (`align`).
    public enum TextAlignment: Equatable, Sendable {
        /// At the side where the text begins.
        case start
        /// In the middle.
        case center
        /// At the side where the text ends.
        case end
        /// At the left.
        case left
        /// At the right.
        case right
    }

    /// Which way lines go.
    public private(set) var writingDirection = WritingDirection.horizontal
    /// Where the cue's box is.
    public private(set) var line = Line.auto
    /// Which edge of the box ``line`` places.
    public private(set) var lineAlignment = LineAlignment.start
    /// Where the cue's box is along its lines, as a percentage of the video; nil if nothing is said.
    public private(set) var position: Double?
    /// Which edge of the box ``position`` places.
    public private(set) var positionAlignment = PositionAlignment.auto
    /// How wide the cue's box is, or how high with vertical text, as a percentage of the video.
    public private(set) var size = 100.0
    /// How lines stand in the box.
    public private(set) var textAlignment = TextAlignment.center
    /// The identifier of the region that the cue names last, whether there is such a region or not.
    public private(set) var regionIdentifier: ByteView?

    /// Whether the cue is shown in the region it names, if there is one: only horizontal text is, and only if neither
    /// line nor size is said.
    public var allowsRegion: Bool { writingDirection == .horizontal && line == .auto && size == 100 }

    /// The settings that `text` holds.
    public init(_ text: ByteView) {
        SettingList.forEach(in: text) { name, value in
            switch name {
            case "region": regionIdentifier = value
            case "vertical": setVertical(value)
            case "line": setLine(value)
            case "position": setPosition(value)
            case "size": size = SettingList.percentage(value) ?? size
            case "align": setAlign(value)
            default: break
            }
        }
    }

    private mutating func setVertical(_ value: ByteView) {
        if value == "rl" { writingDirection = .verticalGrowingLeft }
        if value == "lr" { writingDirection = .verticalGrowingRight }
    }

    private mutating func setLine(_ value: ByteView) {
        let (place, edge) = SettingList.parts(value)
        let line: Line
        if place.last == ASCII.percent {
            guard let number = SettingList.percentage(place) else { return }
            line = .percentage(number)
        } else {
            guard let number = SettingNumber.value(place) else { return }
            line = .number(number)
        }
        switch edge {
        case nil: break
        case "start"?: lineAlignment = .start
        case "center"?: lineAlignment = .center
        case "end"?: lineAlignment = .end
        default: return
        }
        self.line = line
    }

    private mutating func setPosition(_ value: ByteView) {
        let (place, edge) = SettingList.parts(value)
        guard let number = SettingList.percentage(place) else { return }
        switch edge {
        case nil: break
        case "line-left"?: positionAlignment = .lineLeft
        case "center"?: positionAlignment = .center
        case "line-right"?: positionAlignment = .lineRight
        default: return
        }
        position = number
    }

    private mutating func setAlign(_ value: ByteView) {
        switch value {
        case "start": textAlignment = .start
        case "center": textAlignment = .center
        case "end": textAlignment = .end
        case "left": textAlignment = .left
        case "right": textAlignment = .right
        default: break
        }
    }
}
