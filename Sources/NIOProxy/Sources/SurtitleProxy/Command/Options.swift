import Delivery
import Encodings
import NIOCore
import Sideload

/// What the command line says.
public struct Options: Sendable {
    package static let usage = """
        usage: surtitle-proxy --origin URL [--listen HOST:PORT] [--track SPEC]… [--config FILE.json] [OPTION]…
               surtitle-proxy --config FILE.json

        Everything is the origin's, with the tracks in every multivariant playlist. With a "base" in FILE.json it answers below that, as
        surtitle route tells, and needs no origin.

          --origin URL        http or https; with the path of a playlist, the URL to open is that playlist's
          --listen HOST:PORT  127.0.0.1:8080 unless said otherwise; port 0 is any that is free; 0.0.0.0 and [::] need --url
          --track SPEC        a track, as surtitle takes it: uri=…,language=…,name=…,default,file=…
          --config FILE.json  tracks and settings, as surtitle takes them; read again on SIGHUP
          --from-encoding NAME  what files of this machine are in that do not begin with a byte order mark, if not UTF-8
          --url URL           what clients call the proxy, if not by where it listens: http://media.example; host for what Host says
          --cors ORIGIN       pages of this origin read what the proxy makes, or those of any: https://player.example, *
          --cues-token FILE   whoever sends cues must know what FILE has, or SURTITLE_CUES_TOKEN; needed where others than this machine reach it
          --low-latency HOW   mirror: renditions beside a live stream have its parts; strip: neither they nor the video have any; mirror
          --hold-back N       players are told of a live stream's last N segments later, so that cues which come late are in time
          --metrics HOST:PORT  metrics are there and nowhere else
          --ca FILE           who signs the certificates of https origins (PEM), if not one that the system trusts
          --pass              everything passes as it is, for comparison
          --threads N         as many as there are cores unless said otherwise
          --quiet             no line for each request on standard error
          --patience SECONDS  for the origin's answer, and for anything to go on; for all of it beside a live stream; 30
          --keep-alive SECONDS  for a client's next request, until its head is whole; 75
          --upload SECONDS    for a request's body, however fast it comes; 300
          --total SECONDS     for a request and its answer together, however fast they come and go; 3600
          --connections N     clients that are served at once; 4096
          --origin-connections N  connections to origins at once; 4096
          --buffers MB        what is held for clients, all of them together; 16
          --grace SECONDS     for requests under way, on SIGTERM; 10

        Metrics are at /.surtitle/metrics, of a proxy that listens elsewhere than on loopback only where --metrics says. SIGHUP reads FILE.json
        again; if it is refused, the one before stays.
        """

    package var settings = ProxyServer.Settings()
    var origin: OriginURL?
    var tracks: [TrackConfiguration] = []
    var configuration: String?
    /// What files of this machine are in that do not begin with a byte order mark; nil for UTF-8.
    var encoding: TextEncoding?
    /// What `--url` says.
    var url: ClientURL?
    /// The file of the token that senders of cues must know.
    var cuesToken: String?
    private var isListenGiven = false

    /// By what name clients call the proxy.
    enum ClientURL {
        /// This one, a URL without a path.
        case fixed(String)
        /// What each request's Host says.
        case ofRequest
    }

    /// Reads what comes after the command's name.
    public init(_ arguments: [String]) throws(CommandError) {
        var rest = arguments[...]
        while let option = rest.popFirst() {
            switch option {
            case "--pass": settings.isPassing = true
            case "--quiet": settings.isLogging = false
            default:
                guard let value = rest.popFirst() else {
                    throw CommandError("\(option) is unknown, or its value is missing")
                }
                try read(option, value)
            }
        }
        if settings.isPassing, origin == nil { throw CommandError("--pass needs --origin URL") }
        guard origin != nil || configuration != nil else { throw CommandError("--origin URL is missing") }
    }

    /// Listens where the configuration's base is, unless it was said where.
    mutating func listen(at base: OriginURL) {
        guard !isListenGiven else { return }
        settings.listen = ListenPlace(host: base.address.host, port: base.address.port)
    }

    private mutating func read(_ option: String, _ value: String) throws(CommandError) {
        switch option {
        case "--origin":
            origin = OriginURL(value)
            if origin == nil { throw CommandError("--origin \(value): no http or https URL with a host") }
        case "--listen":
            settings.listen = try Self.place(option, value)
            isListenGiven = true
        case "--metrics": settings.metrics = try Self.place(option, value)
        case "--track":
            do {
                tracks.append(try TrackConfiguration(spec: value))
            } catch {
                throw CommandError("--track \(value): \(error)")
            }
        case "--config": configuration = value
        case "--from-encoding":
            do {
                encoding = try TextEncoding(value)
            } catch {
                throw CommandError("--from-encoding: \(error)")
            }
        case "--url":
            guard value != "host" else { return url = .ofRequest }
            guard let root = OriginURL(value)?.root else {
                throw CommandError("--url \(value): no http or https URL with a host, and not host")
            }
            url = .fixed(root)
        case "--cors":
            guard value == "*" || OriginURL(value).map({ $0.root == value.lowercased() }) == true else {
                throw CommandError("--cors \(value): give an origin, like https://player.example, or *")
            }
            settings.pages = value
        case "--low-latency":
            guard let how = ["mirror": LiveConfiguration.LowLatency.mirror, "strip": .strip][value] else {
                throw CommandError("--low-latency \(value): give mirror or strip")
            }
            settings.playlistEdits.lowLatency = how
        case "--hold-back": settings.playlistEdits.heldBack = try Self.count(option, value, most: 100)
        case "--ca": settings.authorities = value
        case "--cues-token": cuesToken = value
        case "--threads":
            settings.threads = try Self.count(option, value)
        case "--patience": settings.limits.patience = try Self.time(option, value)
        case "--keep-alive": settings.limits.keepAlive = try Self.time(option, value)
        case "--upload": settings.limits.upload = try Self.time(option, value)
        case "--total": settings.limits.total = try Self.time(option, value)
        case "--connections": settings.connections = try Self.count(option, value)
        case "--origin-connections": settings.originConnections = try Self.count(option, value)
        case "--buffers": settings.bufferedBytes = try Self.count(option, value, most: 1 << 20) << 20
        case "--grace": settings.limits.grace = try Self.time(option, value)
        default: throw CommandError("\(option) is unknown")
        }
    }

    private static func place(_ option: String, _ value: String) throws(CommandError) -> ListenPlace {
        guard let (host, port) = OriginURL.split(value[...]), let port else {
            throw CommandError("\(option) \(value): give HOST:PORT")
        }
        return ListenPlace(host: host, port: port)
    }

    private static func count(
        _ option: String, _ value: String, most: Int = 1 << 30
    ) throws(CommandError) -> Int {
        guard let count = Int(value), 1...most ~= count else {
            throw CommandError("\(option) \(value): give a number above 0")
        }
        return count
    }

    private static func time(_ option: String, _ value: String) throws(CommandError) -> TimeAmount {
        guard let seconds = Double(value), seconds > 0, seconds < 1e6 else {
            throw CommandError("\(option) \(value): give a number of seconds above 0")
        }
        return .nanoseconds(Int64(seconds * 1e9))
    }
}
