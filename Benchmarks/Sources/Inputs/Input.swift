/// A file to measure with: bytes that are made the same way on every machine, in memory that is never given back.
///
/// Closures that are measured keep only the address, so the memory must outlive them.
public final class Input: Sendable {
    /// What tables and files call it.
    public let name: String

    /// The bytes, from the start of a page on.
    public nonisolated(unsafe) let bytes: UnsafeRawBufferPointer

    /// An input of the bytes of `text`.
    public init(name: String, _ text: InputText) {
        self.name = name
        let memory = UnsafeMutableRawBufferPointer.allocate(byteCount: text.bytes.count, alignment: 4096)
        memory.copyBytes(from: text.bytes)
        bytes = UnsafeRawBufferPointer(memory)
    }
}

extension Input {
    /// The most bytes, about, that an input has; to be set before the first is made.
    public nonisolated(unsafe) static var largest = Int.max

    private static func size(_ byteCount: Int) -> Int { min(byteCount, largest) }

    /// The input called `name`.
    private static func named(_ name: String) -> Input {
        guard let maker = makers.first(where: { $0.name == name }) else { fatalError("no input is called \(name)") }
        return maker.make()
    }

    /// Every input by its name, made only when it is asked for: some are of 10 MB.
    public static let makers: [(name: String, make: @Sendable () -> Input)] = [
        ("master_small.m3u8", { Input(name: "master_small.m3u8", .smallMaster()) }),
        ("master_big.m3u8", { Input(name: "master_big.m3u8", .largeMaster(byteCount: size(1_000_000))) }),
        ("media_big.m3u8", { Input(name: "media_big.m3u8", .media(byteCount: size(10_000_000))) }),
        ("ll_media.m3u8", { Input(name: "ll_media.m3u8", .lowLatencyMedia(byteCount: size(100_000))) }),
        ("exchanges.http", { Input(name: "exchanges.http", .exchanges()) }),
        ("cues_small.vtt", { Input(name: "cues_small.vtt", .cues(byteCount: 10 << 10)) }),
        ("cues_big.vtt", { Input(name: "cues_big.vtt", .cues(byteCount: size(10 << 20))) }),
        ("cues_plain.vtt", { Input(name: "cues_plain.vtt", .plainCues(byteCount: size(10 << 20))) }),
        ("plain.srt", { Input(name: "plain.srt", .subRip(byteCount: size(1_000_000), .plain)) }),
        ("returns.srt", { Input(name: "returns.srt", .subRip(byteCount: size(1_000_000), .returns)) }),
        ("markup.srt", { Input(name: "markup.srt", .subRip(byteCount: size(1_000_000), .markup)) }),
        ("chinese.srt", { Input(name: "chinese.srt", .subRip(byteCount: size(1_000_000), .chinese)) }),
        ("live_small.m3u8", { Input(name: "live_small.m3u8", .live(byteCount: 3_000)) }),
        ("live_big.m3u8", { Input(name: "live_big.m3u8", .live(byteCount: size(100_000))) }),
        ("master_field.m3u8", { Input(name: "master_field.m3u8", .fieldMaster()) }),
        ("field_masters.txt", { Input(name: "field_masters.txt", .fieldMasters(count: 200)) }),
        ("field_media.txt", { Input(name: "field_media.txt", .fieldMedia(count: 200)) }),
        ("configuration.json", { Input(name: "configuration.json", .configuration(trackCount: 20)) }),
        ("segment.ts", { Input(name: "segment.ts", .transportStream(byteCount: size(1_000_000))) }),
        ("segment.mp4", { Input(name: "segment.mp4", .fragmentedMovie(byteCount: size(1_000_000))) }),
    ]

    /// A master playlist of some 2.8 KB: 8 variants, 4 audio renditions, 4 I-frame playlists.
    public static let smallMaster = makers[0].make()
    /// A master playlist of 1 MB: some 3600 variants with long absolute URIs.
    public static let largeMaster = makers[1].make()
    /// A media playlist of 10 MB: lines of 30 bytes on average.
    public static let media = makers[2].make()
    /// A low-latency media playlist of 100 KB: twelve parts a segment.
    public static let lowLatencyMedia = makers[3].make()
    /// Heads of requests and responses, of three exchanges.
    public static let exchanges = makers[4].make()
    /// A WebVTT file of 10 KB.
    public static let smallCues = makers[5].make()
    /// A WebVTT file of 10 MB, which ends with the same cue as the small one.
    public static let largeCues = makers[6].make()
    /// A WebVTT file of 10 MB with nothing but times and text.
    public static let plainCues = makers[7].make()
    /// SubRip files of 1 MB: plain, with CRLF, with markup, and in Chinese.
    public static let subRip = makers[8..<12].map { $0.make() }
    /// Live media playlists of 3 and 100 KB.
    public static let liveMedia = makers[12..<14].map { $0.make() }
    /// A master playlist of 3 KB that has subtitles already.
    public static let fieldMaster = named("master_field.m3u8")
    /// 200 master playlists one after the other, of sizes as the field has them; one in four has subtitles.
    public static let fieldMasters = named("field_masters.txt")
    /// 200 media playlists one after the other, of sizes as the field has them.
    public static let fieldMedia = named("field_media.txt")
    /// A configuration with 20 tracks.
    public static let configuration = named("configuration.json")
    /// A segment of MPEG-TS of 1 MB.
    public static let transportStream = named("segment.ts")
    /// A segment of fragmented MP4 of 1 MB, after its initialization segment.
    public static let fragmentedMovie = named("segment.mp4")
}
