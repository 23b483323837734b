import HTTPResponseSideloader

/// What one event loop has counted of requests.
struct ProxyCounts: Sendable {
    /// By the first digit of the status, 1 to 5; 0 for those that got none.
    var responses = [Int](repeating: 0, count: 6)
    var bytes = 0
    var connections = 0
    var cancelled = 0
    var originFailures = 0
    /// Clients and requests that there was no room for.
    var turnedAway = 0

    mutating func add(_ record: RequestRecord) {
        responses[min(record.status / 100, 5)] += 1
        bytes += record.bytes
    }
}

/// What all event loops have counted, as Prometheus reads it.
package struct Metrics: Sendable {
    private var values: [(name: String, help: String, type: String, value: Int)]

    init(_ counts: ProxyCounts, _ playlists: Sideloading.Counts, openConnections: Int) {
        values = (1...5).map {
            ("responses_total{class=\"\($0)xx\"}", "Responses by status.", "counter", counts.responses[$0])
        }
        values += [
            ("origin_bytes_total", "Bytes of bodies, as they came.", "counter", counts.bytes),
            ("connections_total", "Connections of clients.", "counter", counts.connections),
            ("connections_open", "Connections of clients that are open.", "gauge", openConnections),
            ("cancelled_total", "Requests whose client has left.", "counter", counts.cancelled),
            (
                "origin_failures_total", "Requests that the origin did not answer whole.", "counter",
                counts.originFailures
            ),
            ("turned_away_total", "Clients and requests that there was no room for.", "counter", counts.turnedAway),
            ("multivariant_total", "Multivariant playlists that got tracks.", "counter", playlists.multivariant),
            ("uneditable_lines_total", "Variants that could not be edited.", "counter", playlists.uneditableLines),
            ("bailouts_total", "Playlists that exceeded a limit.", "counter", playlists.bailouts),
            ("abandoned_total", "Playlists whose origin broke off.", "counter", playlists.abandoned),
        ]
    }

    static func + (left: Metrics, right: Metrics) -> Metrics {
        var sum = left
        for index in sum.values.indices { sum.values[index].value += right.values[index].value }
        return sum
    }

    /// The text format, version 0.0.4.
    var text: String {
        var text = ""
        var last = ""
        for (name, help, type, value) in values {
            let base = "surtitle_" + name.prefix { $0 != "{" }
            if base != last { text += "# HELP \(base) \(help)\n# TYPE \(base) \(type)\n" }
            text += "surtitle_\(name) \(value)\n"
            last = base
        }
        return text
    }
}
