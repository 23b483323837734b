// What the delegate takes from Delivery.
package enum RoutePlan { case decline, answer }

package struct RouteRequest {
    package let url: [UInt8] = []
    package init() {}
}

package struct LiveRequest {
    package enum Kind { case playlist, segment }

    package let kind = Kind.playlist
}

package struct Router {
    package struct Request {
        package let plan = RoutePlan.answer
        package let asked = RouteRequest()
        package let router = Router()
        package init() {}
    }

    package init() {}

    package func liveRequest(_ request: RouteRequest) -> LiveRequest? { nil }

    package func plan(_ request: RouteRequest) -> RoutePlan { .answer }
}
