internal import ByteScan
internal import M3U8

// The state of a stream as flat bytes: for processes that answer beside each other, of which one may have ended since.
//
//     "SLST" version   times   fetches under way   refusals   what is wanted   the channel's state (LiveChannel+State)
//
// What is wanted is a few URIs of segments: a channel alone is told them anew by the next version, and here nobody
// should have to fetch one for that. To change the form: raise `version`.
extension LiveStream {
    private static var version: UInt64 { 1 }
    /// The most of each that a state may have: more than there ever are.
    private static var mostEntries: Int { 1024 }

    /// Makes `bytes` the state, with which ``init(playlist:restoring:_:)`` goes on exactly, if times go on to be of the
    /// same clock.
    ///
    /// - Throws: ``LiveError`` of ``LiveError/Reason/stateTooLong(limit:)``; then `bytes` is empty.
    public borrowing func save(into bytes: inout [UInt8]) throws(LiveError) {
        try channel.save(into: &bytes)
        var writer = LiveStateWriter(bytes: [])
        writer.bytes.reserveCapacity(bytes.count + 256)
        writer.bytes += ByteView("SLST")
        writer.append(Self.version)
        writer.append(ifThere: freshAt)
        writer.append(ifThere: failure?.at)
        writer.append(failure?.status ?? 0)
        writer.append(fetchCount)
        source.withView { writer.append($0) }
        writer.append(running.count)
        for running in running {
            writer.append(running.fetch.number)
            writer.append(signed: running.began)
            writer.append(UInt64(running.life))
            writer.append(ifThere: running.segment.map { Int64(clamping: $0) })
            writer.append(running.directives == nil ? 0 : 1)
            guard let directives = running.directives else { continue }
            (directives.segment ?? []).withView { writer.append($0) }
            (directives.part ?? []).withView { writer.append($0) }
        }
        writer.append(refusals.count)
        for refusal in refusals {
            writer.append(refusal.fetch.number)
            writer.append(refusal.status ?? 0)
        }
        writer.append(channel.wants.count)
        for want in channel.wants {
            writer.append(want.segment)
            writer.append(want.media.part)
            writer.append(want.initialization == nil ? 0 : 1)
            if let initialization = want.initialization { writer.append(initialization.part) }
        }
        bytes.withView { writer.append($0) }
        swap(&writer.bytes, &bytes)
        guard bytes.count <= channel.configuration.limits.state else {
            bytes.removeAll()
            throw LiveError(reason: .stateTooLong(limit: channel.configuration.limits.state), position: 0)
        }
    }

    /// The stream that ``save(into:)`` has saved, with the same URL and configuration.
    ///
    /// - Throws: ``LiveError``, if the bytes are no such state.
    public init(playlist: [UInt8], restoring bytes: RawSpan, _ configuration: LiveConfiguration) throws(LiveError) {
        let limit = configuration.limits.state
        var reader = LiveStateReader(unsafe bytes.withUnsafeBytes { unsafe ByteView($0) })
        guard bytes.byteCount <= limit, try reader.hasMark("SLST"), try reader.number() == Self.version else {
            throw reader.fail()
        }
        let freshAt = try reader.ifThere(within: 1 << 60)
        let failedAt = try reader.ifThere(within: 1 << 60)
        let status = try reader.count(atMost: 999)
        let fetchCount = try reader.number(below: 1 << 62)
        let source = try reader.bytes(atMost: limit)
        var running: [Running] = []
        for _ in 0..<(try reader.count(atMost: Self.mostEntries)) { running.append(try reader.running()) }
        var refusals: [(fetch: LiveFetch, status: Int?)] = []
        for _ in 0..<(try reader.count(atMost: Self.mostRefusals)) {
            let fetch = LiveFetch(number: try reader.number())
            let status = try reader.count(atMost: 999)
            refusals.append((fetch, status == 0 ? nil : status))
        }
        var wants: [LiveWant] = []
        for _ in 0..<(try reader.count(atMost: Self.mostEntries)) { wants.append(try reader.want()) }
        let state = try reader.text(atMost: limit)
        guard reader.isAtEnd else { throw reader.fail() }
        self.init(playlist: playlist, try unsafe LiveChannel(restoring: state.buffer, configuration))
        channel.wants = wants
        (self.freshAt, self.fetchCount, self.source) = (freshAt, fetchCount, source)
        (self.running, self.refusals) = (running, refusals)
        failure = failedAt.map { ($0, status) }
    }
}

extension LiveStateWriter {
    fileprivate mutating func append(_ part: MediaPart) {
        part.uri.withView { append($0) }
        append(ifThere: part.range.map { Int64($0.lowerBound) })
        append(part.range?.count ?? 0)
        switch part.encryption {
        case .none: append(0)
        case .aes128(let key):
            append(1)
            key.uri.withView { append($0) }
            key.vector.withView { append($0) }
        case .other: append(2)
        }
    }
}

extension LiveStateReader {
    fileprivate mutating func hasMark(_ mark: StaticString) throws(LiveError) -> Bool {
        for expected in ByteView(mark) where try byte() != expected { return false }
        return true
    }

    fileprivate mutating func bytes(atMost limit: Int) throws(LiveError) -> [UInt8] { Array(try text(atMost: limit)) }

    fileprivate mutating func running() throws(LiveError) -> LiveStream.Running {
        let fetch = LiveFetch(number: try number())
        let began = try signed(within: 1 << 60)
        let life = UInt32(try number(below: 1 << 32))
        let segment = try ifThere(within: 1 << 62).map { UInt64(clamping: $0) }
        var directives: LiveDirectives?
        if try flag() {
            let (segment, part) = (try bytes(atMost: 20), try bytes(atMost: 20))
            directives = LiveDirectives(segment: 0)
            directives?.segment = segment.isEmpty ? nil : segment
            directives?.part = part.isEmpty ? nil : part
        }
        return LiveStream.Running(fetch: fetch, segment: segment, directives: directives, began: began, life: life)
    }

    fileprivate mutating func want() throws(LiveError) -> LiveWant {
        let segment = try number(below: 1 << 62)
        let media = LiveWant.Part(try part())
        return LiveWant(segment: segment, media: media, initialization: try flag() ? LiveWant.Part(try part()) : nil)
    }

    private mutating func part() throws(LiveError) -> MediaPart {
        let uri = try bytes(atMost: .max)
        let start = try ifThere(within: 1 << 61)
        let count = try count(atMost: .max)
        var range: Range<Int>?
        if let start {
            // An Int may have 32 bits.
            guard let first = Int(exactly: start), first >= 0, count > 0, count <= .max - first else { throw fail() }
            range = first..<(first + count)
        }
        switch try number(below: 3) {
        case 0: return MediaPart(uri: uri, range: range)
        case 1:
            let key = MediaKey(uri: try bytes(atMost: .max), vector: try bytes(atMost: 16))
            guard key.vector.count == 16 else { throw fail() }
            return MediaPart(uri: uri, range: range, encryption: .aes128(key))
        default: return MediaPart(uri: uri, range: range, encryption: .other)
        }
    }
}
