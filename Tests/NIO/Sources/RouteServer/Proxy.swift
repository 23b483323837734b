import Delivery
import Foundation

/// Answers the requests of players by what the router plans.
struct Proxy: Sendable {
    let router: Router
    /// What stands before the path of every address. The request's Host does not count.
    let authority: String

    /// Answers the one request of a connection.
    func serve(_ connection: Socket) {
        guard let head = MessageHead(connection) else { return }
        let words = head.start.split(separator: " ")
        guard words.count == 3, words[1].hasPrefix("/") else {
            connection.send(Array("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\n\r\n".utf8))
            return
        }
        let answer = answer(String(words[0]), String(words[1]), head.fields.map { HeaderLine($0.name, $0.value) })
        // Pages of other ports play what comes from here.
        let own = [HeaderLine("Connection", "close"), HeaderLine("Access-Control-Allow-Origin", "*")]
        var bytes = Array("HTTP/1.1 \(answer.status) \(answer.status < 400 ? "OK" : "Error")\r\n".utf8)
        for line in answer.headers + own { bytes += line.name + Array(": ".utf8) + line.value + [13, 10] }
        connection.send(bytes + [13, 10] + answer.body)
    }

    private func answer(_ method: String, _ target: String, _ headers: [HeaderLine]) -> HTTPAnswer {
        var request = RouteRequest(authority + target)
        request.headers = headers
        let plan = router.plan(request)
        FileHandle.standardError.write(Data("\(method) \(target): \(plan)\n".utf8))
        if let answer = plan.httpAnswer { return answer }
        let client = OriginClient(router: router, player: request)
        do {
            return HTTPAnswer(try resource(plan, client), to: Array(method.utf8), headers)
        } catch let error as FetchError {
            guard let instead = router.resource(insteadOf: plan) else { return HTTPAnswer(error) }
            return HTTPAnswer(instead, to: Array(method.utf8), headers)
        } catch let error as RouteError {
            return HTTPAnswer(error)
        } catch {
            return .notFound
        }
    }

    /// There is nothing at the origin that the plan could be made of.
    private struct Nothing: Error {}

    private func resource(_ plan: RoutePlan, _ client: OriginClient) throws -> Resource {
        guard let job = router.job(for: plan) else {
            if case .fetch(let origin, .key) = plan, let bytes = client.whole(origin.url) { return router.key(bytes) }
            guard let resource = router.resource(insteadOf: plan) else { throw Nothing() }
            return resource
        }
        let answer = try client.answer(to: job)
        var missing: [Int] = []
        if case .fetch(_, .master) = plan { missing = missingTracks(client) }
        return try router.resource(for: plan, from: answer, leavingOut: missing)
    }

    private func missingTracks(_ client: OriginClient) -> [Int] {
        router.presenceJobs.compactMap { index, job in
            do throws(FetchError) {
                _ = try client.answer(to: job)
                return nil
            } catch {
                return error.reason.category == .missing ? index : nil
            }
        }
    }
}
