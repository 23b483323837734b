import Foundation
import Testing

/// The built command, run as a process.
struct Ran {
    let status: Int32
    let output: [UInt8]
    /// Standard error, but for the notes.
    let errors: String
    /// What the notes on standard error say, a line each.
    let notes: [String]

    /// Standard output as text.
    var text: String { String(decoding: output, as: UTF8.self) }

    /// Runs the command with `arguments` in `scratch`, with `input` on standard input.
    init(_ arguments: String..., input: [UInt8] = [], in scratch: Scratch) throws {
        try self.init(arguments, input: input, in: scratch)
    }

    /// Runs the command with `arguments` in `scratch`, with `input` on standard input.
    init(_ arguments: [String], input: [UInt8] = [], in scratch: Scratch) throws {
        try self.init(executable: Self.command, arguments, input: input, in: scratch)
    }

    /// Runs a shell in `scratch`, where `$surtitle` is the command.
    init(shell script: String, input: [UInt8] = [], in scratch: Scratch) throws {
        try self.init(executable: URL(fileURLWithPath: "/bin/sh"), ["-c", script], input: input, in: scratch)
    }

    private init(executable: URL, _ arguments: [String], input: [UInt8], in scratch: Scratch) throws {
        // Files instead of pipes: nobody has to read while somebody else writes.
        let number = scratch.nextNumber()
        let outputURL = scratch.hidden("output\(number)")
        let errorsURL = scratch.hidden("errors\(number)")
        let inputURL = scratch.hidden("input\(number)")
        try Data(input).write(to: inputURL)
        try Data().write(to: outputURL)
        try Data().write(to: errorsURL)
        let process = Process()
        process.executableURL = executable
        process.arguments = arguments
        process.currentDirectoryURL = scratch.folder
        // In front of all others for shells, whose completions call the command.
        let path =
            Self.command.deletingLastPathComponent().path
            + ":" + ProcessInfo.processInfo.environment["PATH", default: "/usr/bin:/bin"]
        process.environment = ProcessInfo.processInfo.environment
            .merging(["surtitle": Self.command.path, "PATH": path, "LC_ALL": "C"]) { $1 }
        process.standardInput = try FileHandle(forReadingFrom: inputURL)
        process.standardOutput = try FileHandle(forWritingTo: outputURL)
        process.standardError = try FileHandle(forWritingTo: errorsURL)
        // A program has the mask of signals of the thread that starts it, and those of Dispatch block SIGCHLD, for which
        // shells wait.
        var (none, blocked) = (sigset_t(), sigset_t())
        sigemptyset(&none)
        pthread_sigmask(SIG_SETMASK, &none, &blocked)
        defer { pthread_sigmask(SIG_SETMASK, &blocked, nil) }
        try process.run()
        process.waitUntilExit()
        status = process.terminationReason == .exit ? process.terminationStatus : -process.terminationStatus
        output = [UInt8](try Data(contentsOf: outputURL))
        let lines = String(decoding: try Data(contentsOf: errorsURL), as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false)
        let note = "surtitle: note: "
        errors = lines.filter { !$0.hasPrefix(note) }.joined(separator: "\n")
        notes = lines.filter { $0.hasPrefix(note) }.map { String($0.dropFirst(note.count)) }
    }

    /// The command, which is built into the folder that the tests are built into.
    static var command: URL {
        #if os(macOS)
        let bundles = Bundle.allBundles.filter { $0.bundlePath.hasSuffix(".xctest") }
        let folder = (bundles.first ?? Bundle.main).bundleURL.deletingLastPathComponent()
        #else
        let folder = (Bundle.main.executableURL ?? Bundle.main.bundleURL).deletingLastPathComponent()
        #endif
        return folder.appendingPathComponent("surtitle")
    }
}

/// Expects one line that names `file` and contains `reason`.
func expectOneLine(
    _ errors: String, about file: String, _ reason: String, sourceLocation: SourceLocation = #_sourceLocation
) {
    let lines = errors.split(separator: "\n", omittingEmptySubsequences: false)
    #expect(lines.count == 2 && lines.last == "", "\(errors)", sourceLocation: sourceLocation)
    #expect(errors.hasPrefix("surtitle: "), "\(errors)", sourceLocation: sourceLocation)
    #expect(errors.contains(file) && errors.contains(reason), "\(errors)", sourceLocation: sourceLocation)
}

extension Ran {
    /// Expects success, and just one note that contains all of `words`.
    func expectNote(_ words: String..., sourceLocation: SourceLocation = #_sourceLocation) {
        #expect(status == 0 && errors == "", "\(errors)", sourceLocation: sourceLocation)
        let count = notes.count { note in words.allSatisfy { note.contains($0) } }
        #expect(count == 1, "\(notes)", sourceLocation: sourceLocation)
    }
}
