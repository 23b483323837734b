public import Sideload

/// What a router is made of.
public struct RouterConfiguration: Sendable {
    /// The multivariant playlist's URL at the origin: http or https, with a host.
    public var master: [UInt8]

    /// The tracks. Relative URIs are relative to the multivariant playlist. There may be none.
    public var tracks: [TrackConfiguration] = []

    /// How each kind of request is answered.
    public var policies = RoutePolicies()

    /// What the player sees in place of the origin's URLs.
    public var addresses = RouteAddresses()

    /// The app's own header fields for requests to the origin, as far as ``RoutePolicies/appHeaders-swift.property`` lets them go. They take the place of the player's of the same name.
    public var headers: [HeaderLine] = []

    /// How much may be remembered of a playlist that is edited.
    public var limits = SideloadLimits()

    /// Whether a track that is the default replaces the playlist's own.
    public var replacesDefault = false

    /// A configuration with the documented defaults.
    public init(master: [UInt8], tracks: [TrackConfiguration] = []) {
        self.master = master
        self.tracks = tracks
    }

    /// A configuration with the documented defaults.
    public init(master: String, tracks: [TrackConfiguration] = []) {
        self.init(master: Array(master.utf8), tracks: tracks)
    }

    /// What a configuration in JSON says.
    ///
    /// The `map` of a configuration that has none is none: a map costs the fetch of a segment, and files that could stay as they are.
    ///
    /// - Throws: ``RouteError`` if it has no `master`.
    public init(_ configuration: Configuration) throws(RouteError) {
        guard let master = configuration.master else { throw RouteError(.noMaster) }
        self.init(master: master, tracks: configuration.tracks)
        policies = configuration.policies
        if configuration.keys.contains(.map) {
            switch configuration.map {
            case .auto: policies.map = .automatic
            case .none: policies.map = .none
            case .given(let map): policies.map = .given(map)
            }
        }
        addresses = configuration.addresses
        headers = configuration.headers
        limits = configuration.limits
        replacesDefault = configuration.replacesDefault
    }
}
