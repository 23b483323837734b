internal import Delivery
internal import M3U8

/// `surtitle edit`: a playlist with attributes, lines and URIs changed, on standard output.
struct EditCommand: Command {
    static let name = "edit"
    static let summary = "changes attributes, lines and URIs of any playlist"
    static let usage = "[FILE|-] [OPTION…]"
    static let description = """
        Writes the playlist FILE, or standard input, to standard output with the edits done; every other byte stays as it is. What
        is no playlist passes through unchanged, and the exit status is 1. So it is if a line could not be edited. An edit that met
        no line is noted.
        """
    static let notes = [
        HelpBlock(
            text: """
                URIs are those on lines of their own and those of EXT-X-KEY, -MAP, -MEDIA, -I-FRAME-STREAM-INF, -SESSION-KEY,
                -SESSION-DATA, -PART, -PRELOAD-HINT, -RENDITION-REPORT, -IMAGE-STREAM-INF, -PREFETCH, -TWITCH-PREFETCH,
                -CONTENT-STEERING and -DATERANGE. Those of other schemes than http, https and OLD stay as they are. Variables
                get the values that EXT-X-DEFINE gives them; URIs with any other stay, and are noted. What --set, --replace,
                --remove and --drop say wins over what is done to all URIs. ROLE is one of
                """, terms: [Term("all", "every URI; as if no role were given")] + URIRole.terms),
        HelpBlock(
            text: """
                In --append-query a role needs an item with a = after it: key=1 is the item key=1 for every URI, key=a=1 is
                a=1 for keys, and all=key=a=1 is key=a=1 for every URI.
                """),
        HelpBlock(
            text: """
                EXPR is comparisons of attributes joined by &&, with < <= > >= == and !=. Decimals are compared as numbers,
                RESOLUTION by its height or as WIDTHxHEIGHT, everything else as text, bare or in double quotes. A variant
                without the attribute meets != only. Variants go with their URI; I-frame and image streams go by the same
                condition, but are not asked for attributes that only variants have.
                """),
        ConfigurationKey.help(of: configurationKeys),
    ]
    static let example = """
        surtitle edit master.m3u8 --keep-variants 'BANDWIDTH<=3000000 && RESOLUTION>=360' \\
          --map-uri https://cdn.example.com/video/ --append-query token=abc
        """

    /// The keys of a configuration that are used.
    private static let configurationKeys: [ConfigurationKey] = [
        .edits, .mapURI, .scheme, .host, .appendQuery, .keepVariants, .limits,
    ]

    private var file: String?
    private var request = EditRequest()
    private var wishes: [(kind: EditKind, value: String)] = []
    private var configurationName: String?
    private var output: String?
    private var isTraced = false

    static var operand: CommandOperand<Self> { CommandOperand("FILE", \.file) }

    static var options: [CommandOption<Self>] {
        [
            edit(
                .lines(.set), "--set TAG:NAME=VALUE",
                """
                sets an attribute of every line of the tag, as in --set 'EXT-X-MEDIA:LANGUAGE="en"'; VALUE is written as given
                """, .tagAndName),
            edit(
                .lines(.replace), "--replace TAG:NAME=VALUE", "the same, but only if the attribute is there already",
                .tagAndName),
            edit(.lines(.remove), "--remove TAG:NAME", "removes the attribute", .tagAndName),
            edit(
                .lines(.drop), "--drop TAG", "leaves the tag's lines out; with EXT-X-STREAM-INF its URI lines too",
                .words(TagName.allCases.map { $0.text })),
            edit(.lines(.appendLine), "--append-line LINE", "adds a line at the end"),
            edit(.mapURI, "--map-uri BASE", "resolves every URI against BASE"),
            edit(
                .scheme, "--scheme [ROLE=][OLD:]SCHEME",
                """
                puts another scheme into every http and https URI, or those of a role; or into those of the scheme OLD
                instead, as in key=skd:https
                """, .ofRole(.words(["http", "https"]))),
            edit(
                .host, "--host [ROLE=]HOST[:PORT]", "puts another host and port into every URI that has one",
                .ofRole(.free)
            ),
            edit(.appendQuery, "--append-query [ROLE=]K=V", "adds an item to every URI's query", .ofRole(.free)),
            edit(.keepVariants, "--keep-variants EXPR", "keeps the variants that meet a condition"),
            .configuration(\.configurationName),
            CommandOption(
                "--trace",
                """
                tells on standard error, a line each, what was decided about every line that was looked at, and why
                """, \.isTraced),
            .outputFile(\.output), .chunk,
        ] + CommandOption.web
    }

    /// An option that asks for edits: of a request without a configuration, so that a mistake is told before a file is
    /// read, and later of the one that the configuration makes, which comes first.
    private static func edit(
        _ kind: EditKind, _ spelling: String, _ text: String, _ form: ValueForm = .free
    ) -> CommandOption<Self> {
        CommandOption(spelling, text, form) { command, arguments throws(Failure) in
            let value = try arguments.value()
            try command.request.take(kind, value)
            command.wishes.append((kind, value))
        }
    }

    mutating func check() throws(Failure) {
        guard let configurationName else { return }
        try InputFile.requireOnePipe(("FILE", file ?? "-"), ("--config", configurationName))
        let configuration = try ConfigurationFile(configurationName)
        configuration.noteUnused(by: Self.name, used: Self.configurationKeys)
        request = EditRequest(configuration.configuration, of: configuration.name)
        for (kind, value) in wishes { try request.take(kind, value) }
    }

    func run() throws(Failure) {
        let edits = try request.compiled()
        var editing = PlaylistEditing(
            edits.recipe, edits.limits, named: edits.named, trace: isTraced ? EditTrace() : nil)
        try WebAccess.begin(for: file)
        let file = try InputFile(file ?? "-")
        let output = try OutputFile(output)
        try unsafe file.forEachChunk { (bytes) throws(Failure) in
            unsafe editing.write(bytes, to: output.writer)
            try output.writer.check()
        }
        editing.finish(to: output.writer)
        try output.finish { () throws(Failure) in try editing.complain(about: file.name, ending: output.refusedEnding) }
    }
}

extension TagName {
    /// The tag's name as text.
    fileprivate var text: String { String(decoding: TagSelector(self).spelling, as: UTF8.self) }
}

extension URIRole {
    /// What the roles are for.
    fileprivate static var terms: [Term] {
        allCases.map { role in
            let text =
                switch role {
                case .variant: "what EXT-X-STREAM-INF, -I-FRAME-STREAM-INF and -IMAGE-STREAM-INF refer to"
                case .media: "segments and parts"
                case .rendition: "EXT-X-MEDIA and -RENDITION-REPORT"
                case .key: "EXT-X-KEY and -SESSION-KEY"
                case .map: "EXT-X-MAP"
                case .other: "EXT-X-SESSION-DATA, -CONTENT-STEERING and -DATERANGE"
                }
            return Term("\(role)", text)
        }
    }
}

extension ValueForm {
    /// `TAG:NAME`, of a tag that has attributes.
    fileprivate static var tagAndName: ValueForm {
        .prefixed(TagName.allCases.filter { $0.hasAttributeList }.map { $0.text + ":" }, .free)
    }

    /// A value that may be for the URIs of a role.
    fileprivate static func ofRole(_ form: ValueForm) -> ValueForm {
        .prefixed(EditRequest.roleNames.map { "\($0)=" }, form)
    }
}
