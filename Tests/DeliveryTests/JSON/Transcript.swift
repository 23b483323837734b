import ByteScan
import Delivery
import Support

/// What a ``JSONReader`` hands out, in words.
enum Transcript {
    /// The events of `text`, which lies before a page that cannot be read.
    static func events(_ text: [UInt8], _ limits: JSONLimits = JSONLimits()) throws(JSONError) -> [String] {
        let memory = GuardedBytes(text)
        var reader = unsafe JSONReader(ByteView(memory.buffer), limits: limits)
        var events: [String] = []
        while let event = try reader.next() { events.append(words(event)) }
        return events
    }

    /// The error that `text` is refused for, and again if the reader is asked once more; nil if it is accepted.
    static func refusal(_ text: [UInt8], _ limits: JSONLimits = JSONLimits()) -> JSONError? {
        let memory = GuardedBytes(text)
        var reader = unsafe JSONReader(ByteView(memory.buffer), limits: limits)
        while true {
            do throws(JSONError) {
                guard try reader.next() != nil else { return nil }
            } catch {
                do throws(JSONError) {
                    _ = try reader.next()
                    return nil
                } catch let again {
                    return again == error ? error : nil
                }
            }
        }
    }

    /// The events of a tree.
    static func events(_ value: NaiveJSON) -> [String] {
        switch value {
        case .object(let members):
            let inside = members.map { member in ["key " + text(member.key)] + events(member.value) }
            return ["{"] + inside.joined() + ["}"]
        case .array(let values): return ["["] + values.flatMap { events($0) } + ["]"]
        case .string(let scalars): return ["string " + text(scalars)]
        case .number(let spelling): return ["number " + spelling]
        case .truth(let truth): return ["\(truth)"]
        case .null: return ["null"]
        }
    }

    private static func words(_ event: JSONEvent) -> String {
        switch event {
        case .beginObject: "{"
        case .endObject: "}"
        case .beginArray: "["
        case .endArray: "]"
        case .key(let key): "key " + text(Array("\(key)".unicodeScalars))
        case .string(let string): "string " + text(Array("\(string)".unicodeScalars))
        case .number(let number): "number \(number)"
        case .truth(let truth): "\(truth)"
        case .null: "null"
        }
    }

    /// Scalars by number if they are not printable ASCII: two strings can be equal and have different ones.
    private static func text(_ scalars: [Unicode.Scalar]) -> String {
        scalars.map { (" "..."~").contains($0) ? String($0) : "<\(String($0.value, radix: 16))>" }.joined()
    }
}
