import Sideload
import Testing

@testable import surtitle

/// What is typed wrong is answered in words, and with a hint if it is nearly right.
@Suite struct ClumsyCallTests {
    @Test(arguments: [
        ("sideload m --mdeia v", "unknown option --mdeia; did you mean --media? see surtitle sideload --help"),
        ("sideload m --ouptut=o", "unknown option --ouptut; did you mean --output?"),
        ("inspect m --jsn", "unknown option --jsn; did you mean --json?"),
        ("edit m --shceme=https", "unknown option --shceme; did you mean --scheme?"),
        ("cues m --from-encodng x", "unknown option --from-encodng; did you mean --from-encoding?"),
        ("cues m --music", "unknown option --music; see surtitle cues --help"),
        ("cues m --help=x", "--help takes no value; see surtitle cues --help"),
        ("cues m -hx", "-h takes no value; see surtitle cues --help"),
        ("--version=x", "--version takes no value; see surtitle --help"),
        ("cues", "FILE is missing; see surtitle cues --help"),
        ("segment a.vtt", "-o DIR is missing; see surtitle segment --help"),
        ("playlist m", "--uri URI is missing; see surtitle playlist --help"),
        ("sideload m --track a.vtt -oo --target 5", "--target says how long segments are; give --segment too"),
        ("-", "- is not a subcommand; use one of"),
        ("cues m --hlep", "unknown option --hlep; did you mean --help?"),
        ("inspct m", "inspct is not a subcommand; did you mean inspect? use one of"),
        ("ceus m", "ceus is not a subcommand; did you mean cues?"), ("sing", "sing is not a subcommand; use one of"),
        ("master m --track uri=a.vtt,lanugage=en", "track 1: unknown key \"lanugage\"; did you mean language?"),
        ("master m --track uri=a.vtt,defualt", "track 1: unknown key \"defualt\"; did you mean default?"),
        ("master m --track uri=a.vtt,lang=en", "track 1: unknown key \"lang\"; did you mean language?"),
        ("edit m --sch=https", "unknown option --sch; did you mean --scheme?"),
        ("edit m --s=a", "unknown option --s; see"), ("seg m", "seg is not a subcommand; did you mean segment?"),
        ("master m --track ur=a.vtt", "track 1: unknown key \"ur\"; did you mean uri?"),
        ("sideload m -track a.vtt", "unknown option -track; did you mean --track? see surtitle sideload --help"),
        ("sideload m -output=o", "unknown option -output=o; did you mean --output=o?"),
        ("sideload m -trak a.vtt", "unknown option -trak; did you mean --track? see surtitle sideload --help"),
        ("-track a.vtt", "unknown option -track; see surtitle --help"),
        ("-version", "unknown option -version; did you mean --version?"),
        ("version", "version is not a subcommand; did you mean --version? use one of"),
        ("man", "man is not a subcommand; did you mean --man?"),
        ("segment a.vtt -oo --map 1.4", "as seconds that would be 126000: --map 126000"),
        ("segment a.vtt -oo --map 10s", "that would be 900000: --map 900000"),
        ("segment a.vtt -oo --map 1.00001", "write auto, none or MPEGTS[:LOCAL]"),
        ("master m --track uri=a.vtt,colour=red", "track 1: unknown key \"colour\"; remove it (see the help"),
    ])
    func aHintForWhatIsNearlyRight(_ words: String, _ message: String) throws {
        let ran = try Ran(words.split(separator: " ").map { String($0) }, in: Scratch(["m": Samples.master]))
        #expect(ran.status == 2 && ran.text == "")
        expectOneLine(ran.errors, about: "surtitle", message)
    }

    /// An empty word is hardly meant as a name.
    @Test(arguments: [
        ("cues ''", "surtitle: FILE is empty; name a file, or give - for standard input\n"),
        ("cues m '' --json", "surtitle:  is one operand too many; see surtitle cues --help\n"),
    ])
    func wordsThatAreNoNames(_ words: String, _ message: String) throws {
        let ran = try Ran(shell: "\"$surtitle\" \(words)", in: Scratch(["m": Samples.webVTT]))
        #expect(ran.status == 2 && ran.text == "" && ran.errors == message, "\(ran)")
    }

