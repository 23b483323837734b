extension Input {
    /// What a live media playlist begins with. Numbers and dates have always as many digits.
    public static let liveHead = """
        #EXTM3U
        #EXT-X-VERSION:6
        #EXT-X-TARGETDURATION:6
        #EXT-X-MEDIA-SEQUENCE:000000000

        """
    /// Its segment number 0.
    public static let liveSegment = """
        #EXT-X-PROGRAM-DATE-TIME:2026-01-01T00:00:00.000Z
        #EXTINF:6.000,
        segment_000000000.ts

        """
}

extension InputText {
    /// A live media playlist, at least `byteCount` bytes: a date, EXTINF and a relative URI in turn.
    static func live(byteCount: Int) -> InputText {
        var text = InputText(byteCount: byteCount)
        var time = Moment()
        for line in Input.liveHead.split(separator: "\n") { text.line("\(String(line))") }
        var number = 0
        while text.count < byteCount {
            text.line("#EXT-X-PROGRAM-DATE-TIME:\(time.text)")
            text.line("#EXTINF:6.000,")
            text.line("segment_\(number, width: 9).ts")
            number += 1
            time.milliseconds += 6_000
        }
        return text
    }

    /// A media playlist of an event that has ended, at least `byteCount` bytes.
    ///
    /// Nearly all of it is EXTINF and a relative URI in turn. One segment in ten is shorter than the target; every 50th has a
    /// date, every 500th an interstitial, and every 1000th starts a new key after a discontinuity.
    public static func media(byteCount: Int) -> InputText {
        var text = InputText(byteCount: byteCount)
        var chance = Chance(seed: 2)
        var time = Moment()
        text.line("#EXTM3U")
        text.line("#EXT-X-VERSION:6")
        text.line("#EXT-X-TARGETDURATION:6")
        text.line("#EXT-X-MEDIA-SEQUENCE:0")
        text.line("#EXT-X-PLAYLIST-TYPE:VOD")
        text.line("#EXT-X-INDEPENDENT-SEGMENTS")
        text.line("#EXT-X-MAP:URI=\"init-0.mp4\"")
        var number = 0
        while text.count < byteCount {
            // In units of 10 µs.
            let duration = chance.isOnce(in: 10) ? chance.number(in: 120_000..<600_000) : 600_000
            if number > 0, number % 1000 == 0 {
                text.line("#EXT-X-DISCONTINUITY")
                text.line(
                    """
                    #EXT-X-KEY:METHOD=AES-128,URI="https://keys.example.com/k/\(number / 1000).key",\
                    IV=0x\(hex: chance.next(), width: 16)\(hex: chance.next(), width: 16)
                    """
                )
            }
            if number % 50 == 0 { text.line("#EXT-X-PROGRAM-DATE-TIME:\(time.text)") }
            if number % 500 == 250 {
                text.line(
                    """
                    #EXT-X-DATERANGE:ID="splice-\(number)",CLASS="com.apple.hls.interstitial",\
                    START-DATE="\(time.text)",PLANNED-DURATION=30.000,\
                    X-ASSET-URI="https://ads.example.com/\(number)/master.m3u8",X-RESUME-OFFSET=0,X-RESTRICT="SKIP,JUMP"
                    """
                )
            }
            text.line("#EXTINF:\(duration, fraction: 5),")
            text.line("seg/\(number / 1000, width: 4)/segment_\(number, width: 7)_\(hex: chance.next(), width: 12).m4s")
            number += 1
            time.milliseconds += duration / 100
        }
        text.line("#EXT-X-ENDLIST")
        return text
    }

    /// A low-latency media playlist, at least `byteCount` bytes.
    ///
    /// Twelve parts a segment, each a tag with a quoted URI; a segment that is under way, a hint and two reports end it.
    static func lowLatencyMedia(byteCount: Int) -> InputText {
        var text = InputText(byteCount: byteCount)
        var time = Moment()
        text.line("#EXTM3U")
        text.line("#EXT-X-VERSION:10")
        text.line("#EXT-X-TARGETDURATION:4")
        text.line("#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.002,CAN-SKIP-UNTIL=24.0")
        text.line("#EXT-X-PART-INF:PART-TARGET=0.334")
        text.line("#EXT-X-MEDIA-SEQUENCE:310500")
        text.line("#EXT-X-MAP:URI=\"init.mp4\"")
        var number = 310_500
        while text.count < byteCount {
            text.line("#EXT-X-PROGRAM-DATE-TIME:\(time.text)")
            for part in 0..<12 { text.part(part, of: number) }
            text.line("#EXTINF:4.00008,")
            text.line("fileSequence\(number).m4s")
            number += 1
            time.milliseconds += 4_000
        }
        for part in 0..<3 { text.part(part, of: number) }
        text.line("#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"filePart\(number).3.m4s\"")
        text.line("#EXT-X-RENDITION-REPORT:URI=\"../1M/waitForMSN.php\",LAST-MSN=\(number),LAST-PART=2")
        text.line("#EXT-X-RENDITION-REPORT:URI=\"../4M/waitForMSN.php\",LAST-MSN=\(number),LAST-PART=2")
        return text
    }

    private mutating func part(_ part: Int, of segment: Int) {
        let independent = part % 6 == 0 ? ",INDEPENDENT=YES" : ""
        line("#EXT-X-PART:DURATION=0.33334,URI=\"filePart\(segment).\(part).m4s\"\(independent)")
    }
}
