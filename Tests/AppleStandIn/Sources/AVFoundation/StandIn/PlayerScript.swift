import Foundation

/// What a player asks for, one thing after the other.
package struct PlayerScript: Sendable, CustomStringConvertible {
    package enum Step: Sendable {
        /// Asks, and waits for the answer.
        case load(Load)
        /// Asks for all of these at once, and waits for all answers.
        case together([Load])
        /// Asks, and cancels so many microseconds later. At 0 the delegate has had the request, and no time for an answer.
        case cancelled(Load, after: Int = 0)
        /// Asks again for what has grown old.
        case renewal(Load)
        /// Waits for so many milliseconds.
        case pause(Int)
    }

    package let description: String
    package let steps: [Step]

    package init(_ description: String, _ steps: [Step]) {
        self.description = description
        self.steps = steps
    }

    /// Everything that has been seen of AVPlayer, for a resource that has `length` bytes where it comes from.
    package static func seen(_ url: URL, length: Int) -> [PlayerScript] {
        let probe = Step.load(.probe(url))
        return [
            PlayerScript(
                "two bytes, the unedited length, the largest to the end",
                [probe, .load(.bytes(url, 0, length)), .load(.toEnd(url))]),
            PlayerScript("the probe and at once to the end (iOS 13)", [.together([.probe(url), .toEnd(url)])]),
            PlayerScript(
                "the same several times (iOS 16)",
                [.together([.probe(url), .probe(url), .probe(url)]), .load(.toEnd(url)), .load(.toEnd(url))]),
            PlayerScript(
                "information again, and none on the second request",
                [.load(.toEnd(url).withInformation), .load(.toEnd(url)), probe]),
            PlayerScript(
                "past the end", [probe, .load(.bytes(url, Int64(length) * 4, 100)), .load(.bytes(url, .max, .max))]),
            PlayerScript(
                "cancelled, then the same at another offset",
                [
                    probe, .cancelled(.toEnd(url)), .load(.bytes(url, 5, 7)), .cancelled(.bytes(url, 5, 7)),
                    .load(.toEnd(url, from: 12)),
                ]),
            PlayerScript(
                "a live playlist every target duration",
                [
                    probe, .load(.toEnd(url)), .pause(5), .load(.toEnd(url)), .pause(5),
                    .renewal(.toEnd(url).withInformation),
                ]),
            PlayerScript(
                "in pieces", [probe] + stride(from: 0, to: length, by: 61).map { .load(.bytes(url, Int64($0), 61)) }),
        ]
    }

    /// Key before and after segments.
    package static func keys(_ key: URL, segments: [URL]) -> [PlayerScript] {
        let segments = segments.map { Step.load(.toEnd($0)) }
        let key = [Step.load(.probe(key)), .load(.bytes(key, 0, 16))]
        return [
            PlayerScript("the key before the segments", key + segments),
            PlayerScript("the key after the segments", segments + key),
            PlayerScript("the key between the segments", segments.prefix(1) + key + segments.dropFirst()),
        ]
    }

    /// Anything, of any of these resources.
    package static func random(_ urls: [URL], seed: UInt64, count: Int) -> PlayerScript {
        var random = SplitMix(seed)
        func load() -> Load {
            let url = urls[random.next(below: urls.count)]
            var load =
                random.next(below: 3) == 0
                ? Load.toEnd(url) : Load.bytes(url, 0, random.next(below: 3) == 0 ? .max : random.next(below: 900))
            load.offset = random.next(below: 3) == 0 ? Int64(random.next(below: 900)) : 0
            if random.next(below: 30) == 0 { load.offset = .max - Int64(random.next(below: 3)) }
            if random.next(below: 3) == 0 { load = .probe(url) }
            load.wantsInformation = load.wantsInformation || random.next(below: 4) == 0
            return load
        }
        let steps = (0..<count).map { _ -> Step in
            switch random.next(below: 10) {
            case 0..<4: .load(load())
            case 4..<7: .together((0...random.next(below: 4)).map { _ in load() })
            case 7..<9: .cancelled(load(), after: random.next(below: 4) * 100)
            default: .renewal(load())
            }
        }
        return PlayerScript("seed \(seed)", steps)
    }

    /// Plays it. The answers come in the order of the requests; all have been given when this returns.
    package func play(on loader: AVAssetResourceLoader) async -> [(load: Load, outcome: LoadOutcome)] {
        var played: [(Load, LoadOutcome)] = []
        for step in steps {
            switch step {
            case .load(let load): played.append((load, await loader.load(load)))
            case .renewal(let load): played.append((load, await loader.renew(load).outcome()))
            case .together(let loads):
                let pending = loads.map(loader.begin)
                for (load, one) in zip(loads, pending) { played.append((load, await one.outcome())) }
            case .cancelled(let load, let microseconds):
                let pending = loader.begin(load)
                if microseconds > 0 { try? await Task.sleep(for: .microseconds(microseconds)) }
                pending.cancel()
                played.append((load, await pending.outcome()))
            case .pause(let milliseconds): try? await Task.sleep(for: .milliseconds(milliseconds))
            }
        }
        return played
    }
}
