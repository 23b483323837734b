internal import Delivery
internal import M3U8
internal import Sideload

/// `surtitle master`: the rewritten multivariant playlist, on standard output or in a file.
struct MasterCommand: Command {
    static let name = "master"
    static let summary = "writes a multivariant playlist with tracks added"
    static let usage = "[FILE|-] --track SPEC… [-o FILE] [OPTION…]"
    static let description = """
        Writes the multivariant playlist FILE, or standard input, to standard output with the tracks added as EXT-X-MEDIA tags of
        TYPE=SUBTITLES. A track whose URI is a .vtt file is referred to by the playlist that surtitle sideload makes for it:
        en.m3u8 for subs/en.vtt. Anything else, a media playlist without --wrap too, passes through unchanged, and the exit status
        is 1. So it is if a variant could not be edited, or if there is none. Tracks that are there already stay as they are.
        """
    static let notes = [TrackKey.help, ConfigurationKey.help(of: configurationKeys)]
    static let example = "surtitle master master.m3u8 --track uri=subs/en.m3u8,language=en,name=English,default"

    /// The keys of a configuration that are used.
    private static let configurationKeys: [ConfigurationKey] = [.tracks, .replaceDefault, .limits]

    private var file: String?
    private var specs: [TrackConfiguration] = []
    private var configurationName: String?
    private var limits = SideloadLimits()
    private var replacesDefault = false
    private var wrap = WrapRequest()
    private var output: String?

    static var operand: CommandOperand<Self> { CommandOperand("FILE", \.file) }

    static var options: [CommandOption<Self>] {
        [
            .tracks(\.specs), .configuration(\.configurationName), .replacesDefault(\.replacesDefault),
        ] + CommandOption.wrap(\.wrap) + CommandOption.web + [.outputFile(\.output), .chunk]
    }

    /// How large a playlist may be that is wrapped: it is read before anything is written.
    private static let largestWrapped = 64 << 20

    mutating func check() throws(Failure) {
        try wrap.check()
        try InputFile.requireOnePipe(("FILE", file ?? "-"), ("--config", configurationName))
        let configuration = try ConfigurationFile(configurationName)
        configuration.noteUnused(by: Self.name, used: Self.configurationKeys)
        specs = try configuration.specs(before: specs, for: Self.name)
        replacesDefault = replacesDefault || configuration.configuration.replacesDefault
        limits = configuration.configuration.limits
    }

    func run() throws(Failure) {
        let plan = try TrackPlan(specs, masterName: "")
        let tracks = try plan.tracks(replacesDefault: replacesDefault)
        var rewriting = try PlaylistEditing(adding: tracks, limits: limits)
        try WebAccess.begin(for: file)
        let file = try InputFile(file ?? "-")
        let output = try OutputFile(output)
        if wrap.isAsked {
            let playlist = try file.whole(
                upTo: Self.largestWrapped, otherwise: "leave --wrap out, or give a smaller one")
            let facts = PlaylistFacts(of: playlist, asking: .bitRate)
            let master = try wrap.wrapped(playlist, facts, from: file.place)?.playlist ?? playlist
            unsafe master.withUnsafeBytes { unsafe rewriting.write($0, to: output.writer) }
            try output.writer.check()
        } else {
            try unsafe file.forEachChunk { (bytes) throws(Failure) in
                unsafe rewriting.write(bytes, to: output.writer)
                try output.writer.check()
            }
        }
        rewriting.finish(to: output.writer)
        try output.finish(plan.summary) { () throws(Failure) in
            try rewriting.requireMaster(file.name, ending: output.refusedEnding)
            try rewriting.requireVariants(file.name)
        }
        plan.noteTracks(besideMasterAt: file.place)
    }
}
