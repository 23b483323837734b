/// Where a client has come in.
enum Door: Equatable, Sendable {
    /// Where everything is served.
    case clients
    /// Where nothing but metrics and health is, by these names.
    case metrics(HostNames)
}
