public import ByteScan

/// A cue, valid during the call that hands it out (W3C WebVTT, section 3.3).
///
/// Nothing of it is copied or decoded before somebody asks.
@safe
@frozen
public struct Cue {
    /// Where the cue stands and when it is shown.
    public let outline: CueOutline

    /// The cue as it stands in the file, from its identifier or else its timing line to the terminator of its last
    /// line.
    public let bytes: ByteView

    @inline(__always)
    init(_ outline: CueOutline, bytes: ByteView) {
        self.outline = outline
        self.bytes = bytes
    }

    /// The stream position, in bytes, of the cue's first byte.
    @inlinable public var position: Int { outline.position }

    /// When the cue is shown first.
    @inlinable public var start: Timestamp { outline.start }

    /// When the cue is no longer shown; it may be earlier than ``start``.
    @inlinable public var end: Timestamp { outline.end }

    /// The line before the timing line; empty if there is none.
    @inlinable public var identifier: CueText {
        @inline(__always) get { CueText(bytes[outline.identifier]) }
    }

    /// What follows the end time on its line, without the white space around it, whether it is legal or not.
    public var settingsText: CueText { CueText(bytes[outline.settings].withoutLineSpace) }

    /// The settings as a parser understands them.
    public var settings: CueSettings { CueSettings(bytes[outline.settings]) }

    /// The cue's text, its lines as they stand in the file; empty if there is none.
    @inlinable public var text: CueText {
        @inline(__always) get { CueText(bytes[outline.text]) }
    }
}
