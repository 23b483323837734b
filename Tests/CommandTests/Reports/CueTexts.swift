import ByteScan
import WebVTT

@testable import surtitle

/// Lines of a listing, made without running the command.
enum CueTexts {
    /// The line of the only cue of `file`; all lines, if there are more.
    static func only(of file: [UInt8], _ form: CueLine.Form) throws -> String {
        var lines: [UInt8] = []
        var line = CueLine(form)
        var scanner = CueScanner()
        let take = { (event: CueEvent) in if case .cue(let cue) = event { lines += Array(line.filled(with: cue)) } }
        try file.withUnsafeBytes { try scanner.scan($0, take) }
        try scanner.finish(take)
        return String(decoding: lines, as: UTF8.self)
    }
}
