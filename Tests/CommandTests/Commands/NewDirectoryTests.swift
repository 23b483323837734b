import Foundation
import Testing

/// A directory that was not there before gets all its files at once, and is as any other.
@Suite struct NewDirectoryTests {
    private static let names = (0..<3).map { "a-0000\($0).vtt" } + ["a.m3u8"]

    private func scratch() throws -> Scratch {
        try Scratch([
            "a.vtt": "WEBVTT\n\n" + (0..<3).map { "00:0\($0).100 --> 00:0\($0).900\n\($0)\n\n" }.joined(),
            "m.m3u8": Samples.master, "there/kept": "kept",
        ])
    }

    @Test(arguments: ["made", "made/", "made/by/it", "./made", "there/made", "there/../made"])
    func itHasTheFilesAndNothingElse(_ name: String) throws {
        let scratch = try scratch()
        let call = "umask 027; \"$surtitle\" segment a.vtt -o \(name) --target 1"
        let ran = try Ran(
            shell: "\(call); mkdir other; for name in other \(name); do ls -ld $name | cut -c1-10; done", in: scratch)
        #expect(ran.status == 0 && ran.errors == "" && ran.text == "drwxr-x---\ndrwxr-x---\n", "\(ran)")
        #expect(scratch.files(in: name) == Self.names)
        #expect(!scratch.hasUnfinished)
        // Once more, what is there is there.
        #expect(try Ran(shell: call, in: scratch).errors == "")
        #expect(scratch.files(in: name) == Self.names)
    }

    @Test(arguments: ["site", "there"])
    func directoriesInItAreNewToo(_ folder: String) throws {
        let scratch = try scratch()
        let tracks = ["en", "sv"].map { "--track uri=s/\($0)/a.vtt,file=a.vtt,language=\($0)" }.joined(separator: " ")
        let call = "\"$surtitle\" sideload m.m3u8 --segment \(tracks) --map 7 -o \(folder)"
        let ran = try Ran(shell: "\(call); find \(folder) -type d | sort", in: scratch)
        #expect(ran.text == ["", "/s", "/s/en", "/s/sv"].map { "\(folder)\($0)\n" }.joined(), "\(ran)")
        for language in ["en", "sv"] {
            #expect(scratch.files(in: "\(folder)/s/\(language)").contains("a-00000.vtt"), "\(ran)")
        }
        #expect(scratch.exists("\(folder)/m.m3u8") && scratch.exists("there/kept"))
    }

    /// It is named, and not what would have been made on the way.
    @Test(
        .enabled(if: geteuid() != 0, "skipped: root may write everywhere"),
        arguments: ["there", "there/made", "there/made/by/it"])
    func whereNothingMayBeMadeItIsRefused(_ directory: String) throws {
        let ran = try Ran(
            shell: "chmod 555 there; \"$surtitle\" segment a.vtt -o \(directory); s=$?; chmod 755 there; exit $s",
            in: scratch())
        #expect(ran.status == 1)
        expectOneLine(ran.errors, about: "surtitle: \(directory): permission denied", "")
    }

    /// What somebody does with it meanwhile, and where the files are then.
    @Test(arguments: [
        ("echo x >made/other", "made", ["other"]), ("mkdir made/other", "made", []),
        ("mv made moved", "moved", []), ("mv made moved; mkdir made", "moved", []),
    ])
    func whatHappensToItMeanwhileStays(_ change: String, _ folder: String, _ others: [String]) throws {
        let scratch = try scratch()
        let script = """
            mkfifo p; "$surtitle" segment - -o made --target 1 <p & pid=$!
            exec 3>p; cat a.vtt >&3
            while [ ! -d made ]; do sleep 0.01; done; \(change); exec 3>&-; wait $pid
            """
        let ran = try Ran(shell: script, in: scratch)
        #expect(ran.status == 0 && ran.errors == "", "\(ran)")
        let names = Self.names.map { "subtitles\($0.dropFirst())" }
        #expect(scratch.files(in: folder) == others + names)
        #expect(!scratch.hasUnfinished)
    }
}
