// What the delegate takes from Delivery.
package enum RoutePlan { case decline, answer }

package struct RouteRequest {
    package let url: [UInt8] = []
    package init() {}
}

package struct Router {
    package struct Request {
        package let plan = RoutePlan.answer
        package let asked = RouteRequest()
        package init() {}
    }

    package func plan(_ request: RouteRequest) -> RoutePlan { .answer }
}
