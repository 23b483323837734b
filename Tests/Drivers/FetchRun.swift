import ByteScan
import Delivery
import Support

/// A job of fetching that was driven to its end, against origins in memory.
public struct FetchRun {
    /// What was asked for, in order.
    public private(set) var requests: [FetchRequest] = []
    /// The answer or the failure.
    public private(set) var result: Fetch.Step
    /// The most bytes that were held.
    public private(set) var mostHeld = 0
    /// The most bytes of one body that were taken before no more were wanted.
    public private(set) var mostTaken = 0

    /// What an origin answers, and from where.
    public struct Reply {
        /// The response; nil if nobody answers.
        public var response: NaiveOrigin.Response?
        /// Where it came from, after redirects.
        public var url: [UInt8]?
        /// Whether whoever fetches has undone the coding.
        public var isDecoded = false

        /// A reply.
        public init(_ response: NaiveOrigin.Response?, from url: [UInt8]? = nil, isDecoded: Bool = false) {
            self.response = response
            self.url = url
            self.isDecoded = isDecoded
        }
    }

    /// Drives `job`; `reply` answers each request, and `split` cuts a body of so many bytes. What is to be decrypted `decrypt` decrypts,
    /// if it is given. `learnsWhatStays` is that of the fetch.
    ///
    /// Gives up after 1000 requests, with the last one as the result.
    public init(
        _ job: FetchJob, limits: FetchLimits = FetchLimits(), reply: (FetchRequest) -> Reply,
        split: (Int) -> [Range<Int>] = { [0..<$0] }, decrypt: ((Decryption) -> [UInt8]?)? = nil,
        learnsWhatStays: Bool = false
    ) {
        var fetch = Fetch(job, limits: limits)
        fetch.learnsWhatStays = learnsWhatStays
        fetch.decrypts = decrypt != nil
        var fields = HeaderFields()
        result = fetch.next()
        loop: while requests.count < 1000 {
            switch result {
            case .request(let request):
                requests.append(request)
                Self.feed(&fetch, &fields, reply(request), split) { taken, held in
                    mostTaken = max(mostTaken, taken)
                    mostHeld = max(mostHeld, held)
                }
            case .decrypt(let decryption): fetch.take(decrypted: decrypt?(decryption))
            case .answer, .failure: break loop
            }
            result = fetch.next()
        }
        mostHeld = max(mostHeld, fetch.heldBytes)
    }

    private static func feed(
        _ fetch: inout Fetch, _ fields: inout HeaderFields, _ reply: Reply, _ split: (Int) -> [Range<Int>],
        _ note: (_ taken: Int, _ held: Int) -> Void
    ) {
        guard let response = reply.response else { return fetch.fail() }
        fields.removeAll()
        for field in response.header { fields.append(field.name, field.value) }
        var need = fetch.begin(
            FetchResponse(status: response.status, url: reply.url, isDecoded: reply.isDecoded), fields)
        var taken = 0
        for range in split(response.body.count) where need == .more {
            need = response.body[range].withUnsafeBytes { unsafe fetch.write($0) }
            taken += range.count
            note(taken, fetch.heldBytes)
        }
        guard need == .more else { return }
        if response.isWhole { fetch.finish() } else { fetch.fail() }
    }
}
