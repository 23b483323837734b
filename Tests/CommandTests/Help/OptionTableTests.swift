import Delivery
import Testing

@testable import surtitle

/// What is made from the tables of options has all of them.
@Suite struct OptionTableTests {
    /// The subcommands' options as `name --option`, and those of the whole as ` --option`.
    private static let all = Surtitle.manuals.flatMap { manual in manual.options.map { (manual, $0) } }

    @Test func parsingKnowsThem() throws {
        #expect(Self.all.count > 60)
        let scratch = try Scratch()
        for (manual, option) in Self.all {
            for name in option.names where option.placeholder != nil {
                let ran = try Ran([manual.name, name].filter { !$0.isEmpty }, in: scratch)
                #expect(ran.status == 2 && ran.errors.hasPrefix("surtitle: \(name) needs a value"), "\(ran.errors)")
            }
            for name in option.names where option.placeholder == nil {
                let ran = try Ran([manual.name, name + "=x"].filter { !$0.isEmpty }, in: scratch)
                #expect(ran.status == 2, "\(ran.errors)")
            }
        }
    }

    @Test func helpHasThem() {
        for (manual, option) in Self.all {
            #expect(manual.helpText.contains("\n  \(option.spelling)"), "\(option.spelling)")
        }
    }

    /// Whoever takes a configuration says which keys it may have; of all together none is missing.
    @Test func helpHasTheKeysOfAConfiguration() {
        var told: Set<String> = []
        for manual in Surtitle.manuals where manual.options.contains(where: { $0.names.contains("--config") }) {
            let keys = ConfigurationKey.allCases.map { "\($0.name)" }.filter { manual.helpText.contains("\n  \($0)  ") }
            #expect(keys.contains("limits"), "\(manual.name)")
            told.formUnion(keys)
        }
        #expect(told == Set(ConfigurationKey.allCases.map { "\($0.name)" }))
        #expect(ManualPage(Surtitle.manuals, version: "1").text.contains("\\fBmissing\\-track\\fR"))
    }

    @Test func theManualPageHasThem() throws {
        let page = ManualPage(Surtitle.manuals, version: "1").text
        for manual in Surtitle.manuals {
            let start = manual.name.isEmpty ? "\n.SH OPTIONS\n" : "\n.SS surtitle \(manual.name)\n"
            let section = try #require(page.range(of: start)).upperBound
            let rest = page[section...]
            let end = rest.range(of: "\n.S")?.lowerBound ?? rest.endIndex
            for name in manual.options.flatMap({ $0.names }) {
                let escaped = name.replacing("-", with: "\\-")
                #expect(rest[..<end].contains("\\fB\(escaped)\\fR"), "\(manual.name) \(name)")
            }
        }
    }

    @Test(.enabled(if: Tool.isInstalled("bash"), "bash is not installed")) func bashHasThem() throws {
        let scratch = try Scratch()
        for manual in Surtitle.manuals {
            let words = ["surtitle", manual.name, "-"].filter { !$0.isEmpty }
            let ran = try Ran(
                shell: """
                    "$surtitle" --completions bash >script
                    bash --norc -c 'source ./script; COMP_WORDS=(\(words.joined(separator: " "))) COMP_CWORD=\(words.count - 1)
                        _surtitle; echo ${COMPREPLY[*]}'
                    """, in: scratch)
            #expect(ran.text == manual.options.flatMap { $0.names }.joined(separator: " ") + "\n", "\(ran.errors)")
        }
    }

    @Test(.enabled(if: Tool.isInstalled("fish"), "fish is not installed")) func fishHasThem() throws {
        let scratch = try Scratch()
        for manual in Surtitle.manuals {
            let ran = try Ran(
                shell: """
                    "$surtitle" --completions fish >script
                    HOME=. fish --no-config -c 'source ./script; complete -C "surtitle \(manual.name) --"'
                    """.replacing("  --", with: " --"), in: scratch)
            let offered = Set(
                ran.text.split(separator: "\n").compactMap { $0.split(separator: "\t").first.map { String($0) } })
            #expect(
                offered == Set(manual.options.flatMap { $0.longNames }), "\(manual.name): \(ran.text) \(ran.errors)")
        }
    }

    /// Zsh answers nobody but a terminal; so what it is told stands for what it says.
    @Test func zshIsToldThem() throws {
        let scratch = try Scratch()
        for manual in Surtitle.manuals {
            let words = ["--complete", "zsh", manual.name, "-"].filter { !$0.isEmpty }
            let lines = try Ran(words, in: scratch).text.split(separator: "\n", omittingEmptySubsequences: false)
            let told = lines.dropFirst(4).dropLast().map { $0.split(separator: "\t") }
            #expect(told.map { String($0[0]) } == manual.options.flatMap { $0.names }, "\(manual.name)")
            #expect(told.allSatisfy { $0.count == 2 }, "\(manual.name)")
        }
    }

    @Test func noSummaryAndNoTextIsEmpty() {
        for (manual, option) in Self.all {
            #expect(!manual.summary.isEmpty && !option.text.isEmpty && !option.names.isEmpty, "\(manual.name)")
        }
    }
}
