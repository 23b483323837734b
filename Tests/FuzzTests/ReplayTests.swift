import Foundation
import FuzzCommon
import Testing

/// What the fuzzers have found, and the inputs they start from, checked as the fuzzers check them.
@Suite struct ReplayTests {
    private static let fuzz = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appending(path: "Fuzz")

    private static func files(in folder: String, of target: FuzzTarget) throws -> [URL] {
        let folder = fuzz.appending(path: folder).appending(path: target.name)
        guard FileManager.default.fileExists(atPath: folder.path) else { return [] }
        return try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
            .sorted { $0.path < $1.path }
    }

    private static func replay(_ file: URL, by target: FuzzTarget) throws {
        for fault in target.faults(of: [UInt8](try Data(contentsOf: file))) {
            Issue.record("\(target.name) on \(file.lastPathComponent): \(fault)")
        }
    }

    @Test(arguments: FuzzTarget.all)
    func whatWasFound(by target: FuzzTarget) throws {
        for file in try Self.files(in: "Regressions", of: target) { try Self.replay(file, by: target) }
    }

    @Test(arguments: FuzzTarget.all)
    func corpus(of target: FuzzTarget) throws {
        let files = try Self.files(in: "Corpus", of: target)
        #expect(!files.isEmpty)
        // A long corpus is replayed whole by the fuzzer itself.
        let step = ProcessInfo.processInfo.environment["SURTITLE_LONG"] == nil ? max(1, files.count / 24) : 1
        for index in stride(from: 0, to: files.count, by: step) { try Self.replay(files[index], by: target) }
    }

    /// Inputs of every length below that of the choices are fine too.
    @Test(arguments: FuzzTarget.all)
    func shortInputs(of target: FuzzTarget) {
        for count in 0...FuzzInput.headCount {
            #expect(target.faults(of: [UInt8](repeating: 0xFF, count: count)) == [])
        }
    }
}
