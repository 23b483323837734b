internal import ByteScan
public import CSurtitle
internal import Delivery
internal import M3U8
internal import Sideload
internal import WebVTT

/// A router that a caller of the C interface keeps: immutable, and shared by threads.
final class RouterHandle {
    /// Where the texts of a track are among those that are handed out.
    private struct Places {
        let name: Range<Int>
        let url: Range<Int>?
        let path: Range<Int>?
        let rendition: Range<Int>
        let file: Range<Int>?
    }

    let router: Router

    private let texts: HandedTexts
    private let entry: Range<Int>
    private let places: [Places]

    /// It does not throw: Embedded Swift leaks an object whose initializer does.
    private init(_ router: Router) {
        self.router = router
        var texts = HandedTexts()
        entry = texts.append(router.entry)
        var places: [Places] = []
        for track in router.tracks {
            places.append(
                Places(
                    name: texts.append(track.name), url: track.url.map { texts.append($0) },
                    path: track.configuration.file.map { texts.append(Array(utf8: $0)) },
                    rendition: texts.append(track.rendition),
                    file: track.file.map { texts.append($0) }))
        }
        self.places = places
        self.texts = texts
    }

    /// The router that a JSON text describes.
    static func make(_ text: ByteView) throws(Refusal) -> RouterHandle {
        let configuration: Configuration
        do throws(ConfigurationError) {
            configuration = try Configuration(text)
        } catch {
            throw Refusal(error)
        }
        do throws(RouteError) {
            return RouterHandle(try Router(configuration))
        } catch {
            throw Refusal(error)
        }
    }

    /// The URL that the player begins with.
    func entryText() -> surtitle_text { unsafe texts.text(entry) }

    /// Fills all but the size of a track's struct.
    func fill(_ place: UnsafeMutablePointer<surtitle_routed_track>, at index: Int) throws(Refusal) {
        guard places.indices.contains(index) else { throw Refusal(SURTITLE_NOT_FOUND) }
        let (track, texts) = (router.tracks[index], places[index])
        unsafe place.pointee.format = Int32(track.configuration.format.rawValue)
        unsafe place.pointee.is_redirected = track.isRedirected ? 1 : 0
        unsafe place.pointee.name = self.texts.text(texts.name)
        unsafe place.pointee.url = self.texts.text(texts.url)
        unsafe place.pointee.path = self.texts.text(texts.path)
        unsafe place.pointee.rendition = self.texts.text(texts.rendition)
        unsafe place.pointee.file = self.texts.text(texts.file)
        unsafe place.pointee.duration_nanoseconds = track.configuration.duration?.nanoseconds ?? 0
    }
}

/// `surtitle_router_create` of surtitle.h.
@c @implementation
public func surtitle_router_create(
    _ bytes: UnsafePointer<UInt8>!, _ count: Int, _ router: UnsafeMutablePointer<OpaquePointer?>!,
    _ error: UnsafeMutablePointer<surtitle_error>!
) -> Int32 {
    unsafe make(router, error) { () throws(Refusal) in
        let text = try unsafe Arguments.bytes(bytes, count)
        return try unsafe RouterHandle.make(ByteView(text))
    }
}

/// `surtitle_router_entry` of surtitle.h.
@c @implementation
public func surtitle_router_entry(_ router: OpaquePointer!, _ entry: UnsafeMutablePointer<surtitle_text>!) -> Int32 {
    status { () throws(Refusal) in
        let router = try unsafe router.shared(RouterHandle.self)
        let place = try unsafe Arguments.place(entry)
        unsafe place.pointee = router.entryText()
        return SURTITLE_OK.code
    }
}

/// `surtitle_router_track` of surtitle.h.
@c @implementation
public func surtitle_router_track(
    _ router: OpaquePointer!, _ index: Int, _ track: UnsafeMutablePointer<surtitle_routed_track>!
) -> Int32 {
    status { () throws(Refusal) in
        let router = try unsafe router.shared(RouterHandle.self)
        let place = try unsafe Arguments.sizedPlace(track)
        try unsafe router.fill(place, at: index)
        return SURTITLE_OK.code
    }
}

/// `surtitle_router_destroy` of surtitle.h.
@c @implementation
public func surtitle_router_destroy(_ router: OpaquePointer!) { unsafe router.release(RouterHandle.self) }
