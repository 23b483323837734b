/// The first time stamp of a media segment that lies whole in memory, found by looking at all of it: an oracle.
public enum NaiveMediaStart {
    /// What is found, or in a word why nothing is.
    public enum Answer: Equatable, Sendable {
        case found(UInt64)
        case refused(String)
    }

    /// The answer for `segment`, of which `byteLimit` bytes are looked at.
    public static func answer(for segment: [UInt8], byteLimit: Int = 4 << 20, streamLimit: Int = 64) -> Answer {
        let bytes = Array(segment.prefix(byteLimit))
        let ending = segment.count > byteLimit ? "tooLong" : "noTimestamp"
        if isTag(bytes, 0) { return NaiveAudioTags.answer(bytes, ending) }
        let types = [
            "ftyp", "styp", "moov", "moof", "sidx", "ssix", "emsg", "prft", "pdin", "free", "skip", "wide", "uuid",
            "mdat",
        ]
        if bytes.count >= 8, types.contains(where: { Array($0.utf8) == Array(bytes[4..<8]) }) {
            var file = NaiveBoxes(bytes, trackLimit: streamLimit)
            return file.answer(ending)
        }
        if let packets = NaivePackets(bytes) { return packets.answer(streamLimit, ending) }
        return .refused(refusal(Array(bytes.prefix(2_048))))
    }

    private static func refusal(_ head: [UInt8]) -> String {
        if head.starts(with: [0x0B, 0x77]) { return "noTimestamp" }
        if head.count > 1, head[0] == 0xFF, head[1] >= 0xE0, head[1] >> 1 & 3 != 3 { return "noTimestamp" }
        let isText = head.allSatisfy { $0 >= 0x20 && $0 != 0x7F || (9...13).contains($0) }
        return !isText && head.count >= 16 && Set(head).count >= min(head.count / 2, 160) ? "encrypted" : "notMedia"
    }

    /// Whether an ID3 tag begins at `offset`.
    static func isTag(_ bytes: [UInt8], _ offset: Int) -> Bool {
        let head = bytes.dropFirst(offset).prefix(10)
        return head.count == 10 && head.starts(with: "ID3".utf8) && !head.dropFirst(3).prefix(2).contains(0xFF)
            && head.suffix(4).allSatisfy { $0 < 0x80 }
    }

    /// The number that `bytes` are.
    static func number(_ bytes: some Sequence<UInt8>) -> UInt64 { bytes.reduce(0) { $0 << 8 | UInt64($1) } }

    /// The lowest of `times`, which are below 2 to the 33rd: one takes over unless the lowest so far is before it.
    static func lowest(_ times: [UInt64]) -> UInt64? {
        times.reduce(nil) { lowest, time in
            guard let lowest else { return time }
            return isBefore(lowest, time) ? lowest : time
        }
    }

    /// Whether a clock that shows `first` shows `second` within the next half of its circle.
    static func isBefore(_ first: UInt64, _ second: UInt64) -> Bool {
        let circle = Int64(1) << 33
        let ahead = ((Int64(second) - Int64(first)) % circle + circle) % circle
        return ahead > 0 && ahead < circle / 2
    }
}

/// The ID3 tags at the beginning, by cutting them off one by one.
private enum NaiveAudioTags {
    static func answer(_ bytes: [UInt8], _ ending: String) -> NaiveMediaStart.Answer {
        var start = 0
        while true {
            guard bytes.count - start >= 10 else { return .refused(ending) }
            guard NaiveMediaStart.isTag(bytes, start) else { return .refused("noTimestamp") }
            let (version, flags) = (bytes[start + 3], bytes[start + 5])
            let content = start + 10
            let end = content + synchsafe(bytes[(start + 6)..<content])
            if version == 3 || version == 4 {
                if flags >= 0x80 { return .refused("unsynchronisedTag") }
                let tag = Tag(version: version, content: content, end: end)
                if let answer = tag.answer(bytes, hasExtension: flags & 0x40 != 0, ending) { return answer }
            }
            start = end + (version == 4 && flags & 0x10 != 0 ? 10 : 0)
        }
    }

    static func synchsafe(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reduce(0) { $0 * 128 + Int($1) } }

    struct Tag {
        let version: UInt8
        let content: Int
        let end: Int

        private func size(_ bytes: ArraySlice<UInt8>) -> Int? {
            if version == 3 { return Int(NaiveMediaStart.number(bytes)) }
            return bytes.contains { $0 > 127 } ? nil : synchsafe(bytes)
        }

        /// What the frames tell; nil if the tag is over.
        func answer(_ bytes: [UInt8], hasExtension: Bool, _ ending: String) -> NaiveMediaStart.Answer? {
            var frame = content
            if hasExtension {
                if end - frame < 4 { return .refused("malformed") }
                if bytes.count < frame + 4 { return .refused(ending) }
                guard let size = size(bytes[frame..<(frame + 4)]) else { return .refused("malformed") }
                if version == 4 && size < 4 { return .refused("malformed") }
                frame += version == 4 ? size : size + 4
                if frame > end { return .refused("malformed") }
            }
            while end - frame >= 10 {
                if bytes.count < frame + 10 { return .refused(ending) }
                if bytes[frame] == 0 { return nil }
                guard let size = size(bytes[(frame + 4)..<(frame + 8)]), frame + 10 + size <= end else {
                    return .refused("malformed")
                }
                let isPlain = bytes[frame + 9] == 0
                if bytes[frame...].starts(with: "PRIV".utf8), isPlain, size == 53 {
                    if bytes.count < frame + 63 { return .refused(ending) }
                    let owner = Array(AudioTagBytes.owner.utf8) + [0]
                    let time = NaiveMediaStart.number(bytes[(frame + 55)..<(frame + 63)])
                    if bytes[(frame + 10)...].starts(with: owner), time < 1 << 33 { return .found(time) }
                }
                frame += 10 + size
            }
            return nil
        }
    }
}
