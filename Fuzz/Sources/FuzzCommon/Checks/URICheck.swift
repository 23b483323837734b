import ByteScan
import Drivers
import M3U8
import Support

/// URIs parsed, resolved and edited as RFC 3986 says, alone and on every line of a playlist. The first line is a base.
enum URICheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let end = input.text.firstIndex(of: ASCII.lineFeed) ?? input.text.count
        let base = Array(input.text[..<end])
        let rest = Array(input.text[min(end + 1, input.text.count)...])
        var naive = NaiveMapping()
        if input.choices.flag() { naive.base = NaiveURI(base) }
        if input.choices.flag() { naive.scheme = Array("skd".utf8) }
        if input.choices.flag() { naive.host = Array("[::1]".utf8) }
        let query = input.choices.byte()
        if query & 1 == 1 { naive.queryItem = Array("k=v".utf8) }
        if query & 2 == 2 { naive.otherScheme = Array("sKd".utf8) }
        if query & 4 == 4 { naive.host = Array("c.example:8080".utf8) }
        let edits = try? URIEdits(
            scheme: naive.scheme, replacing: naive.otherScheme, host: naive.host, queryItem: naive.queryItem)
        guard let edits else { return faults.add("the edits are refused") }
        for line in rest.split(separator: ASCII.lineFeed).prefix(6) + [base[...]] {
            check(Array(line), base, naive, edits, &faults)
        }
        guard let mapping = try? URIMapping(base: naive.base.map { _ in base }, edits: edits) else {
            let isGood = NaiveURI(base).scheme != nil && !NaiveMapping.isData(base)
            let isPlain = base.allSatisfy { $0 > 0x20 && $0 < 0x7F && !"\"<>\\^`{|}".utf8.contains($0) }
            return faults.expect(!(isGood && isPlain), "\(String(decoding: base, as: UTF8.self)) is refused as a base")
        }
        checkPlaylist(Array("#EXTM3U\n".utf8) + rest, mapping, naive, &input.choices, &faults)
    }

    private static func check(
        _ text: [UInt8], _ base: [UInt8], _ naive: NaiveMapping, _ edits: URIEdits, _ faults: inout Faults
    ) {
        let guarded = GuardedBytes(text)
        defer { withExtendedLifetime(guarded) {} }
        let reference = URIReference(ByteView(guarded.buffer))
        let parts = NaiveURI(text)
        func part(_ range: Range<Int>?) -> [UInt8]? { range.map { Array(text[$0]) } }
        let name = String(decoding: text, as: UTF8.self)
        faults.expect(part(reference.scheme), is: parts.scheme, "scheme of \(name)")
        faults.expect(part(reference.authority), is: parts.authority, "authority of \(name)")
        faults.expect(part(reference.path), is: parts.path, "path of \(name)")
        faults.expect(part(reference.query), is: parts.query, "query of \(name)")
        faults.expect(part(reference.fragment), is: parts.fragment, "fragment of \(name)")
        faults.expect(
            part(reference.host), is: parts.authority.map { Array($0[NaiveMapping.host(in: $0)]) }, "host of \(name)")
        faults.expect(reference.isData, is: NaiveMapping.isData(text), "data: \(name)")
        var output = ReusableBuffer<UInt8>()
        edits.write(reference, into: &output)
        faults.expect(Array(output.view), is: naive.edited(text), "\(name) edited")
        output.removeAll()
        let guardedBase = GuardedBytes(base)
        defer { withExtendedLifetime(guardedBase) {} }
        reference.writeResolved(against: URIReference(ByteView(guardedBase.leadingBuffer)), into: &output)
        let expected = NaiveMapping.resolved(text, against: NaiveURI(base))
        faults.expect(
            Array(output.view), is: expected, "\(name) seen from \(String(decoding: base, as: UTF8.self))")
    }

    /// The mapper does what the naive rewriter does, wherever the playlist is cut.
    private static func checkPlaylist(
        _ text: [UInt8], _ mapping: URIMapping, _ naive: NaiveMapping, _ choices: inout Choices, _ faults: inout Faults
    ) {
        let split = choices.split(of: text.count)
        let limits = URIMapper.Limits(
            heldVariables: choices.flag() ? 256 << 10 : choices.number(upTo: 255) * 16,
            longestURI: choices.flag() ? 64 << 10 : choices.number(upTo: 255))
        let byName = choices.flag() ? named : [:]
        let changes = byName.flatMap { tag, operations in operations.map { $0.edit(of: tag) } }
        guard let edits = try? PlaylistEdits(changes, observing: URIMapping.tags, selectsURIs: true) else {
            return faults.add("the mapping's tags are refused")
        }
        // The naive forms edit text.
        let isText = String(validating: text + (naive.base?.text ?? []), as: UTF8.self) != nil
        var expected = isText ? naiveOutput(text, naive, limits, byName) : nil
        var mapper = URIMapper(mapping, limits: limits)
        for split in [[0..<text.count], split] {
            let output = RewriterRun.output(of: edits, text, split) { line, edits in mapper.map(line, &edits) }
            faults.expect(output, is: expected ?? output, "mapped, \(Faults.words(split))")
            expected = output
            checkAtOnce(text, split, edits, mapping, limits, output, mapper, &faults)
            mapper.reset()
        }
    }

    /// What is mapped at once is what `mapper`, shown every line, has made `output` of.
    private static func checkAtOnce(
        _ text: [UInt8], _ split: [Range<Int>], _ edits: PlaylistEdits, _ mapping: URIMapping,
        _ limits: URIMapper.Limits, _ output: [UInt8], _ mapper: borrowing URIMapper, _ faults: inout Faults
    ) {
        let window = GuardedWindow(capacity: text.count)
        var rewriter = PlaylistRewriter(edits, limits: LineLimits(longestLine: .max))
        var atOnce = URIMapper(mapping, limits: limits)
        let run = RewriterRun(of: &rewriter, on: text, split: split, in: window, mapping: &atOnce)
        faults.add(run.faults, in: split)
        faults.expect(run.answer.bytes, is: output, "mapped at once, \(Faults.words(split))")
        faults.expect(atOnce.mappedURIs, is: mapper.mappedURIs, "URIs mapped at once, \(Faults.words(split))")
        faults.expect(atOnce.firstUnresolvedURI, is: mapper.firstUnresolvedURI, "unresolved, \(Faults.words(split))")
    }

    private static func naiveOutput(
        _ text: [UInt8], _ mapping: NaiveMapping, _ limits: URIMapper.Limits,
        _ byName: [String: [NaiveRewriter.Operation]]
    ) -> [UInt8] {
        var oracle = URIOracle(mapping: mapping, limits: limits, byName: byName)
        var rewriter = NaiveRewriter { line in oracle.decision(line) }
        rewriter.longestLine = .max
        return rewriter.rewrite(text).bytes
    }

    /// What the caller asks for by name, which wins over the mapping.
    private static let named: [String: [NaiveRewriter.Operation]] = [
        "EXT-X-KEY": [.set(name: "URI", value: "\"named\"")], "EXT-X-MEDIA": [.remove(name: "URI")],
        "EXT-X-PREFETCH": [.set(name: "A", value: "1")], "EXT-X-DEFINE": [.replace(name: "VALUE", value: "\"named\"")],
    ]
}

