// swift-format-ignore-file: AllPublicDeclarationsHaveDocumentation

internal import ByteScan
public import CSurtitle
internal import Delivery
internal import M3U8
internal import Sideload
internal import WebVTT

/// A router that a caller of the C interface keeps: immutable, and shared by threads.
@safe
final class RouterHandle {
    let router: Router

    private let texts: HandedTexts

    let entry: surtitle_text

    let tracks: [surtitle_routed_track]

    init(_ router: Router) {
        self.router = router
        var texts = HandedTexts()
        unsafe entry = surtitle_text(texts.append(router.entry))
        var tracks: [surtitle_routed_track] = unsafe []
        for track in router.tracks {
            let path = track.configuration.file.map { texts.append(Array(utf8: $0)) }
            unsafe tracks.append(
                surtitle_routed_track(
                    size: 0, format: Int32(track.configuration.format.rawValue),
                    is_redirected: track.isRedirected ? 1 : 0, name: surtitle_text(texts.append(track.name)),
                    url: surtitle_text(track.url.map { texts.append($0) }), path: surtitle_text(path),
                    rendition: surtitle_text(texts.append(track.rendition)),
                    file: surtitle_text(track.file.map { texts.append($0) }),
                    duration_nanoseconds: track.configuration.duration?.nanoseconds ?? 0))
        }
        unsafe self.tracks = unsafe tracks
        self.texts = texts
    }

    fileprivate static func make(json text: UnsafeRawBufferPointer) throws(Refusal) -> RouterHandle {
        let configuration = try refusing(try unsafe Configuration(ByteView(text))) { Refusal(json: $0) }
        return RouterHandle(try refusing(try Router(configuration)) { Refusal(route: $0) })
    }
}

@c @implementation
public func surtitle_router_create(
    _ bytes: UnsafeRawPointer!, _ count: Int, _ router: Place<OpaquePointer?>!, _ error: Place<surtitle_error>!
) -> Int32 {
    unsafe make(router, error, try unsafe RouterHandle.make(json: Arguments.bytes(bytes, count)))
}

@c @implementation
public func surtitle_router_entry(_ router: OpaquePointer!, _ entry: Place<surtitle_text>!) -> Int32 {
    status { () throws(Refusal) in
        let router = try unsafe router.shared(RouterHandle.self)
        try unsafe Arguments.required(entry).pointee = router.entry
        return SURTITLE_OK
    }
}

@c @implementation
public func surtitle_router_track(
    _ router: OpaquePointer!, _ index: Int, _ track: Place<surtitle_routed_track>!
) -> Int32 {
    status { () throws(Refusal) in
        let router = try unsafe router.shared(RouterHandle.self)
        let place = try unsafe Arguments.sizedPlace(track)
        guard unsafe router.tracks.indices.contains(index) else { throw Refusal(SURTITLE_NOT_FOUND) }
        unsafe place.fill(router.tracks[index])
        return SURTITLE_OK
    }
}

@c @implementation
public func surtitle_router_destroy(_ router: OpaquePointer!) { unsafe router.release(RouterHandle.self) }
