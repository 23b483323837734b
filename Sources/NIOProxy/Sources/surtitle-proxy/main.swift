import Foundation
import SurtitleProxy

/// Gives memory of large files back to the system. By itself glibc keeps up to 64 MiB of it in each arena once such a
/// file has come; it is told by mallopt, which other libraries do not have.
func keepLittleOfFreedMemory() {
    guard let function = dlsym(nil, "mallopt") else { return }
    let mallopt = unsafeBitCast(function, to: (@convention(c) (CInt, CInt) -> CInt).self)
    let (trimThreshold, mapThreshold): (CInt, CInt) = (-1, -3)
    _ = mallopt(trimThreshold, 4 << 20)
    _ = mallopt(mapThreshold, 1 << 20)
}

if CommandLine.arguments.contains("--help") {
    print(Options.usage)
    exit(0)
}

keepLittleOfFreedMemory()
let signals = Signals([SIGHUP, SIGTERM, SIGINT])
signal(SIGPIPE, SIG_IGN)
do {
    let source = SiteSource(try Options(Array(CommandLine.arguments.dropFirst())))
    let server = try await ProxyServer(source.settings())
    let site = try source.load(port: server.port)
    site.notes.forEach(StandardError.say)
    for address in site.cuesAddresses { StandardError.say("cues are sent to \(address)") }
    try await server.serve(site)
    FileHandle.standardOutput.write(Data("\(site.entry)\n".utf8))
    for await signal in signals.numbers {
        guard signal == SIGHUP else { break }
        do {
            let site = try source.load(port: server.port)
            site.notes.forEach(StandardError.say)
            try await server.serve(site)
            StandardError.say("read again")
        } catch {
            StandardError.say("\(error); what was there before stays")
        }
    }
    try await server.end()
    StandardError.flush()
} catch {
    StandardError.say("\(error)")
    StandardError.flush()
    exit(error is CommandError ? 2 : 1)
}
