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
}
