import Delivery
import Foundation

// RouteServer FILE.json: a small proxy over the router, for the checks in real players.
//
// FILE.json is what `surtitle route --config` reads, with a "base" on loopback, below which this serves. What a request gets is decided by
// Delivery alone. Here is only what moves bytes: connections of players (main.swift), what one request gets (Proxy.swift), and requests to
// the origin (OriginClient.swift). It says on standard output with which URL a player begins, on standard error what was planned for
// each request, and ends with SIGTERM.

signal(SIGPIPE, SIG_IGN)
signal(SIGTERM) { _ in _exit(0) }

func end(_ why: String) -> Never {
    FileHandle.standardError.write(Data("RouteServer: \(why)\n".utf8))
    exit(1)
}

guard CommandLine.arguments.count == 2 else { end("give one file with a configuration") }
guard let text = FileManager.default.contents(atPath: CommandLine.arguments[1]) else {
    end("\(CommandLine.arguments[1]) cannot be read")
}
let router: Router
do {
    router = try Router(RouterConfiguration(Configuration(Array(text))))
} catch {
    end("\(error)")
}
let entry = String(decoding: router.entry, as: UTF8.self)
guard let place = LoopbackURL(entry) else { end("the configuration needs a \"base\" such as http://127.0.0.1:8080/") }
guard let listener = Socket.listen(port: place.port) else { end("port \(place.port) cannot be had") }
let proxy = Proxy(router: router, authority: "http://\(place.host):\(place.port)")
FileHandle.standardOutput.write(Data("\(entry)\n".utf8))

while true {
    guard let connection = Socket.accept(listener) else { continue }
    Thread.detachNewThread { proxy.serve(connection) }
}
