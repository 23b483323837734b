import ByteScan

extension SubRipTranscoder {
    /// The WebVTT that a whole SubRip file becomes.
    ///
    /// - Throws: ``SubRipError``, as ``write(_:_:)`` and ``finish(_:)``.
    public static func transcode(
        _ file: UnsafeRawBufferPointer, limits: SubRipLimits = SubRipLimits()
    ) throws(SubRipError) -> [UInt8] {
        var transcoder = SubRipTranscoder(limits: limits)
        var output: [UInt8] = []
        output.reserveCapacity(file.count &+ file.count / 8)
        try unsafe transcoder.write(file) { unsafe output.append(contentsOf: $0) }
        try unsafe transcoder.finish { unsafe output.append(contentsOf: $0) }
        return output
    }
}
