/// A fragmented MP4 file in memory, walked recursively, for the oracle of first time stamps.
struct NaiveBoxes {
    /// Ends the walk.
    private enum Stop: Error {
        case found
        case refused(String)
        /// The file ends before what would be read next.
        case endOfFile
    }

    private struct Track {
        var id: UInt64?
        var timescale: UInt64 = 0
        var handler = ""
        var mediaTime: Int64 = 0
        var start: UInt64?
        var isSettled = false
    }

    private let bytes: [UInt8]
    private let trackLimit: Int
    private var tracks: [Track] = []
    /// The durations above 0 of samples that say none, by track.
    private var defaults: [(id: UInt64, duration: UInt64)] = []
    private var hasMovie = false
    /// Of the `trak` and the `traf` that are being walked.
    private var track = Track()
    private var trackID: UInt64?
    private var decodeTime: Int64?
    private var sampleDuration: UInt64?
    /// The composition times of the samples so far.
    private var times: [Int64] = []

    init(_ bytes: [UInt8], trackLimit: Int) {
        self.bytes = bytes
        self.trackLimit = trackLimit
    }

    mutating func answer(_ ending: String) -> NaiveMediaStart.Answer {
        var reason = ending
        do {
            try walk(0, .max, in: "")
        } catch Stop.refused(let why) {
            return .refused(why)
        } catch {
            reason = ending
        }
        return NaiveMediaStart.lowest(tracks.compactMap(\.start)).map { .found($0) } ?? .refused(reason)
    }

    /// Walks the boxes from `start` to `end`, children of a box of the type `parent`; "" is the file.
    private mutating func walk(_ start: Int, _ end: Int, in parent: String) throws {
        var start = start
        while end - start >= 8 {
            let size = try number(start, 4)
            let type = String(decoding: bytes[(start + 4)..<(start + 8)], as: UTF8.self)
            let content = start + (size == 1 ? 16 : 8)
            if size == 1, bytes.count < content { throw Stop.endOfFile }
            let boxSize = size == 1 ? try number(start + 8, 8) : size
            let (sum, isHuge) = UInt64(start).addingReportingOverflow(boxSize)
            let boxEnd = size == 0 ? end : isHuge ? Int.max : Int(clamping: sum)
            if boxEnd < content || boxEnd > end { throw Stop.refused("malformed") }
            try visit(type, content, boxEnd, in: parent)
            start = boxEnd
        }
    }

    private mutating func visit(_ type: String, _ start: Int, _ end: Int, in parent: String) throws {
        switch "\(parent)/\(type)" {
        case "/moov" where !hasMovie:
            hasMovie = true
            try walk(start, end, in: type)
            if tracks.isEmpty { throw Stop.refused("noTimestamp") }
        case "moov/trak":
            track = Track()
            try walk(start, end, in: type)
            try keepTrack()
        case "trak/mdia", "trak/edts", "moov/mvex": try walk(start, end, in: type)
        case "/moof":
            if !hasMovie { throw Stop.refused("noInitSegment") }
            try walk(start, end, in: type)
        case "moof/traf":
            (trackID, decodeTime, sampleDuration, times) = (nil, nil, nil, [])
            try walk(start, end, in: type)
            if let index = fragmentTrack { tracks[index].isSettled = tracks[index].start != nil }
            if tracks.allSatisfy(\.isSettled) { throw Stop.found }
        case "trak/tkhd", "mdia/mdhd", "mdia/hdlr", "edts/elst", "mvex/trex", "traf/tfhd", "traf/tfdt":
            let fieldsEnd = min(end, start + 512)
            if fieldsEnd > bytes.count { throw Stop.endOfFile }
            try read(type, Array(bytes[start..<fieldsEnd]))
        case "traf/trun": try readRun(start, end)
        default: break
        }
    }

    private mutating func keepTrack() throws {
        guard track.handler == "vide" || track.handler == "soun" else { return }
        if track.id == nil || track.timescale == 0 { throw Stop.refused("malformed") }
        if tracks.count == trackLimit { throw Stop.refused("tooManyStreams") }
        tracks.append(track)
    }

    private func number(_ start: Int, _ count: Int) throws -> UInt64 {
        guard bytes.count - start >= 8 else { throw Stop.endOfFile }
        return NaiveMediaStart.number(bytes[start..<(start + count)])
    }

    // MARK: Fields

