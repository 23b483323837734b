extension Input {
    /// The first time stamp of ``transportStream`` and ``fragmentedMovie``, in ticks of 1/90000 s: that of the sound.
    public static let firstTimestamp: UInt64 = 899_010

    /// When the first picture is shown, and how long one lasts.
    fileprivate static let firstPicture: UInt64 = 900_000
    fileprivate static let picture: UInt64 = 3_600
}

extension InputText {
    /// A segment of MPEG-TS (ISO 13818-1) as packagers make it: two tables, a first picture of 60 KB, then pictures of
    /// 8 KB in the order they are decoded in, each in packets of 188 bytes, with sound among them.
    static func transportStream(byteCount: Int) -> InputText {
        var text = InputText(byteCount: byteCount)
        var counters: [Int: UInt8] = [:]
        text.packets(0, [0] + section(0, [0, 1, 0xE0, 0x20]), &counters)
        let streams: [UInt8] = [0xE1, 0, 0xF0, 0, 0x1B, 0xE1, 0, 0xF0, 0, 0x0F, 0xE1, 1, 0xF0, 0]
        text.packets(0x20, [0] + section(2, streams), &counters)
        var number: UInt64 = 0
        while text.count < byteCount {
            let shown = Input.firstPicture + (number % 3 == 0 ? number + 2 : number - 1) * Input.picture
            let size = number == 0 ? 60_000 : 8_000
            text.packets(
                0x100, elementary(0xE0, shown, decoded: Input.firstPicture + number * Input.picture, size), &counters)
            text.packets(
                0x101, elementary(0xC0, Input.firstTimestamp + number * Input.picture, decoded: nil, 500), &counters)
            number += 1
        }
        return text
    }

    /// A table's section; its check sum is not looked at.
    private static func section(_ table: UInt8, _ body: [UInt8]) -> [UInt8] {
        let count = body.count + 9
        return [table, 0xB0 | UInt8(count >> 8), UInt8(count & 255), 0, 1, 0xC1, 0, 0] + body + [0, 0, 0, 0]
    }

    /// A PES packet of so many bytes with its time stamps.
    private static func elementary(_ stream: UInt8, _ shown: UInt64, decoded: UInt64?, _ size: Int) -> [UInt8] {
        func stamp(_ mark: UInt8, _ time: UInt64) -> [UInt8] {
            [
                mark << 4 | UInt8(time >> 29 & 14) | 1, UInt8(time >> 22 & 255), UInt8(time >> 14 & 254) | 1,
                UInt8(time >> 7 & 255), UInt8(time << 1 & 254) | 1,
            ]
        }
        let stamps = decoded.map { stamp(3, shown) + stamp(1, $0) } ?? stamp(2, shown)
        return [0, 0, 1, stream, 0, 0, 0x80, decoded == nil ? 0x80 : 0xC0, UInt8(stamps.count)] + stamps
            + [UInt8](repeating: 0x5A, count: size)
    }

    /// The payload in packets of a stream, the last one stuffed.
    private mutating func packets(_ stream: Int, _ payload: [UInt8], _ counters: inout [Int: UInt8]) {
        var rest = payload[...]
        while !rest.isEmpty {
            let counter = counters[stream, default: 0]
            counters[stream] = (counter + 1) & 15
            let first: UInt8 = rest.startIndex == 0 ? 0x40 : 0
            let isWhole = rest.count >= 184
            append([0x47, first | UInt8(stream >> 8), UInt8(stream & 255), (isWhole ? 0x10 : 0x30) | counter])
            if !isWhole {
                let stuffing = 183 - rest.count
                append([UInt8(stuffing)] + (stuffing > 0 ? [0] + [UInt8](repeating: 0xFF, count: stuffing - 1) : []))
            }
            append(rest.prefix(184))
            rest = rest.dropFirst(184)
        }
    }
}

extension InputText {
    /// An initialization segment of a track of pictures and one of sound, and a segment of both (ISO 14496-12).
    static func fragmentedMovie(byteCount: Int) -> InputText {
        var text = InputText(byteCount: byteCount)
        let tracks = [track(1, "vide", 90_000), track(2, "soun", 48_000)]
        text.append(box("ftyp", Array("iso6\0\0\0\0iso6".utf8)))
        text.append(box("moov", full("mvhd", 0, [UInt8](repeating: 0, count: 96)) + tracks.flatMap { $0 }))
        let pictures = (0..<150).flatMap { number in
            words([3_600, number == 0 ? 60_000 : 6_000, number % 3 == 0 ? 7_200 : 0])
        }
        let sounds = (0..<280).flatMap { _ in words([1_024, 300, 0]) }
        // The pictures are decoded two of them before the first is shown.
        let start = Input.firstTimestamp * 48_000 / 90_000
        let parts = [(1, Input.firstPicture, pictures, 150), (2, start, sounds, 280)].map { id, time, samples, count in
            box(
                "traf",
                full("tfhd", 0x20000, words([id]))
                    + full("tfdt", 1 << 24, words([Int(time >> 32), Int(time & 0xFFFF_FFFF)]))
                    + full("trun", 0xB01, words([count, 0]) + samples))
        }
        text.append(box("moof", full("mfhd", 0, words([1])) + parts.flatMap { $0 }))
        text.append(box("mdat", [UInt8](repeating: 0x5A, count: max(0, byteCount - text.count - 8))))
        return text
    }

    private static func track(_ id: Int, _ kind: String, _ scale: Int) -> [UInt8] {
        let header = full("tkhd", 3, words([0, 0, id]) + [UInt8](repeating: 0, count: 68))
        let media =
            full("mdhd", 0, words([0, 0, scale, 0, 0]))
            + full("hdlr", 0, words([0]) + kind.utf8 + [UInt8](repeating: 0, count: 13))
        return box("trak", header + box("mdia", media))
    }

    private static func words(_ numbers: [Int]) -> [UInt8] {
        numbers.flatMap { number in [24, 16, 8, 0].map { UInt8(number >> $0 & 255) } }
    }

    private static func box(_ name: String, _ body: [UInt8]) -> [UInt8] { words([body.count + 8]) + name.utf8 + body }

    /// A box with a version and flags.
    private static func full(_ name: String, _ flags: Int, _ body: [UInt8]) -> [UInt8] {
        box(name, words([flags]) + body)
    }
}
