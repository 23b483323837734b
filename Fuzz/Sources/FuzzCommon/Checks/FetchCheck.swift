import Delivery
import Drivers
import Sideload
import Support
import WebVTT

/// 1. A job ends, in no more requests than the limit.  2. No more is held than the limits allow.  3. Any split of the bodies gives the
/// same requests and the same result.  4. If every response is honest, the final cue is the whole file's, and the duration no longer than
/// that.  5. A request is for http, without a fragment, and its fields hold no line break; a range lies in the file that was told of.
///
/// The text is a file of subtitles or a playlist, which origins serve well or badly; or it is the responses themselves, each a status, fields
/// up to an empty line, and a body up to a line with a `=`.
enum FetchCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let use = Use(&input)
        let expected = use.run { [0..<$0] }
        check(expected, use, &faults)
        let splits = [input.choices.split(of: 600), Splits.even(of: 600, size: 1)]
        for sizes in splits {
            let run = use.run { cut($0, as: sizes) }
            faults.expect(run.requests, is: expected.requests, "law 3, requests")
            faults.expect(run.result, is: expected.result, "law 3, result")
            check(run, use, &faults)
        }
    }

    private static func check(_ run: FetchRun, _ use: Use, _ faults: inout Faults) {
        if case .request = run.result { faults.add("law 1, no end") }
        faults.expect(run.requests.count <= use.limits.requests, "law 1, \(run.requests.count) requests")
        var most = max(use.limits.file, use.limits.playlist, use.limits.block, 16)
        if case .key = use.job { most = 64 << 10 }
        faults.expect(run.mostHeld <= most, "law 2, \(run.mostHeld) bytes")
        for request in run.requests {
            let url = String(decoding: request.url, as: UTF8.self).lowercased()
            faults.expect(url.hasPrefix("http://") || url.hasPrefix("https://"), "law 5, \(url)")
            faults.expect(!request.url.contains { $0 <= 0x20 || $0 == 0x7F || $0 == 0x23 }, "law 5, \(url)")
            for field in request.fields {
                faults.expect(!field.value.contains { [0, 10, 13].contains($0) }, "law 5, \(field.name)")
            }
        }
        if case .honest(let file) = use.origins { checkDuration(run, file, use, &faults) }
    }

    private static func checkDuration(_ run: FetchRun, _ file: [UInt8], _ use: Use, _ faults: inout Faults) {
        for request in run.requests {
            if case .bytes(let range) = request.range, request.purpose == .subtitles, case .duration = use.job {
                faults.expect(range.upperBound < file.count, "law 5, \(range) of \(file.count)")
            }
        }
        guard case .duration(let track) = use.job, track.format == .webVTT, track.duration == nil,
            use.limits.file >= file.count, use.limits.requests >= 5, let cues = NaiveTimings.cues(in: file)
        else { return }
        // The latest time there is stands for all later ones, and so does the longest duration.
        func shifted(_ end: Int64) -> Int64 {
            let (sum, isTooLate) = end.addingReportingOverflow(track.shift)
            return end == .max || isTooLate ? .max : max(sum, 0)
        }
        let longest = MediaDuration.max.milliseconds
        let final = cues.last.map { shifted($0.end) }
        let all = max(final ?? 0, cues.filter { $0.end > $0.start }.map { shifted($0.end) }.max() ?? 0)
        switch run.result {
        case .answer(.duration(let found)):
            faults.expect(found.finalCueEnd?.milliseconds, is: final, "law 4, the final cue")
            let milliseconds = found.duration.milliseconds
            faults.expect(
                milliseconds >= min(final ?? .max, longest) && milliseconds <= all, "law 4, \(milliseconds) of \(all)")
            if found.source == .file { faults.expect(milliseconds, is: min(all, longest), "law 4, the latest end") }
        case .failure(let error):
            faults.expect(error.reason == .noCue && (final ?? 0) == 0, "law 4, \(error)")
        default: faults.add("law 4, no duration")
        }
    }

    /// `count` bytes in chunks of the sizes of `split`, again and again.
    private static func cut(_ count: Int, as split: [Range<Int>]) -> [Range<Int>] {
        guard split.contains(where: { !$0.isEmpty }) else { return [0..<count] }
        var ranges: [Range<Int>] = []
        var start = 0
        while start < count {
            for part in split where start < count {
                let end = min(count, start + part.count)
                ranges.append(start..<end)
                start = end
            }
        }
        return ranges
    }
}

/// How the machine is used: a job, limits, and who answers.
private struct Use {
    enum Origins {
        /// One file, served as HTTP has it.
        case honest([UInt8])
        /// The same, and each request meets another habit.
        case habits([UInt8], [NaiveOrigin.Habit], changes: Bool)
        /// These responses, one after the other.
        case responses([NaiveOrigin.Response])
    }

