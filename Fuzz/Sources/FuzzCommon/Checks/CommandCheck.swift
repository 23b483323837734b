import Sideload
import surtitle

/// Every line of the text as a description of a track, and all of them together as the words of a command line.
enum CommandCheck {
    static func run(_ input: inout FuzzInput, _ faults: inout Faults) {
        let lines = String(decoding: input.text, as: UTF8.self)
            .split(separator: "\n", omittingEmptySubsequences: false).map { String($0) }
        for line in lines.prefix(8) { checkTrack(line, &faults) }
        checkList(Array(lines.prefix(24)), &faults)
    }

    /// A track has what its description says, each key once.
    private static func checkTrack(_ text: String, _ faults: inout Faults) {
        let items = TrackConfiguration.items(of: Array(text.utf8)).map { String(decoding: $0, as: UTF8.self) }
        if !items.contains(where: { $0.utf8.contains(UInt8(ascii: "\\")) }) {
            let escaped = items.map { $0.pieces(at: ",").joined(separator: "\\,") }.joined(separator: ",")
            let again = TrackConfiguration.items(of: Array(escaped.utf8))
            faults.expect(again.map { String(decoding: $0, as: UTF8.self) }, is: items, "\(text), cut and put together")
        }
        do throws(Failure) {
            let spec = try TrackConfiguration(option: text, number: 7)
            let track = spec.track
            func value(_ key: String) -> String? {
                items.first { $0.utf8.starts(with: "\(key)=".utf8) }
                    .map { String(decoding: $0.utf8.dropFirst(key.utf8.count + 1), as: UTF8.self) }
            }
            func same(_ left: String?, _ right: String?) -> Bool {
                left.map { Array($0.utf8) } == right.map { Array($0.utf8) }
            }
            // A path comes first, and tells what the keys after it leave open.
            let first = items.first.flatMap { $0.utf8.contains(UInt8(ascii: "=")) ? nil : $0 }
            let path = try first.flatMap { item throws(Failure) -> TrackConfiguration? in
                TrackKey.all.contains { "\($0.name)" == item }
                    ? nil : try TrackConfiguration(option: item.pieces(at: ",").joined(separator: "\\,"), number: 7)
            }
            func isSet(_ flag: String, _ isTold: Bool?) -> Bool {
                items.contains(flag) || value(flag) == "yes" || (isTold == true && value(flag) != "no")
            }
            if let uri = value("uri") ?? path?.track.uri {
                faults.expect(same(track.uri, uri), "uri of \(text)")
            } else {
                // It is made of the name of the file, or of what the cues are in.
                let isTold = value("file") != nil || value("cues") != nil
                let isName = track.uri.utf8.count > 4 && track.uri.hasSuffix(".vtt") && !track.uri.contains("/")
                faults.expect(isTold && isName, "uri of \(text), which is \(track.uri)")
            }
            faults.expect(same(spec.cues, value("cues")), "cues of \(text)")
            faults.expect(spec.followsLiveStreams, is: value("live") != "no", "live of \(text)")
            faults.expect(same(track.language, value("language") ?? path?.track.language), "language of \(text)")
            faults.expect(same(track.associatedLanguage, value("assoc-language")), "assoc-language of \(text)")
            faults.expect(same(spec.file, value("file") ?? path?.file), "file of \(text)")
            faults.expect(same(track.groupID, value("group")), "group of \(text)")
            faults.expect(same(track.stableRenditionID, value("stable-id")), "stable-id of \(text)")
            faults.expect(value("name").map { same(track.name, $0) } ?? !track.name.isEmpty, "name of \(text)")
            faults.expect(track.isDefault, is: isSet("default", path?.track.isDefault), "default of \(text)")
            faults.expect(track.isForced, is: isSet("forced", path?.track.isForced), "forced of \(text)")
            faults.expect(track.isAutoselected, is: value("autoselect") != "no", "autoselect of \(text)")
            let isSDH = isSet("sdh", path?.track.isSDH) || value("kind") == "captions"
            faults.expect(track.isSDH, is: isSDH, "sdh of \(text)")
        } catch {
            faults.expect(error.message?.utf8.starts(with: "track 7: ".utf8) == true && error.status == 2, "\(error)")
        }
    }

    /// `--name=value` is `--name value`, if it can be written so.
    private static func checkList(_ words: [String], _ faults: inout Faults) {
        var isOpen = true
        let separated = words.flatMap { word -> [String] in
            if word == "--" { isOpen = false }
            guard isOpen, word.utf8.starts(with: "--".utf8), let (name, value) = word.cut(at: "="), name != "--",
                !value.isEmpty, value == "-" || value.utf8.first != UInt8(ascii: "-")
            else { return [word] }
            return [name, value]
        }
        let whole = events(of: words)
        // A word that is an option's value is not looked into.
        if whole.last != "refused" { faults.expect(events(of: separated), is: whole, "\(words)") }
    }

    /// What a list hands out: operands, and options with their values.
    private static func events(of words: [String]) -> [String] {
        var events: [String] = []
        var list = ArgumentList(words, of: "edit")
        do throws(Failure) {
            while let argument = try list.next() {
                switch argument {
                case .operand(let word): events.append("operand \(word)")
                case .option(let name): events.append("option \(name) \(try list.value())")
                }
            }
        } catch {
            events.append("refused")
        }
        return events
    }
}
