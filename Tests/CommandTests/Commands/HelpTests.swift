import Testing

@testable import surtitle

@Suite struct HelpTests {
    @Test(arguments: [["--help"], ["-h"], ["help"]])
    func theWholeHasHelp(_ words: [String]) throws {
        let ran = try Ran(words, in: Scratch())
        #expect(ran.status == 0 && ran.errors == "")
        for command in Surtitle.commands { #expect(ran.text.contains("  \(command.name)  ")) }
        #expect(ran.text.contains("Example:\n"))
    }

    @Test func everyCommandHasHelp() throws {
        let scratch = try Scratch()
        for command in Surtitle.commands {
            let ran = try Ran(command.name, "nonsense", "--help", in: scratch)
            #expect(ran.status == 0 && ran.errors == "")
            #expect(ran.text == command.manual.helpText)
            #expect(command.manual.helpText.hasPrefix("usage: surtitle \(command.name) "))
            #expect(command.manual.helpText.contains("Example:\n  surtitle \(command.name) "))
            #expect(try Ran("help", command.name, in: scratch).text == command.manual.helpText)
            for line in command.manual.helpText.split(separator: "\n") { #expect(line.count <= 110, "\(line)") }
        }
    }

    @Test(arguments: [
        ([], "a subcommand is missing"), (["sing"], "sing is not a subcommand"),
        (["--louder"], "unknown option --louder"),
        ([""], "is not a subcommand"),
    ])
    func everythingElseIsRefused(_ words: [String], _ reason: String) throws {
        let ran = try Ran(words, in: Scratch())
        #expect(ran.status == 2 && ran.text == "")
        expectOneLine(ran.errors, about: "surtitle --help", reason)
    }
}