    private mutating func read(_ type: String, _ fields: [UInt8]) throws {
        func field(_ offset: Int, _ count: Int) throws -> UInt64 {
            guard fields.count - offset >= count else { throw Stop.refused("malformed") }
            return NaiveMediaStart.number(fields[offset..<(offset + count)])
        }
        let head = try field(0, 4)
        let isNew = head >> 24 > 0
        switch type {
        case "tkhd": track.id = try field(isNew ? 20 : 12, 4)
        case "mdhd": track.timescale = try field(isNew ? 20 : 12, 4)
        case "hdlr":
            _ = try field(8, 4)
            track.handler = String(decoding: fields[8..<12], as: UTF8.self)
        case "elst":
            let count = Int(try field(4, 4))
            let width = isNew ? 8 : 4
            track.mediaTime = 0
            for index in 0..<count {
                let raw = try field(8 + index * (2 * width + 4) + width, width)
                let time = isNew ? Int64(bitPattern: raw) : Int64(Int32(bitPattern: UInt32(raw)))
                if time != -1 {
                    if time.magnitude >= 1 << 61 { throw Stop.refused("malformed") }
                    track.mediaTime = time
                    break
                }
            }
        case "trex":
            let (id, duration) = (try field(4, 4), try field(12, 4))
            if duration > 0 {
                if defaults.count == trackLimit { throw Stop.refused("tooManyStreams") }
                defaults.append((id, duration))
            }
        case "tfhd":
            trackID = try field(4, 4)
            let before = (head & 0x1 != 0 ? 8 : 0) + (head & 0x2 != 0 ? 4 : 0)
            sampleDuration = head & 0x8 != 0 ? try field(8 + before, 4) : nil
        default:
            let time = try field(4, isNew ? 8 : 4)
            if time >= 1 << 61 { throw Stop.refused("malformed") }
            decodeTime = Int64(time)
        }
    }

    /// The first track of the fragment's number, if it is not settled.
    private var fragmentTrack: Int? {
        let index = tracks.firstIndex { $0.id == trackID }
        return index.flatMap { tracks[$0].isSettled ? nil : $0 }
    }

    /// Lists when the samples of a run are composed.
    private mutating func readRun(_ start: Int, _ end: Int) throws {
        let headEnd = min(end, start + 8)
        if headEnd > bytes.count { throw Stop.endOfFile }
        if headEnd < start + 8 { throw Stop.refused("malformed") }
        let head = NaiveMediaStart.number(bytes[start..<(start + 4)])
        let count = NaiveMediaStart.number(bytes[(start + 4)..<headEnd])
        guard let index = fragmentTrack, let begin = decodeTime else { return }
        let first = headEnd + [0x1, 0x4].filter { head & $0 != 0 }.count * 4
        let names: [UInt64] = [0x100, 0x200, 0x400, 0x800].filter { head & $0 != 0 }
        let width = names.count * 4
        if first + Int(count) * width > end { throw Stop.refused("malformed") }
        if width > 0, first + Int(count) * width > bytes.count { throw Stop.endOfFile }
        if count == 0 { return }
        let fallback = sampleDuration ?? defaults.first { $0.id == trackID }?.duration ?? 0
        var time = UInt64(begin)
        if width == 0 {
            times.append(begin)
            let all = count.multipliedReportingOverflow(by: fallback)
            time += all.overflow ? 1 << 61 : min(all.partialValue, 1 << 61)
        }
        for sample in 0..<(width == 0 ? 0 : Int(count)) {
            let fields = names.indices.map { field in
                NaiveMediaStart.number(bytes[(first + sample * width + field * 4)...].prefix(4))
            }
            let values = Dictionary(uniqueKeysWithValues: zip(names, fields))
            let offset = values[0x800] ?? 0
            times.append(Int64(time) + (head >> 24 > 0 ? Int64(Int32(bitPattern: UInt32(offset))) : Int64(offset)))
            time += values[0x100] ?? fallback
        }
        if time >= 1 << 61 { throw Stop.refused("malformed") }
        decodeTime = Int64(time)
        let track = tracks[index]
        tracks[index].start = times.min().map { Self.ticks($0 - track.mediaTime, Int64(track.timescale)) }
    }

    /// `time` of `scale` units a second in ticks, to the nearest: whole seconds, and then the rest of less than a second, of which
    /// 90,000 times as much takes 49 bits.
    static func ticks(_ time: Int64, _ scale: Int64) -> UInt64 {
        let rest = ((time % scale) + scale) % scale
        let seconds = (time - rest) / scale
        let ticks = (2 * rest * 90_000 + scale) / (2 * scale)
        return UInt64(bitPattern: seconds &* 90_000 &+ ticks) % (1 << 33)
    }
}
