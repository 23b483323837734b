internal import Delivery
internal import M3U8

/// `surtitle edit`: a playlist with attributes, lines and URIs changed, on standard output.
struct EditCommand: Command {
    static let name = "edit"
    static let summary = "changes attributes, lines and URIs of any playlist"
    static let help = """
        usage: surtitle edit [FILE|-] [OPTION…]

        Writes the playlist FILE, or standard input, to standard output with the edits done; every other byte
        stays as it is. What is no playlist passes through unchanged, and the exit status is 1. So it is if a line
        could not be edited. An edit that met no line is noted.

          --set TAG:NAME=VALUE      sets an attribute of every line of the tag, as in
                                    --set 'EXT-X-MEDIA:LANGUAGE="en"'; VALUE is written as given
          --replace TAG:NAME=VALUE  the same, but only if the attribute is there already
          --remove TAG:NAME         removes the attribute
          --drop TAG                leaves the tag's lines out; with EXT-X-STREAM-INF its URI lines too
          --append-line LINE        adds a line at the end
          --map-uri BASE            resolves every URI against BASE
          --scheme [ROLE=][OLD:]SCHEME
                                    puts another scheme into every http and https URI, or those of a role; or into
                                    those of the scheme OLD instead, as in key=skd:https
          --host [ROLE=]HOST[:PORT] puts another host and port into every URI that has one
          --append-query [ROLE=]K=V adds an item to every URI's query
          --keep-variants EXPR      keeps the variants that meet a condition
          --config FILE.json        reads edits and limits from FILE, described in the README; options add to it, and
                                    one with a single value wins
          --trace                   tells on standard error, a line each, what was decided about every
                                    line that was looked at, and why
          -o, --output FILE         writes to FILE instead of standard output, once all has been done; with any
                                    other exit status than 0 FILE stays as it was
          --chunk BYTES             how much is read at a time (65536)

        URIs are those on lines of their own and those of EXT-X-KEY, -MAP, -MEDIA, -I-FRAME-STREAM-INF,
        -SESSION-KEY, -SESSION-DATA, -PART, -PRELOAD-HINT, -RENDITION-REPORT, -IMAGE-STREAM-INF, -PREFETCH,
        -TWITCH-PREFETCH, -CONTENT-STEERING and -DATERANGE. Those of other schemes than http, https and OLD stay
        as they are. Variables get the values that EXT-X-DEFINE gives them; URIs with any other stay, and are
        noted. What --set, --replace, --remove and --drop say wins over what is done to all URIs. ROLE is one of
          all        every URI; as if no role were given
          variant    what EXT-X-STREAM-INF, -I-FRAME-STREAM-INF and -IMAGE-STREAM-INF refer to
          media      segments and parts
          rendition  EXT-X-MEDIA and -RENDITION-REPORT
          key        EXT-X-KEY and -SESSION-KEY
          map        EXT-X-MAP
          other      EXT-X-SESSION-DATA, -CONTENT-STEERING and -DATERANGE
        In --append-query a role needs an item with a = after it: key=1 is the item key=1 for every URI, key=a=1
        is a=1 for keys, and all=key=a=1 is key=a=1 for every URI.

        EXPR is comparisons of attributes joined by &&, with < <= > >= == and !=. Decimals are compared as
        numbers, RESOLUTION by its height or as WIDTHxHEIGHT, everything else as text, bare or in double
        quotes. A variant without the attribute meets != only. Variants go with their URI; I-frame and image
        streams go by the same condition, but are not asked for attributes that only variants have.

        Example:
          surtitle edit master.m3u8 --keep-variants 'BANDWIDTH<=3000000 && RESOLUTION>=360' \\
            --map-uri https://cdn.example.com/video/ --append-query token=abc

        """

    private var file: String?
    private let edits: EditRequest.Compiled
    private var chunk = InputFile.defaultChunk
    private var output: String?
    private var isTraced = false

    init(_ arguments: inout ArgumentList) throws(Failure) {
        var options: [(name: String, value: String)] = []
        var configurationName: String?
        while let argument = try arguments.next() {
            switch argument {
            case .option(let name) where Self.editOptions.contains(name):
                options.append((name, try arguments.value()))
            case .option("--config"): configurationName = try arguments.value()
            case .option("--trace"): isTraced = true
            case .option("-o"), .option("--output"): output = try arguments.value()
            case .option("--chunk"): chunk = try arguments.byteCount(upTo: InputFile.largestChunk)
            case .operand(let word) where file == nil: file = word
            default: throw arguments.unexpected(argument)
            }
        }
        var request = EditRequest()
        // A mistake in the options is told before the file is read.
        for option in options { try Self.add(option, to: &request) }
        if let configurationName {
            if configurationName == "-", file ?? "-" == "-" {
                throw .usage("FILE and --config cannot both be standard input")
            }
            let file = try ConfigurationFile(configurationName)
            file.noteUnused(
                by: Self.name, used: [.edits, .mapURI, .scheme, .host, .appendQuery, .keepVariants, .limits])
            // What the file asks for comes before what the options do.
            request = EditRequest(file.configuration, of: file.name)
            for option in options { try Self.add(option, to: &request) }
        }
        edits = try request.compiled()
    }

    /// The options that ask for edits.
    private static let editOptions =
        EditVerb.allCases.map { "--\($0.name)" } + [
            "--map-uri", "--scheme", "--host", "--append-query", "--keep-variants",
        ]

    private static func add(_ option: (name: String, value: String), to request: inout EditRequest) throws(Failure) {
        switch option.name {
        case "--map-uri": try request.uris.setBase(option.value)
        case "--scheme": try request.uris.setScheme(option.value)
        case "--host": try request.uris.setHost(option.value)
        case "--append-query": try request.uris.appendQuery(option.value)
        case "--keep-variants": try request.keepVariants(option.value)
        default:
            for verb in EditVerb.allCases where "--\(verb.name)" == option.name { try request.add(verb, option.value) }
        }
    }

    func run() throws(Failure) {
        var editing = PlaylistEditing(edits, trace: isTraced ? EditTrace() : nil)
        let file = try InputFile(file ?? "-")
        let output = try OutputFile(output)
        try unsafe file.forEachChunk(of: chunk) { (bytes) throws(Failure) in
            unsafe editing.write(bytes, to: output.writer)
            try output.writer.check()
        }
        editing.finish(to: output.writer)
        try output.finish { () throws(Failure) in try editing.complain(about: file.name, ending: output.refusedEnding) }
    }
}