/// What becomes of the lines of a playlist, one after the other.
private struct URIOracle {
    let mapping: NaiveMapping
    let limits: URIMapper.Limits
    let byName: [String: [NaiveRewriter.Operation]]
    private var variables = NaiveDefinitions()
    private var hasStopped = false

    init(mapping: NaiveMapping, limits: URIMapper.Limits, byName: [String: [NaiveRewriter.Operation]]) {
        self.mapping = mapping
        self.limits = limits
        self.byName = byName
    }

    mutating func decision(_ line: NaivePlaylist.Line) -> NaiveRewriter.Decision? {
        if hasStopped { return nil }
        if line.isURI {
            // What looks like a comment after white space is no URI.
            let first = line.content.first { !NaiveAttributes.isSpace($0) }
            return first == ASCII.hash ? nil : replacement(of: line, value: line.content)
        }
        guard let name = line.tagName.map({ String(decoding: $0, as: UTF8.self) }) else { return nil }
        if let operations = byName[name] { return .attributes(operations) }
        switch name {
        case "EXT-X-DEFINE":
            hasStopped = !variables.note(line, upTo: limits.heldVariables)
            return nil
        case "EXT-X-PREFETCH", "EXT-X-TWITCH-PREFETCH": return replacement(of: line, value: line.value ?? [])
        default: return operations(on: line, Self.attributes[name] ?? [])
        }
    }

    /// The line with a mapped URI in the place of `value`, which ends it, without the white space and the CRs around
    /// it.
    private mutating func replacement(of line: NaivePlaylist.Line, value: [UInt8]) -> NaiveRewriter.Decision? {
        let leading = value.prefix(while: NaiveAttributes.isSpace)
        let trailing = value.reversed().prefix { NaiveAttributes.isSpace($0) || $0 == ASCII.carriageReturn }.reversed()
        guard leading.count + trailing.count < value.count else { return nil }
        guard let mapped = map(Array(value[leading.count..<(value.count - trailing.count)])) else { return nil }
        // A line cannot be replaced by two.
        if mapped.contains(ASCII.carriageReturn) { return nil }
        return .replaceLine(line.content.dropLast(value.count) + leading + mapped + trailing)
    }

    private mutating func operations(on line: NaivePlaylist.Line, _ names: [String]) -> NaiveRewriter.Decision? {
        let items = NaiveAttributes.items(of: line.list)
        var operations: [NaiveRewriter.Operation] = []
        for name in names {
            guard let item = items.first(where: { $0.name == Array(name.utf8) }) else { continue }
            let uri = item.content
            guard let mapped = map(uri) else { return nil }
            let value = [ASCII.quote] + mapped + [ASCII.quote]
            // A value that breaks the list is not written.
            let fits =
                NaiveAttributes.isClosed(value) && NaiveAttributes.pieces(of: value).count == 1
                && !value.contains(ASCII.carriageReturn)
            if mapped != uri, fits {
                operations.append(.replace(name: name, value: String(decoding: value, as: UTF8.self)))
            }
        }
        return .attributes(operations)
    }

    /// What `uri` becomes, or nil if a limit is exceeded: then nothing more is done.
    private mutating func map(_ uri: [UInt8]) -> [UInt8]? {
        let mapped = mapping.map(uri, with: variables, upTo: limits.longestURI)
        hasStopped = mapped == nil
        return mapped
    }

    private static let attributes = [
        "EXT-X-KEY": ["URI"], "EXT-X-MAP": ["URI"], "EXT-X-MEDIA": ["URI"], "EXT-X-I-FRAME-STREAM-INF": ["URI"],
        "EXT-X-SESSION-KEY": ["URI"], "EXT-X-SESSION-DATA": ["URI"], "EXT-X-PART": ["URI"],
        "EXT-X-PRELOAD-HINT": ["URI"], "EXT-X-RENDITION-REPORT": ["URI"], "EXT-X-IMAGE-STREAM-INF": ["URI"],
        "EXT-X-CONTENT-STEERING": ["SERVER-URI"], "EXT-X-DATERANGE": ["X-ASSET-URI", "X-ASSET-LIST"],
    ]
}
