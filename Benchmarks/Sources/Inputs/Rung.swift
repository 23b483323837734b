/// One quality of a bit-rate ladder, and the lines that a multivariant playlist has for it.
struct Rung {
    let resolution: String
    /// Bits a second, at most and on average.
    let bandwidth: Int
    let averageBandwidth: Int
    let codec: String
    /// Frames in 1000 seconds.
    let frameRate: Int

    static let ladder: [Rung] = [
        ("416x234", 151_000, 138_000, "avc1.42c00d", 29_970),
        ("640x360", 371_000, 344_000, "avc1.4d401e", 29_970),
        ("768x432", 742_000, 698_000, "avc1.4d401e", 29_970),
        ("960x540", 2_050_000, 1_860_000, "avc1.4d401f", 29_970),
        ("1280x720", 3_100_000, 2_810_000, "avc1.4d401f", 59_940),
        ("1280x720", 4_600_000, 4_190_000, "avc1.4d4020", 59_940),
        ("1920x1080", 6_100_000, 5_530_000, "avc1.640028", 59_940),
        ("1920x1080", 7_900_000, 7_240_000, "avc1.64002a", 59_940),
    ].map(Rung.init)

    /// The EXT-X-STREAM-INF line; `more` is added to both rates, so that no two lines need be alike.
    func variant(audio: AudioGroup, more: Int = 0) -> InputLine {
        """
        #EXT-X-STREAM-INF:BANDWIDTH=\(bandwidth + more),AVERAGE-BANDWIDTH=\(averageBandwidth + more),\
        CODECS="\(codec),\(audio.codec)",RESOLUTION=\(resolution),FRAME-RATE=\(frameRate, fraction: 3),\
        AUDIO="aud-\(audio.name)",CLOSED-CAPTIONS=NONE
        """
    }

    /// The EXT-X-I-FRAME-STREAM-INF line.
    func iFrames(uri: String, more: Int = 0) -> InputLine {
        """
        #EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=\(bandwidth / 8 + more),AVERAGE-BANDWIDTH=\(averageBandwidth / 8 + more),\
        CODECS="\(codec)",RESOLUTION=\(resolution),URI="\(uri)"
        """
    }
}
