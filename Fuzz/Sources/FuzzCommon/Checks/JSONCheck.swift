import ByteScan
import Delivery
import Support

/// 1. The naive form accepts the same texts and reads the same of them.  2. What a plain writer prints of an accepted text reads the
/// same.  3. A refusal is at a place within the text, and so is that of a configuration.  4. A byte or an array beyond a limit is
/// refused, none before.
enum JSONCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let text = input.text
        // One choice in four is a depth of few, the others never matter.
        let depth = input.choices.flag() && input.choices.flag() ? input.choices.number(upTo: 4) + 1 : 512
        let naive = NaiveJSON(text, depth: depth)
        let limits = JSONLimits(bytes: max(text.count, 1), depth: depth)
        do throws(JSONError) {
            let value = try JSONTree.read(text, limits)
            guard value == naive else { return faults.add("law 1: \(value), naive \(String(describing: naive))") }
            let printed = Array(value.text.utf8)
            let again = try? JSONTree.read(printed, JSONLimits(bytes: max(printed.count, 1), depth: depth))
            faults.expect(again == value, "law 2: \(value.text)")
            checkLength(text, &faults)
        } catch {
            faults.expect(naive == nil, "law 1: refused, \(error)")
            checkPlace(error.location, in: text, "\(error)", &faults)
        }
        checkConfiguration(text, isJSON: NaiveJSON(text, depth: 32) != nil, &faults)
    }

    private static func checkLength(_ text: [UInt8], _ faults: inout Faults) {
        guard text.count > 1 else { return }
        do throws(JSONError) {
            _ = try JSONTree.read(text, JSONLimits(bytes: text.count - 1, depth: 512))
            faults.add("law 4: not too long")
        } catch {
            faults.expect(error.reason == .length, "law 4: \(error)")
        }
    }

    /// The place is in the text, and its line and column are those that a naive count gives.
    private static func checkPlace(
        _ place: JSONLocation, in text: [UInt8], _ words: String, _ faults: inout Faults
    ) {
        guard (0...text.count).contains(place.position) else { return faults.add("law 3: outside, \(words)") }
        var before = Array(text[..<place.position])
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { before.removeFirst(min(3, before.count)) }
        // With the line feed that is still to come a carriage return makes one end, so it is a character of the line here.
        let isBetween = before.last == 0x0D && place.position < text.count && text[place.position] == 0x0A
        if isBetween { before[before.count - 1] = 0x20 }
        let lines = Mutator.lines(of: before)
        let ended = lines.count { $0.last == 0x0A || $0.last == 0x0D }
        let rest = ended == lines.count ? [] : lines.last ?? []
        faults.expect(place.line, is: ended + 1, "law 3: the line, \(words)")
        faults.expect(place.column, is: rest.count { $0 & 0xC0 != 0x80 } + 1, "law 3: the column, \(words)")
    }

    /// What is no JSON is no configuration, and a configuration that is accepted can be used.
    private static func checkConfiguration(_ text: [UInt8], isJSON: Bool, _ faults: inout Faults) {
        do throws(ConfigurationError) {
            let configuration = try Configuration(text)
            faults.expect(isJSON, "law 1: a configuration that is no JSON")
            faults.expect((try? configuration.recipe()) != nil, "edits are accepted and then refused")
            faults.expect(
                configuration.uris.isEmpty == (configuration.uris.mapping() == nil),
                "URIs are accepted and then refused")
            checkRouter(configuration, &faults)
        } catch {
            checkPlace(error.location, in: text, "\(error)", &faults)
            faults.expect(!isJSON || error.reason.json == nil, "law 1: JSON, but \(error)")
        }
    }
}

extension JSONCheck {
    /// A router is made of the configuration, or refused in words.
    private static func checkRouter(_ configuration: Configuration, _ faults: inout Faults) {
        do throws(RouteError) {
            let router = try Router(configuration)
            faults.expect(router.plan(RouteRequest(router.entry)).description != "", "an entry without a plan")
        } catch {
            faults.expect(!error.description.isEmpty, "a router is refused without words")
        }
    }
}

/// What a ``JSONReader`` hands out, as the naive form's tree.
enum JSONTree {
    static func read(_ text: [UInt8], _ limits: JSONLimits) throws(JSONError) -> NaiveJSON {
        let memory = GuardedBytes(text)
        var reader = unsafe JSONReader(ByteView(memory.buffer), limits: limits)
        var builder = Builder()
        while let event = try reader.next() { builder.take(event) }
        return builder.root ?? .null
    }

    private struct Builder {
        private enum Open {
            case array([NaiveJSON])
            case object([NaiveJSON.Member], key: [Unicode.Scalar])
        }

        var root: NaiveJSON?
        private var open: [Open] = []

        mutating func take(_ event: JSONEvent) {
            switch event {
            case .beginArray: open.append(.array([]))
            case .beginObject: open.append(.object([], key: []))
            case .key(let key):
                if case .object(let members, _) = open.popLast() {
                    open.append(.object(members, key: Self.scalars(key)))
                }
            case .endArray: if case .array(let values) = open.popLast() { add(.array(values)) }
            case .endObject: if case .object(let members, _) = open.popLast() { add(.object(members)) }
            case .string(let text): add(.string(Self.scalars(text)))
            case .number(let number): add(.number(String(describing: number)))
            case .truth(let truth): add(.truth(truth))
            case .null: add(.null)
            }
        }

        private mutating func add(_ value: NaiveJSON) {
            switch open.popLast() {
            case .array(let values): open.append(.array(values + [value]))
            case .object(let members, let key): open.append(.object(members + [.init(key, value)], key: key))
            case nil: root = value
            }
        }

        private static func scalars(_ text: ByteView) -> [Unicode.Scalar] {
            unsafe Array(String(decoding: text.buffer, as: UTF8.self).unicodeScalars)
        }
    }
}