    let job: FetchJob
    let limits: FetchLimits
    let origins: Origins

    init(_ input: inout FuzzInput) {
        let kind = input.choices.byte()
        let tail = input.choices.number(upTo: 200) + 1
        let isLimited = input.choices.oneIn(4)
        let limit = input.choices.number(upTo: 255) * 4 + 1
        limits = FetchLimits(
            tail: tail, block: isLimited ? limit : 4096, file: isLimited ? limit : 65_536,
            playlist: isLimited ? limit : 65_536, segment: isLimited ? limit : 16_384,
            requests: isLimited ? limit % 7 + 1 : 12)
        var track = FetchTrack(
            url: Array("https://o.example/d/a".utf8),
            format: kind & 8 == 0 ? .webVTT : kind & 16 == 0 ? .subRip : .playlist)
        if kind & 32 != 0 { track.shift = kind & 128 == 0 ? 1500 : -1500 }
        let video = Array("https://o.example/d/v.m3u8".utf8)
        job =
            switch kind % 8 {
            case 0: .presence(track)
            case 1: .content(track, map: .own)
            case 2: .content(track, map: .fromVideo(video))
            case 3: .content(track, map: .ifNone(TimestampMap(mpegTS: 5)))
            case 4: .mediaStart(video: video)
            case 5 where kind & 64 != 0: .key(track.url)
            default: .duration(track)
            }
        let all = NaiveOrigin.Habit.allCases
        let habits = (0..<4).map { _ in all[Int(input.choices.byte()) % all.count] }
        switch input.choices.byte() % 4 {
        case 0, 1: origins = .honest(input.text)
        case 2: origins = .habits(input.text, habits, changes: input.choices.flag())
        default: origins = .responses(Self.responses(in: input.text))
        }
    }

    func run(_ split: (Int) -> [Range<Int>]) -> FetchRun {
        var number = 0
        return FetchRun(
            job, limits: limits,
            reply: { request in
                defer { number += 1 }
                return FetchRun.Reply(response(to: request, number))
            }, split: split)
    }

    private func response(to request: FetchRequest, _ number: Int) -> NaiveOrigin.Response? {
        let field = { (name: String) in
            request.fields.first { "\($0.name)" == name }.map { String(decoding: $0.value, as: UTF8.self) }
        }
        let (range, ifRange) = (field("Range"), field("If-Range"))
        let isMedia = request.purpose == .segment || request.purpose == .initialization
        switch origins {
        case .responses(let responses): return number < responses.count ? responses[number] : nil
        case .honest(let file):
            return NaiveOrigin(isMedia ? Self.media : file).respond(range: range, ifRange: ifRange)
        case .habits(let file, let habits, let changes):
            let tag = changes ? "\"\(number)\"" : "\"a\""
            let changed = changes && number % 2 == 1 ? file + [0x0A] : file
            let habit = habits[number % habits.count]
            return NaiveOrigin(isMedia ? Self.media : changed, habit, tag: tag).respond(range: range, ifRange: ifRange)
        }
    }

    private static let media: [UInt8] = {
        var stream = TransportStreamBytes()
        stream.tables([.init(type: 0x1B, pid: 0x100)])
        for picture in 0..<6 as Range<UInt64> {
            stream.pes(pid: 0x100, streamID: 0xE0, pts: 126_000 + picture * 3_600, dts: 126_000 + picture * 3_600)
        }
        return stream.bytes
    }()

    /// The responses that a text is.
    private static func responses(in text: [UInt8]) -> [NaiveOrigin.Response] {
        var responses: [NaiveOrigin.Response] = []
        var lines = text.split(separator: 0x0A, omittingEmptySubsequences: false)[...]
        while let first = lines.popFirst() {
            let status = Int(String(decoding: first.prefix(5), as: UTF8.self)) ?? 200
            var header: [(name: String, value: String)] = []
            while let line = lines.popFirst(), !line.isEmpty {
                let parts = line.split(separator: 0x3A, maxSplits: 1, omittingEmptySubsequences: false)
                let value = parts.count > 1 ? String(decoding: parts[1], as: UTF8.self) : ""
                header.append((String(decoding: parts[0], as: UTF8.self), value))
            }
            var body: [UInt8] = []
            while let line = lines.popFirst(), line != [0x3D] { body += line + [0x0A] }
            var response = NaiveOrigin.Response(status: status, header: header, body: body)
            response.isWhole = first.last != 0x2D
            responses.append(response)
        }
        return responses
    }
}
