internal import Delivery

/// What `surtitle route` prints: a plan as a JSON object.
struct RouteReport {
    private var object = JSONObject()

    /// The object's text.
    var text: String { object.text }

    /// A report of the `plan` that `router` has for `request`.
    init(_ router: Router, _ request: RouteRequest, _ plan: RoutePlan) {
        switch plan {
        case .redirect(let url):
            object.append("plan", "redirect")
            object.append("status", 302)
            // As it stands in Location.
            append("url", url.escapedForURI)
        case .fetch(let origin, let use):
            object.append("plan", "fetch")
            append("url", origin.url)
            var headers = JSONObject()
            for line in origin.headers {
                headers.append(String(decoding: line.name, as: UTF8.self), String(decoding: line.value, as: UTF8.self))
            }
            object.append("headers", json: headers.text)
            append(use)
        case .subtitlePlaylist(let track):
            object.append("plan", "subtitle-playlist")
            append(router.tracks[track], track)
        case .subtitleFile(let track):
            object.append("plan", "subtitle-file")
            append(router.tracks[track], track)
        case .emptyFile(let track):
            object.append("plan", "empty-file")
            object.append("track", track)
        case .decline(let reason):
            object.append("plan", "decline")
            object.append("reason", reason.description)
        case .fail(let error):
            object.append("plan", "fail")
            object.append("error", error.description)
        }
        if request.isProbe, plan.givesResource { object.append("probe", "\(router.policies.probe.name)") }
        object.append("description", plan.description)
    }

    private mutating func append(_ name: String, _ bytes: [UInt8]) {
        object.append(name, String(decoding: bytes, as: UTF8.self))
    }

    private mutating func append(_ use: FetchUse) {
        switch use {
        case .master: object.append("use", "master")
        case .mediaPlaylist: object.append("use", "media-playlist")
        case .playlist: object.append("use", "playlist")
        case .subtitlePlaylist(let track):
            object.append("use", "subtitle-playlist")
            object.append("track", track)
        case .cues: object.append("use", "cues")
        case .key: object.append("use", "key")
        }
    }

    /// What is known of a track for those who fetch it.
    private mutating func append(_ track: RoutedTrack, _ index: Int) {
        object.append("track", index)
        append("name", track.name)
        object.append("type", "\(track.configuration.format.name)")
        if let url = track.url { append("source", url) }
        if let file = track.configuration.file { append("path", Array(file.utf8)) }
        if let file = track.file { append("file", file) }
    }
}
