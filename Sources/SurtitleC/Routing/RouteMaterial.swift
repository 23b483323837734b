internal import ByteScan
internal import CSurtitle
internal import Delivery
internal import M3U8
internal import Sideload

/// What a plan's resource is made of, as a caller has put it into a struct.
struct RouteMaterial {
    let bytes: [UInt8]
    /// Whether the bytes are a resource already.
    let isReady: Bool
    /// Whether the origin does not have it.
    let isMissing: Bool
    /// Where the bytes came from, if that was said.
    let url: [UInt8]?
    /// How long the track lasts, if that was said.
    let duration: MediaDuration?
    /// The indices of tracks that are left out.
    let leftOut: [Int]

    /// Checks what the caller of a router with so many tracks has said.
    init(_ material: surtitle_material, trackCount: Int) throws(Refusal) {
        let flags = unsafe material.flags
        guard flags <= UInt32(SURTITLE_MATERIAL_READY.rawValue), unsafe material.reserved == 0 else {
            throw Refusal(SURTITLE_INVALID_VALUE)
        }
        isReady = flags == UInt32(SURTITLE_MATERIAL_READY.rawValue)
        isMissing = flags == UInt32(SURTITLE_MATERIAL_MISSING.rawValue)
        bytes = try unsafe Array(ByteView(Arguments.bytes(material.bytes, material.count)))
        url = try unsafe Arguments.bytes(of: material.url)
        let nanoseconds = unsafe material.duration_nanoseconds
        duration = nanoseconds == 0 ? nil : MediaDuration(nanoseconds: nanoseconds)
        let count = unsafe material.left_out_count
        guard count >= 0 else { throw Refusal(SURTITLE_TOO_LONG) }
        var indices: [Int] = []
        if count > 0 {
            guard let start = unsafe material.left_out else { throw Refusal(SURTITLE_NULL_ARGUMENT) }
            for place in 0..<count {
                let index = unsafe start[place]
                guard 0..<trackCount ~= index else { throw Refusal(SURTITLE_INVALID_VALUE).of("left_out", place) }
                if !indices.contains(index) { indices.append(index) }
            }
        }
        leftOut = indices
    }
}

/// A resource, and what there is to say of a playlist that was fetched for it.
struct MadeResource {
    let resource: Resource
    var verdict = PlaylistVerdict.undecided
    var addedBytes = 0
    var exceededLimit: LimitError?

    init(_ resource: Resource) { self.resource = resource }

    init(_ playlist: EditedPlaylist) {
        resource = playlist.resource
        verdict = playlist.verdict
        addedBytes = playlist.addedBytes
        exceededLimit = playlist.exceededLimit
    }
}

extension Router {
    /// What `plan` is for, made of `material`.
    func resource(of plan: RoutePlan, _ material: RouteMaterial) throws(Refusal) -> MadeResource {
        guard plan.givesResource else { throw Refusal(SURTITLE_INVALID_VALUE) }
        if material.isReady { return MadeResource(Resource(material.bytes, plan.contentType)) }
        let made: MadeResource?
        do throws(RouteError) {
            made = material.isMissing ? try substitute(for: plan, material) : try self.made(plan, material)
        } catch {
            throw Refusal(error)
        }
        guard let made else { throw Refusal(SURTITLE_NOT_FOUND) }
        return made
    }

    /// What takes the place of what the origin does not have; nil if the request is to fail.
    private func substitute(for plan: RoutePlan, _ material: RouteMaterial) throws(RouteError) -> MadeResource? {
        switch plan {
        case .fetch(_, .subtitlePlaylist(let track)), .subtitlePlaylist(let track):
            try missingPlaylist(of: track, lasting: duration(of: track, material)).map { MadeResource($0) }
        case .fetch(_, .cues), .subtitleFile, .emptyFile: missingFile().map { MadeResource($0) }
        default: nil
        }
    }

    private func made(_ plan: RoutePlan, _ material: RouteMaterial) throws(RouteError) -> MadeResource? {
        switch plan {
        case .fetch(let origin, let use):
            let url = material.url ?? origin.url
            return switch use {
            case .master: MadeResource(try master(material.bytes, from: url, leavingOut: material.leftOut))
            case .mediaPlaylist: MadeResource(try mediaPlaylist(material.bytes, from: url))
            case .subtitlePlaylist: MadeResource(try givenPlaylist(material.bytes, from: url))
            case .cues: MadeResource(subtitleFile(material.bytes))
            case .key: MadeResource(key(material.bytes))
            }
        case .subtitlePlaylist(let track):
            return MadeResource(try subtitlePlaylist(of: track, lasting: duration(of: track, material)))
        case .subtitleFile: return MadeResource(subtitleFile(material.bytes))
        case .emptyFile: return missingFile().map { MadeResource($0) }
        case .redirect, .decline, .fail: return nil
        }
    }

    /// The duration that was given, or that the configuration says; 0 if nobody knows, which playlists refuse.
    private func duration(of track: Int, _ material: RouteMaterial) -> MediaDuration {
        if let duration = material.duration { return duration }
        let known = tracks.indices.contains(track) ? tracks[track].configuration.duration : nil
        return known.map { MediaDuration($0) } ?? MediaDuration(milliseconds: 0)
    }
}

extension RoutePlan {
    /// What its resource is.
    fileprivate var contentType: ContentType {
        switch self {
        case .fetch(_, .cues), .subtitleFile, .emptyFile: .webVTT
        case .fetch(_, .key): .key
        default: .playlist
        }
    }
}
