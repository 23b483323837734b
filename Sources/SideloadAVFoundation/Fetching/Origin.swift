#if canImport(AVFoundation) && !os(watchOS)
internal import ByteScan
internal import Delivery
internal import Foundation

/// Where playlists, keys and subtitles come from: a transport, told what to ask for.
struct Origin: Sendable {
    /// Something that came whole.
    struct Whole {
        let bytes: [UInt8]
        /// Where it came from, after redirects.
        let url: [UInt8]
    }

    let transport: any SubtitleTransport
    let limits: FetchLimits
    let trace: LoadingTrace

    /// The whole of `request`, which has at most `limit` bytes.
    func whole(_ request: OriginRequest, limit: Int) async throws(SubtitleLoaderError) -> Whole {
        let response = try await response(to: request.url, request.headers.map(\.inWords), limit)
        guard response.status == 200 || response.status == 203 else {
            throw SubtitleLoaderError(.status(response.status), request.url)
        }
        if !response.isDecoded, let coding = response.coding {
            throw SubtitleLoaderError(.encoded(coding), request.url)
        }
        guard !response.isCutOff, response.body.count <= limit else {
            throw SubtitleLoaderError(.tooLong(limit), request.url)
        }
        return Whole(bytes: Array(response.body), url: Array(response.url.absoluteString.utf8))
    }

    /// What `job` finds out or brings. `headers` go along with each of its requests.
    func answer(to job: FetchJob, _ headers: [HeaderLine]) async throws(SubtitleLoaderError) -> FetchAnswer {
        var fetch = Fetch(job, limits: limits)
        while true {
            switch fetch.next() {
            case .answer(let answer): return answer
            case .failure(let error): throw SubtitleLoaderError(.fetch(error), error.url)
            case .request(let request):
                let fields = request.fields.map {
                    (name: "\($0.name)", value: String(decoding: $0.value, as: UTF8.self))
                }
                let response: TransportResponse
                do throws(SubtitleLoaderError) {
                    response = try await self.response(
                        to: request.url, headers.map(\.inWords) + fields, request.byteLimit)
                } catch {
                    // The machine knows better what that means. But who is cancelled asks for nothing more.
                    if Task.isCancelled { throw error }
                    fetch.fail()
                    continue
                }
                feed(response, to: &fetch)
            }
        }
    }

    private func feed(_ response: TransportResponse, to fetch: inout Fetch) {
        var fields = HeaderFields()
        for field in response.fields { fields.append(field.name, field.value) }
        let url = Array(response.url.absoluteString.utf8)
        let head = FetchResponse(status: response.status, url: url, isDecoded: response.isDecoded)
        guard fetch.begin(head, fields) == .more else { return }
        guard unsafe response.body.withUnsafeBytes({ unsafe fetch.write($0) }) == .more else { return }
        if response.isCutOff { fetch.fail() } else { fetch.finish() }
    }

    private func response(
        to url: [UInt8], _ fields: [(name: String, value: String)], _ limit: Int
    ) async throws(SubtitleLoaderError) -> TransportResponse {
        guard let address = URL(keeping: url) else { throw SubtitleLoaderError(.noURL, url) }
        // One more byte shows that there are more than the limit.
        let (oneMore, isTooLarge) = limit.addingReportingOverflow(1)
        trace.note(.fetching, url)
        do {
            return try await transport.response(
                to: TransportRequest(address, fields: fields, byteLimit: isTooLarge ? limit : oneMore))
        } catch {
            throw SubtitleLoaderError(.noAnswer(error), url)
        }
    }
}

extension HeaderLine {
    fileprivate var inWords: (name: String, value: String) {
        (String(decoding: name, as: UTF8.self), String(decoding: value, as: UTF8.self))
    }
}

extension TransportResponse {
    /// How the body is encoded, if it is.
    fileprivate var coding: String? {
        fields.first { $0.name.lowercased() == "content-encoding" && $0.value.lowercased() != "identity" }?.value
    }
}
#endif
