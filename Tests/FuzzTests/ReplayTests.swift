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

    /// Mutated inputs for so many seconds, where there is no libFuzzer to tell which are worth more: SURTITLE_MUTATED=Live=60,LiveStream=60.
    @Test(arguments: FuzzTarget.all)
    func mutatedInputs(of target: FuzzTarget) throws {
        let wanted = (ProcessInfo.processInfo.environment["SURTITLE_MUTATED"] ?? "").split(separator: ",")
            .map { $0.split(separator: "=") }.first { "Fuzz\($0[0])" == target.name }
        guard let seconds = wanted?.last.flatMap({ Double($0) }) else { return }
        var inputs = try (Self.files(in: "Corpus", of: target) + Self.files(in: "Regressions", of: target))
            .map { [UInt8](try Data(contentsOf: $0)) }
        let start = Date()
        var count = 0
        while Date().timeIntervalSince(start) < seconds {
            var mutator = Mutator(target.grammar, seed: .random(in: 0...UInt64.max))
            let first = inputs[Int.random(in: 0..<inputs.count)]
            let second = inputs[Int.random(in: 0..<inputs.count)]
            var input = count % 4 == 0 ? mutator.crossed(first, second, room: 4096) : first
            for _ in 0...Int.random(in: 0...3) {
                input = mutator.mutated(input, room: 4096) { text, room in
                    var text = text
                    guard !text.isEmpty else { return text }
                    text[Int.random(in: 0..<text.count)] = .random(in: 0...255)
                    return Array(text.prefix(room))
                }
            }
            count += 1
            if inputs.count < 4000 { inputs.append(input) }
            let faults = target.faults(of: input)
            guard faults.isEmpty else {
                let file = FileManager.default.temporaryDirectory.appending(
                    path: "\(target.name)-\(UInt64.random(in: 0...UInt64.max))")
                try Data(input).write(to: file)
                Issue.record("\(target.name), \(file.path): \(faults.joined(separator: "\n").prefix(2000))")
                return
            }
        }
        print("\(target.name): \(count) mutated inputs")
    }

    /// Inputs of every length below that of the choices are fine too.
    @Test(arguments: FuzzTarget.all)
    func shortInputs(of target: FuzzTarget) {
        for count in 0...FuzzInput.headCount {
            #expect(target.faults(of: [UInt8](repeating: 0xFF, count: count)) == [])
        }
    }
}
