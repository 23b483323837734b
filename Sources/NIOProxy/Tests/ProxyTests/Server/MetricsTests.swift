import NIOHTTP1
import Testing

@testable import HTTPResponseSideloader
@testable import SurtitleProxy

/// What Prometheus reads.
@Suite struct MetricsTests {
    @Test func everyClassOfStatusIsCounted() {
        var counts = ProxyCounts()
        for status in [0, 101, 204, 206, 302, 404, 416, 503, 599, 999] {
            var record = RequestRecord(HTTPRequestHead(version: .http1_1, method: .GET, uri: "/"))
            record.status = status
            record.bytes = 10
            counts.add(record)
        }
        let metrics = Metrics(counts, Sideloading.Counts(), openConnections: 4)
        let lines = (metrics + metrics).text.split(separator: "\n").filter { !$0.hasPrefix("#") }.map(String.init)
        #expect(
            lines.prefix(5) == [
                "surtitle_responses_total{class=\"1xx\"} 2", "surtitle_responses_total{class=\"2xx\"} 4",
                "surtitle_responses_total{class=\"3xx\"} 2", "surtitle_responses_total{class=\"4xx\"} 4",
                "surtitle_responses_total{class=\"5xx\"} 6",
            ])
        #expect(lines.contains("surtitle_origin_bytes_total 200") && lines.contains("surtitle_connections_open 8"))
    }

    @Test func eachNumberHasItsName() {
        var counts = ProxyCounts()
        (counts.bytes, counts.connections, counts.cancelled, counts.originFailures, counts.turnedAway) = (1, 2, 3, 4, 5)
        var playlists = Sideloading.Counts()
        (playlists.multivariant, playlists.uneditableLines, playlists.bailouts, playlists.abandoned) = (6, 7, 8, 9)
        let lines = Metrics(counts, playlists, openConnections: 10).text.split(separator: "\n").map(String.init)
        #expect(
            lines.prefix(4) == [
                "# HELP surtitle_responses_total Responses by status.", "# TYPE surtitle_responses_total counter",
                "surtitle_responses_total{class=\"1xx\"} 0", "surtitle_responses_total{class=\"2xx\"} 0",
            ])
        #expect(lines.count { $0.hasPrefix("# TYPE ") } == 11 && lines.count { $0.hasSuffix(" gauge") } == 1)
        #expect(
            lines.filter { !$0.hasPrefix("#") }.dropFirst(5) == [
                "surtitle_origin_bytes_total 1", "surtitle_connections_total 2", "surtitle_connections_open 10",
                "surtitle_cancelled_total 3", "surtitle_origin_failures_total 4", "surtitle_turned_away_total 5",
                "surtitle_multivariant_total 6", "surtitle_uneditable_lines_total 7", "surtitle_bailouts_total 8",
                "surtitle_abandoned_total 9",
            ])
    }

    /// Lines of the log are written together, once they are more than 16 KiB or it is time.
    @Test func linesOfTheLogAreWrittenTogether() {
        var written: [Int] = []
        let log = AccessLog { written.append($0.utf8.count) }
        log.flush()
        log.append(String(repeating: "a", count: 16_383))
        log.append("b")
        #expect(written == [])
        log.append("c")
        #expect(written == [16_385] && log.lines == "")
        log.append("d")
        log.flush()
        log.flush()
        #expect(written == [16_385, 1])
    }

    @Test func whatIsLeftOfTheLogIsWritten() {
        var written: [String] = []
        do {
            let log = AccessLog { written.append($0) }
            log.append("a")
        }
        #expect(written == ["a"])
    }
}
