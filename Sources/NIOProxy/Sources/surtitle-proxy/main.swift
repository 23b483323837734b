import Foundation
import SurtitleProxy

func say(_ text: String) { FileHandle.standardError.write(Data("surtitle-proxy: \(text)\n".utf8)) }

if CommandLine.arguments.contains("--help") {
    print(Options.usage)
    exit(0)
}

let signals = Signals([SIGHUP, SIGTERM, SIGINT])
signal(SIGPIPE, SIG_IGN)
do {
    let source = SiteSource(try Options(Array(CommandLine.arguments.dropFirst())))
    let server = try await ProxyServer(source.settings())
    let site = try source.load(port: server.port)
    try await server.serve(site)
    FileHandle.standardOutput.write(Data("\(site.entry)\n".utf8))
    for await signal in signals.numbers {
        guard signal == SIGHUP else { break }
        do {
            try await server.serve(source.load(port: server.port))
            say("read again")
        } catch {
            say("\(error); what was there before stays")
        }
    }
    try await server.end()
} catch {
    say("\(error)")
    exit(error is CommandError ? 2 : 1)
}
