/// The place of a span among all: spans are sealed in this order.
struct LivePosition: Equatable, BitwiseCopyable {
    /// How often the stream had begun anew.
    var life: UInt32
    /// The number of the part; a whole segment comes after its parts.
    var part: UInt32
    var segment: UInt64

    static var first: LivePosition { LivePosition(life: 0, part: 0, segment: 0) }
    static var wholePart: UInt32 { .max }

    static func <= (left: LivePosition, right: LivePosition) -> Bool {
        if left.life != right.life { return left.life < right.life }
        if left.segment != right.segment { return left.segment < right.segment }
        return left.part <= right.part
    }

}

extension LivePosition {
    /// The place of `span`.
    init(_ span: LiveSpan) {
        let part = span.part.map { UInt32(clamping: $0) } ?? Self.wholePart
        self.init(life: span.life, part: part, segment: span.segment)
    }

    /// Whether a span here has a cue that is bound to `target`: that one, or the whole segment of it.
    func has(_ target: LivePosition) -> Bool {
        self == target || life == target.life && segment == target.segment && part == Self.wholePart
    }
}
