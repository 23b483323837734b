internal import ByteScan
internal import Delivery
internal import M3U8

/// `surtitle route`: what a player's request for a URL gets, as JSON.
struct RouteCommand: Command {
    static let name = "route"
    static let summary = "prints what a player's request for a URL gets, as JSON"
    static let usage = "URL --config FILE.json [OPTION…]"
    static let description = """
        Prints in one line of JSON what a player's request for URL gets of a router that is made of FILE.json: a redirect, something
        of the origin and what becomes of it, the subtitle playlist or the file of a track, nothing since the URL is none of its own,
        or an error. Nothing is fetched. URL is as the player has it, such as surtitle-master-https://example.com/master.m3u8.
        """
    static let notes = [ConfigurationKey.help(of: configurationKeys)]
    static let example = "surtitle route surtitle-track://subtitles/en.m3u8 --config FILE.json"

    /// The keys of a configuration that are used.
    private static let configurationKeys: [ConfigurationKey] = [
        .master, .tracks, .replaceDefault, .limits, .map, .schemes, .base, .headers, .headersTo, .origins, .probe,
        .variants,
        .segments, .keys, .webVTT, .missingTrack,
    ]

    private var url = ""
    private var configurationName: String?
    private var range: ByteRequest?
    private var isProbe = false

    static var operand: CommandOperand<Self> { CommandOperand("URL", \.url) }

    static var options: [CommandOption<Self>] {
        [
            CommandOption(
                "--config FILE.json", "reads the router's configuration from FILE.json, whose keys are below", .file,
                \.configurationName
            ).required,
            CommandOption("--range A-B", "asks for the bytes A to B, or from A on if there is no B") {
                command, arguments throws(Failure) in
                let text = try arguments.value()
                guard let range = ByteRequest(range: text) else {
                    throw .usage("--range is \(text); give two positions from 0 such as 0-499, or one such as 500-")
                }
                command.range = range
            },
            CommandOption(
                "--probe", "asks for two bytes, and the content's type and length, as AVPlayer does first", \.isProbe),
        ]
    }

    func check() throws(Failure) {
        if isProbe, let range, !range.isForTwoBytes {
            throw .usage("--probe asks for the bytes 0-1; leave --range out")
        }
    }

    func run() throws(Failure) {
        guard url.withView({ URIReference($0).scheme != nil }) else {
            throw .refused(
                url, "this is no URL: it begins with no scheme such as https:; give the URL that a player asks for")
        }
        let file = try ConfigurationFile(configurationName)
        file.noteUnused(by: Self.name, used: Self.configurationKeys)
        var configuration = file.configuration
        // What a player gets is told, and nothing is fetched that would have to be decoded.
        configuration.decodesText = true
        let router = try Failure.refusing(file.name, try Router(configuration))
        let bytes = isProbe ? ByteRequest(offset: 0, extent: .bytes(2)) : range ?? .whole
        let request = RouteRequest(url, bytes, wantsInformation: isProbe)
        let plan = router.plan(request)
        if plan == .decline(.otherURL) {
            Console.note("the player begins with \(String(decoding: router.entry, as: UTF8.self))")
        }
        try Console.print("\(RouteReport(router, request, plan).text)\n")
    }
}

extension ByteRequest {
    /// The bytes that `A-B` or `A-` names; nil for anything else.
    fileprivate init?(range text: String) {
        guard let (first, last) = text.cut(at: "-"), let start = first.withView({ Int64(decimal: $0) }) else {
            return nil
        }
        guard !last.isEmpty else {
            self.init(offset: start, extent: .toEnd)
            return
        }
        guard let end = last.withView({ Int64(decimal: $0) }), end >= start else { return nil }
        self.init(offset: start, extent: .bytes(Int(clamping: (end - start).times(1, plus: 1) ?? .max)))
    }
}
