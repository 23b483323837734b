import ByteScan

extension ByteView {
    /// The offset of the last `-->` that ends at or before `end`, or nil.
    ///
    /// The last byte is looked for, 64 places at a time: cue text holds it now and then, and hyphens far more often.
    func lastArrow(before end: Int) -> Int? {
        var end = end
        while let found = lastOffset(of: ASCII.greaterThan, before: end) {
            if found >= 2, self[found &- 1] == ASCII.hyphen, self[found &- 2] == ASCII.hyphen { return found &- 2 }
            end = found
        }
        return nil
    }
}
