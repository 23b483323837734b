/// `surtitle check`: whether a stream with subtitles is as players need it.
struct CheckCommand: Command {
    static let name = "check"
    static let summary = "reads a stream with subtitles as a player would, and tells what is broken"
    static let usage = "DIR|FILE|URL [OPTION…]"
    static let description = """
        Reads the multivariant playlists in DIR, or the playlist FILE or URL, and all that they lead to, as a player would. Each rule
        that is broken gets a line: the file, where in it, and what is wrong. Then the exit status is 1. What is allowed and may
        surprise gets a line that begins with note. A last line says how much has been read.
        """
    static let notes = [
        HelpBlock(
            text: """
                Checked are references, and the variables in them; of multivariant playlists the groups of renditions (each declared,
                all with the same members, NAME once, DEFAULT once, languages); of media playlists EXTINF, EXT-X-TARGETDURATION,
                EXT-X-ENDLIST, EXT-X-BYTERANGE; of those of subtitles whether they last as long as the video, on the same
                timelines, with its dates; of files of subtitles the signature, the encoding, cues that no player reads, whether
                X-TIMESTAMP-MAP is that of the video's first time stamp, and whether each cue is in the segments in which it
                shows. Of segments that are fetched the first and the last are asked for.
                """)
    ]
    static let example = "surtitle check out"

    private var place = ""

    static var operand: CommandOperand<Self> { CommandOperand("DIR|FILE|URL", \.place) }

    static var options: [CommandOption<Self>] { CommandOption.web + [.followsReferences, .chunk] }

    func run() throws(Failure) {
        try WebAccess.begin(for: place)
        let check = StreamCheck()
        if !Web.isURL(place), let names = Directory.names(in: place) {
            // No player opens a folder or a pipe.
            let playlists = names.filter { name in
                name.lowercased().hasSuffix(".m3u8")
                    && FileStatus(at: "\(place)/\(name)").map { $0.size != nil } ?? true
            }
            try check.check(directory: place, playlists.sorted())
        } else {
            try check.check(place)
        }
        let findings = check.findings
        if findings.tracks == 0 {
            findings.doubtful(place, nil, "no EXT-X-MEDIA declares subtitles, so players offer none")
        }
        try Console.print(
            (findings.sentences + [findings.summary(of: place)]).map { Console.oneLine($0) + "\n" }.joined())
        if findings.brokenCount > 0 {
            throw .refused(
                place,
                "\(findings.brokenCount) \(findings.brokenCount == 1 ? "rule is" : "rules are") broken; see above")
        }
    }
}
