import AVFoundation
import Delivery
import Foundation
import Support
import Testing

@testable import SideloadAVFoundation

/// What requests beside a live video share, and what they wait for.
@Suite(.timeLimit(.minutes(1)))
struct LiveWaitingTests {
    private static func job(_ number: Int) -> FetchJob { .livePlaylist([UInt8(number)]) }
    private static func step(_ number: Int) -> Fetch.Step { .answer(.key([UInt8(number)])) }

    /// Each group gets what another one has found once, while it is young.
    @Test func aFindingIsForThoseWhoHaveNotSeenIt() {
        let groups = (0..<3).map { _ in NSObject() }
        let ids = groups.map { ObjectIdentifier($0) }
        var findings = LiveFindings()
        #expect(findings.find(Self.job(1), for: ids[0], since: 0) == nil)
        findings.keep(Self.step(1), of: Self.job(1), at: 10, seenBy: [ids[0]])
        #expect(findings.find(Self.job(1), for: ids[0], since: 0) == nil, "it has brought it")
        #expect(findings.find(Self.job(2), for: ids[1], since: 0) == nil)
        #expect(findings.find(Self.job(1), for: ids[1], since: 10) == nil, "too old")
        let found = findings.find(Self.job(1), for: ids[1], since: 9)
        #expect(found?.step == Self.step(1) && found?.at == 10)
        #expect(findings.find(Self.job(1), for: ids[1], since: 9) == nil, "once")
        #expect(findings.find(Self.job(1), for: ids[2], since: 9) != nil)
        // A newer one takes its place.
        findings.keep(Self.step(2), of: Self.job(1), at: 20, seenBy: [])
        #expect(findings.find(Self.job(1), for: ids[0], since: 0)?.step == Self.step(2))
        #expect(findings.find(Self.job(1), for: ids[0], since: 0) == nil)
        withExtendedLifetime(groups) {}
    }

    /// Of more than four the oldest goes.
    @Test func fourFindingsAreKept() {
        let group = NSObject()
        for count in 1...6 {
            var findings = LiveFindings()
            for number in 1...count { findings.keep(Self.step(number), of: Self.job(number), at: 1, seenBy: []) }
            let kept = (1...count).filter { number in
                findings.find(Self.job(number), for: ObjectIdentifier(group), since: 0)?.step == Self.step(number)
            }
            #expect(kept == Array((1...count).suffix(4)))
        }
        withExtendedLifetime(group) {}
    }

    /// Between what a request has been told and its waiting the lock is free.
    @Test(arguments: [false, true]) func whatHappensJustBeforeSomebodyWaitsIsSeen(_ ends: Bool) async throws {
        let isSoon = try await takes(lessThan: .seconds(2.5)) {
            let (answers, looks) = (Locked<LiveAnswers?>(nil), Locked(0))
            let live = try LiveStage { options in
                let now = options.now
                options.now = {
                    if let answers = answers.withLock({ $0 }), answers.lock.try() {
                        answers.lock.unlock()
                        // The first look is at the beginning of the request, the second before it waits.
                        let count = looks.withLock { looks in
                            looks += 1
                            return looks
                        }
                        if count == 2 { if ends { answers.end() } else { answers.forget() } }
                    }
                    return now()
                }
            }
            live.expectSame(try await live.listing())
            live.pass(3500)
            live.origin.put(.slow(300, .whole(live.version)), at: LiveStage.media)
            answers.withLock { $0 = live.loader.live }
            defer { answers.withLock { $0 = nil } }
            let answer = try #require(await live.stage.requests.load(.toEnd(LiveStage.playlist("en"))).answer)
            #expect(looks.withLock { $0 } >= 2 && (answer.failure == nil) != ends)
            if !ends { live.expectSame(LiveListing(answer.text)) }
        }
        #expect(isSoon, "whoever is not woken waits for 3 s")
    }
}
