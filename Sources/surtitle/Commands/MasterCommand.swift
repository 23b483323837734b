internal import Delivery
internal import M3U8
internal import Sideload

/// `surtitle master`: the rewritten multivariant playlist, on standard output or in a file.
struct MasterCommand: Command {
    static let name = "master"
    static let summary = "writes a multivariant playlist with tracks added"
    static let help = """
        usage: surtitle master [FILE|-] --track SPEC… [-o FILE] [OPTION…]

        Writes the multivariant playlist FILE, or standard input, to standard output with the tracks added as
        EXT-X-MEDIA tags of TYPE=SUBTITLES. A track whose URI is a .vtt file is referred to by the playlist that
        surtitle sideload makes for it: en.m3u8 for subs/en.vtt. Anything else, a media playlist too, passes
        through unchanged, and the exit status is 1. So it is if a variant could not be edited, or if there is
        none. Tracks that are there already stay as they are.

          --track SPEC        a track to add; at least one, here or in FILE.json
        \(ConfigurationFile.optionHelp)
          --replace-default   a track with the flag default replaces the playlist's own default
        \(OutputFile.optionHelp)
          --chunk BYTES       how much is read at a time (65536)

        \(TrackSpec.help)

        Example:
          surtitle master master.m3u8 --track uri=subs/en.m3u8,language=en,name=English,default

        """

    private var file: String?
    private var specs: [TrackSpec] = []
    private var configurationName: String?
    private let limits: SideloadLimits
    private var replacesDefault = false
    private var output: String?
    private var chunk = InputFile.defaultChunk

    init(_ arguments: inout ArgumentList) throws(Failure) {
        while let argument = try arguments.next() {
            switch argument {
            case .option("--track"): specs.append(try TrackSpec(arguments.value(), number: specs.count + 1))
            case .option("--config"): configurationName = try arguments.value()
            case .option("--replace-default"): replacesDefault = true
            case .option("-o"), .option("--output"): output = try arguments.value()
            case .option("--chunk"): chunk = try arguments.byteCount(upTo: InputFile.largestChunk)
            case .operand(let word) where file == nil: file = word
            default: throw arguments.unexpected(argument)
            }
        }
        if specs.isEmpty, configurationName == nil { throw arguments.missing("--track") }
        if configurationName == "-", file ?? "-" == "-" {
            throw .usage("FILE and --config cannot both be standard input")
        }
        let configuration = try ConfigurationFile(configurationName)
        configuration.noteUnused(by: Self.name, used: [.tracks, .replaceDefault, .limits])
        specs = configuration.specs + specs
        replacesDefault = replacesDefault || configuration.configuration.replacesDefault
        limits = configuration.configuration.limits
        if specs.isEmpty { throw .usage("\(configuration.name): there are no tracks; add some, or give --track") }
    }

    func run() throws(Failure) {
        let plan = try TrackPlan(specs, masterName: "")
        let tracks = try plan.tracks(replacesDefault: replacesDefault)
        var rewriting = MasterRewriting(tracks, limits: limits)
        let file = try InputFile(file ?? "-")
        let output = try OutputFile(output)
        try unsafe file.forEachChunk(of: chunk) { (bytes) throws(Failure) in
            unsafe rewriting.write(bytes, to: output.writer)
            try output.writer.check()
        }
        rewriting.finish(to: output.writer)
        try output.finish { () throws(Failure) in
            try rewriting.requireMaster(file.name, ending: output.refusedEnding)
            try rewriting.requireVariants(file.name)
        }
    }
}
