import Testing

@testable import surtitle

@Suite struct ArgumentListTests {
    /// The arguments in `words`, where `-v` and `--value` have values, written one after the other.
    private func parsed(_ words: [String]) throws(Failure) -> [String] {
        var arguments = ArgumentList(words, of: "test")
        var found: [String] = []
        while let argument = try arguments.next() {
            switch argument {
            case .option("--value"), .option("-v"): found.append("value(\(try arguments.value()))")
            case .option("--count"): found.append("count(\(try arguments.byteCount(upTo: 1024)))")
            case .option("--flag"), .option("-f"): found.append("flag")
            case .operand(let word) where found.count < 4: found.append(word)
            default: throw arguments.unexpected(argument)
            }
        }
        return found
    }

    @Test(arguments: [
        ([], []),
        (["a", "-"], ["a", "-"]),
        (["--value", "x", "a"], ["value(x)", "a"]),
        (["--value=x", "a"], ["value(x)", "a"]),
        (["--value=a=b"], ["value(a=b)"]),
        (["--value=-x"], ["value(-x)"]),
        (["--value=--flag"], ["value(--flag)"]),
        (["--value=\u{301}x", "-v=\u{301}x"], ["value(\u{301}x)", "value(\u{301}x)"]),
        (["--value", "-"], ["value(-)"]),
        (["-v", "x", "-vx", "-v=x"], ["value(x)", "value(x)", "value(x)"]),
        (["--flag", "-f", "a"], ["flag", "flag", "a"]),
        (["--", "--flag", "-", "--"], ["--flag", "-", "--"]),
        (["a", "--", "-f"], ["a", "-f"]),
        (["--count", "1000", "--count=1"], ["count(1000)", "count(1)"]),
        (["--count", "1k"], ["count(1024)"]),
        ([""], [""]),
    ])
    func parses(_ words: [String], _ expected: [String]) throws { #expect(try parsed(words) == expected) }

    @Test(arguments: [
        (["--flag=x"], "--flag takes no value"), (["-fx"], "-f takes no value"), (["--value"], "--value needs a value"),
        (["--value", "--flag"], "--value needs a value, but --flag follows"), (["--value", "--"], "but -- follows"),
        (["--value", "-x"], "--value=-x"), (["--value="], "empty value"), (["--value", ""], "empty value"),
        (["--other"], "unknown option --other"), (["--other=5"], "unknown option --other"),
        (["-x"], "unknown option -x"),
        (["a", "b", "c", "d", "e"], "e is one operand too many"),
        (["--count", "0"], "no number of bytes from 1 to 1024, like 65536, 64k or 1M"),
        (["--count", "1025"], "no number"), (["--count", "2k"], "no number"), (["--count", "k"], "no number"),
        (["--count", "1kB"], "no number"), (["--count", "9007199254740992k"], "no number"),
        (["--count", "0M"], "no number"), (["--count=-1"], "no number"), (["--count", "1.5"], "no number"),
        (["--count", "99999999999999999999"], "no number"), (["--count", "ten"], "no number"),
    ])
    func refuses(_ words: [String], _ part: String) {
        let error = #expect(throws: Failure.self) { try parsed(words) }
        #expect(error?.status == 2)
        #expect(error?.message?.contains(part) == true, "\(error?.message ?? "")")
    }

    @Test(arguments: [
        ("64k", 65_536), ("64K", 65_536), ("1M", 1_048_576), ("1m", 1_048_576), ("1G", 1 << 30), ("7", 7),
        ("8388607T", nil), ("8589934591G", 8_589_934_591 << 30), ("8589934592G", nil),
    ])
    func bytesHaveUnits(_ text: String, _ count: Int?) throws {
        var arguments = ArgumentList(["--count", text], of: "test")
        _ = try arguments.next()
        #expect((try? arguments.byteCount(upTo: .max)) == count)
    }

    @Test func helpIsSeenBeforeTheEndOfOptions() {
        #expect(ArgumentList(["a", "--help"], of: "test").asksForHelp)
        #expect(ArgumentList(["-h"], of: "test").asksForHelp)
        #expect(!ArgumentList(["--", "--help"], of: "test").asksForHelp)
        #expect(!ArgumentList(["--value=--help"], of: "test").asksForHelp)
    }

    @Test(arguments: [
        ("a b", "a b"), ("a\nb", "a\\nb"), ("a\r\u{1B}[0m\u{7F}", "a\\r\\u{1B}[0m\\u{7F}"), ("é字", "é字"),
        ("a\u{2028}b\u{85}", "a\\u{2028}b\\u{0085}"),
    ])
    func complaintsAreOneLine(_ text: String, _ expected: String) { #expect(Console.oneLine(text) == expected) }

    @Test(arguments: [
        ("1", 1), ("1k", 1 << 10), ("3K", 3 << 10), ("1m", 1 << 20), ("2M", 2 << 20), ("1g", 1 << 30), ("5G", 5 << 30),
        ("9223372036854775807", .max),
    ])
    func sizes(_ text: String, _ count: Int) throws {
        var arguments = ArgumentList(["--count", text], of: "test")
        _ = try arguments.next()
        #expect(try arguments.byteCount(upTo: count) == count)
        var other = ArgumentList(["--count", text], of: "test")
        _ = try other.next()
        #expect(throws: Failure.self) { try other.byteCount(upTo: count - 1) }
    }

    @Test(
        arguments: [
            (["--help"], true), (["a", "-h"], true), (["--", "--help"], false), (["a"], false), (["--helper"], false),
            ([], false),
        ] as [([String], Bool)])
    func helpIsAskedFor(_ words: [String], _ isAsked: Bool) {
        #expect(ArgumentList(words, of: "test").asksForHelp == isAsked)
    }

    @Test(arguments: [
        ("a/b", "b"), ("a/b//", "b"), ("/", nil), ("", nil), ("http://h/a%20b.vtt?x/y", "a b.vtt"),
        ("http://h/a/", nil),
        ("c:d", "c:d"),
    ])
    func fileNames(_ path: String, _ name: String?) { #expect(path.fileName == name) }
}
