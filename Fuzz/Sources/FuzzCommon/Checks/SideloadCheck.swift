import Drivers
import M3U8
import Sideload
import Support

/// A naive parser finds in sideloaded playlists what was asked for, and sideloading them again changes nothing.
enum SideloadCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let text = input.text
        guard let request = SideloadRequest(&input.choices, for: text) else {
            return faults.add("the tracks are refused")
        }
        var whole: RewriterAnswer?
        let window = GuardedWindow(capacity: text.count)
        var rewriter = MasterRewriter(request.tracks, limits: request.limits)
        // A rewriter that is reset in the middle of its work is as new.
        text.prefix(text.count / 2).withUnsafeBytes { chunk in try? rewriter.write(chunk) { _ in } }
        for (number, split) in input.splits().enumerated() {
            rewriter.reset()
            let run = RewriterRun(of: &rewriter, on: text, split: split, in: window, isLeading: number % 2 == 1)
            faults.add(run.faults, in: split)
            if let whole { faults.expect(run.answer, is: whole, "\(Faults.words(split))") }
            whole = whole ?? run.answer
        }
        guard let whole else { return }
        let length = text.withUnsafeBytes { try? rewriter.outputLength(of: $0) }
        faults.expect(
            length == whole.bytes.count || (length == nil && whole.error != nil),
            "\(length ?? -1) bytes announced, \(whole.bytes.count) written")
        if whole.exceededLimit == nil {
            judge(text, whole.bytes, request, &faults)
        } else {
            judgeLimited(text, whole, request, &faults)
        }
        if input.choices.oneIn(64) { runTwice(text, request, whole.bytes, &faults) }
        let parts = OutputCheck.run(&rewriter, &input, whole: whole.bytes, &faults)
        faults.expect(parts.answer, is: whole, parts.how)
    }

    private static func judge(
        _ text: [UInt8], _ output: [UInt8], _ request: SideloadRequest, _ faults: inout Faults
    ) {
        // If a variable is used before it is defined, the reference has another value in what is appended (8216bis
        // 4.4.2.3).
        if NaiveVariables.areUsedEarly(in: text) { return }
        let again = try? request.tracks.sideloaded(into: output, limits: SideloadLimits.none).bytes
        faults.expect(again ?? [], is: output, "sideloaded twice")
        if isReadable(text) {
            for fault in request.judge.faults(of: output, from: text) {
                faults.add("\(fault), in \(String(decoding: output, as: UTF8.self))")
            }
        }
        SideloadedGroups.check(output, from: text, &faults)
    }

    /// After a limit the rest of the text is unchanged, and what came before is edited as without a limit.
    private static func judgeLimited(
        _ text: [UInt8], _ answer: RewriterAnswer, _ request: SideloadRequest, _ faults: inout Faults
    ) {
        guard let exceeded = answer.exceededLimit else { return }
        let rest = Array(text[min(exceeded.position, text.count)...])
        guard let unlimited = try? request.tracks.sideloaded(into: text, limits: SideloadLimits.none).bytes else {
            return faults.add("a limit where there is none")
        }
        let output = answer.bytes
        let lines = NaivePlaylist.lines(of: output).map(\.position)
        let isWhole = lines.contains { unlimited.starts(with: output[..<$0]) && output[$0...].starts(with: rest) }
        faults.expect(isWhole, "past \(exceeded) bytes are lost: \(String(decoding: output, as: UTF8.self))")
    }

    /// The judge compares text, not bytes: letters of Latin-1 are the only ones outside ASCII that are never equal to
    /// others.
    private static func isReadable(_ text: [UInt8]) -> Bool {
        guard let string = String(validating: text, as: UTF8.self) else { return false }
        return string.unicodeScalars.allSatisfy { $0.value < 0x80 || (0xA1...0xFF).contains($0.value) }
    }

    /// Threads that share tracks do not disturb each other.
    private static func runTwice(
        _ text: [UInt8], _ request: SideloadRequest, _ expected: [UInt8], _ faults: inout Faults
    ) {
        let results = Parallel.results(2) { _ in
            var rewriter = MasterRewriter(request.tracks, limits: request.limits)
            var output: [UInt8] = []
            text.withUnsafeBytes { chunk in try? rewriter.write(chunk) { output += $0.bytes } }
            rewriter.finish { output += $0.bytes }
            return output
        }
        for result in results { faults.expect(result, is: expected, "on two threads") }
    }
}

extension SideloadLimits {
    fileprivate static var none: SideloadLimits {
        SideloadLimits(lines: LineLimits(longestLine: .max), heldRenditions: .max)
    }
}
