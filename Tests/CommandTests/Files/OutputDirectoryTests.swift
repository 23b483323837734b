import Foundation
import Testing

@testable import surtitle

/// Files under temporary names that others have, or that have been given twice.
@Suite struct OutputDirectoryTests {
    private static let track = "--track=uri=en.m3u8"

    /// What a killed process of the same number has left is in nobody's way, and stays.
    @Test func namesThatAreTakenArePassedOver() throws {
        let scratch = try Scratch(["m.m3u8": Samples.master])
        let folder = try Ran(
            shell: "mkdir -p out/.surtitle-unfinished-$$; exec \"$surtitle\" sideload m.m3u8 \(Self.track) -oout",
            in: scratch)
        #expect(folder.status == 0 && scratch.files(in: "out") == ["m.m3u8"], "\(folder)")
        let file = try Ran(
            shell: "echo a >.surtitle-unfinished-$$; exec \"$surtitle\" master m.m3u8 \(Self.track) -oo.m3u8",
            in: scratch)
        #expect(file.status == 0 && scratch.files(in: ".").count == 4, "\(file)")
        #expect(try scratch.read("o.m3u8") == scratch.read("out/m.m3u8"))
        #expect(scratch.files(in: ".").contains { $0.hasPrefix(".surtitle-unfinished-") })
    }

    /// In a directory that was not there all files wait under their own names. One that is written twice is what was
    /// written last.
    @Test func aNameMayBeGivenTwice() throws {
        let scratch = try Scratch()
        let place = scratch.folder.appendingPathComponent("a/b").path
        let output = OutputDirectory(place)
        for (name, text) in [("x", "1"), ("x", "2"), ("y", "3"), ("x", "4"), ("z", "5")] {
            try output.stage([name]) { $0.write(text) }
        }
        #expect(output.stagedCount == 5)
        output.discard(allBut: 4)
        #expect(output.stagedCount == 4)
        try output.commit()
        #expect(output.summary == "4 files written" && output.writtenCount == 4 && output.equalCount == 0)
        #expect(scratch.files(in: "a") == ["b/x", "b/y"])
        #expect(try scratch.read("a/b/x") == "4" && scratch.read("a/b/y") == "3")
    }

    /// What is not committed leaves nothing, and no directory.
    @Test func nothingIsLeftOfWhatIsNotCommitted() throws {
        let scratch = try Scratch()
        do {
            let output = OutputDirectory(scratch.folder.appendingPathComponent("a/b").path)
            try output.stage(["c", "x"]) { $0.write("1") }
            #expect(scratch.exists("a/b"))
        }
        #expect(!scratch.exists("a"))
    }
}
