import Foundation
import FuzzCommon
import Testing

/// The inputs that the fuzzer of the command starts from, and what it has found.
@Suite struct ReplayTests {
    @Test(arguments: ["Regressions", "Corpus"])
    func inputs(in folder: String) throws {
        let fuzz = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "Fuzz")
        let path = fuzz.appending(path: folder).appending(path: FuzzTarget.command.name)
        let files = (try? FileManager.default.contentsOfDirectory(at: path, includingPropertiesForKeys: nil)) ?? []
        #expect(folder == "Regressions" || !files.isEmpty)
        for (index, file) in files.enumerated() where index % max(1, files.count / 100) == 0 {
            for fault in FuzzTarget.command.faults(of: [UInt8](try Data(contentsOf: file))) {
                Issue.record("\(file.lastPathComponent): \(fault)")
            }
        }
    }
}
