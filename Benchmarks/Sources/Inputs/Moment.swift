/// A time of January 2026, as EXT-X-PROGRAM-DATE-TIME writes it.
///
/// The longest playlist here runs for eleven days, so no month ends.
struct Moment {
    /// Milliseconds since 2026-01-01T00:00:00Z.
    var milliseconds = 0

    /// `2026-01-01T00:00:00.000Z`.
    var text: String {
        let line: InputLine =
            "2026-01-\(1 + milliseconds / 86_400_000, width: 2)T\(timestamp: milliseconds % 86_400_000)Z"
        return String(decoding: line.bytes, as: UTF8.self)
    }
}