    @Test func theHelpTellsTheOptions() {
        func names(_ command: any Command.Type) -> [String] { command.manual.options.flatMap { $0.names } }
        for command in Surtitle.commands {
            // A configuration is read whole, and nothing else by route.
            let readsChunks = command.name != "route"
            #expect(names(command).contains("--chunk") == readsChunks, "\(command.name)")
            #expect(names(command).contains("--help"), "\(command.name)")
        }
        #expect(names(SideloadCommand.self).contains("-o") && names(SideloadCommand.self).contains("--output"))
        #expect(
            names(CuesCommand.self) == [
                "--json", "--from-encoding", "--shift", "--header", "--timeout", "--chunk", "-h", "--help",
            ])
    }

    @Test(arguments: [
        ("media", "media", true), ("mdeia", "media", true), ("medi", "media", true), ("medoi", "media", true),
        ("edia2", "media", true), ("x", "uri", false), ("no", "uri", false), ("uir", "uri", true),
        ("iru", "uri", false),
        ("", "uri", false), (String(repeating: "media", count: 20_000), "media", false),
    ])
    func nearest(_ word: String, _ name: String, _ isNear: Bool) {
        #expect(NearestName.hint(for: word, among: ["zzzzzzzz", name]) == (isNear ? "; did you mean \(name)?" : ";"))
    }

    /// Arguments that are refused for as many reasons as there are: no message shows how the code calls things.
    @Test(arguments: [
        "edit m --host cdn:8080:", "edit m --host :1", "edit m --host key=", "edit m --host nobody=h",
        "edit m --scheme 1:2:3", "edit m --scheme key=9", "edit m --append-query %", "edit m --append-query key=a=%",
        "edit m --map-uri x", "edit m --set X", "edit m --set X:=1", "edit m --set X:a=1",
        "edit m --remove X:", "edit m --drop #", "edit m --append-line a\nb",
        "edit m --keep-variants BANDWIDTH<", "edit m --keep-variants (", "master m --track uri=a.vtt,name=\"",
        "master m --track uri=a.vtt,language=x_", "master m --track uri=a.vtt,group=\"",
        "master m --track uri=a.vtt,duration=x",
        "master m --track uri=a\"b.vtt", "sideload m -oo --track uri=a.vtt --track uri=a.vtt",
        "sideload m -oo --track uri=a.vtt,duration=1 --base-uri a", "sideload m -oo --track uri=../a.vtt,file=m",
        "segment m -oo --target 0.0000000001",
        "segment m -oo --map 1:2", "playlist --uri \n --duration 3",
        "duration m --budget 1x", "duration m --shift 1.2345", "cues m --chunk 0",
        "cues m --from-encoding none",
        // And input that is refused.
        "cues m", "segment m -oo", "duration m", "edit empty --drop X", "master media --track uri=a.m3u8",
        "playlist m --uri a",
        "playlist --uri a --media m", "segment a.vtt -oo --map-from m", "segment a.vtt -oo --media m",
        "segment backward.vtt -oo", "sideload media --track uri=a.vtt,file=a.vtt -oo",
        "edit m --keep-variants BANDWIDTH>5",
        "sideload m --track uri=a.vtt,file=a.vtt,duration=99999999 --segment --target=0.001 -oo",
    ])
    func noMessageIsCode(_ words: String) throws {
        let scratch = try Scratch([
            "m": Samples.master, "media": Samples.media, "a.vtt": Samples.webVTT, "empty": "",
            "backward.vtt": "WEBVTT\n\n00:02.000 --> 00:01.000\na\n",
        ])
        let ran = try Ran(words.split(separator: " ").map { String($0) }, in: scratch)
        #expect(ran.status == 1 || ran.status == 2, "\(ran)")
        #expect(!ran.errors.isEmpty && ran.errors.split(separator: "\n").count == 1, "\(ran.errors)")
        let code = #/\b[a-z][A-Za-z]*\((?!s\))|Optional|\bnil\b|\b[a-z]+[A-Z][a-z]+:/#
        #expect(ran.errors.firstMatch(of: code) == nil, "\(ran.errors)")
    }
}
