import ByteScan

// What the samples take from the program around them.

/// A connection to a player.
@safe
struct Connection {
    /// Sends a range of the chunk at hand.
    func forward(_ range: Range<Int>) {}
    func send(_ bytes: UnsafeRawBufferPointer) {}
    func send(_ piece: OutputPiece) {}
    func send(_ bytes: [UInt8]) async throws {}
}

/// A file that is being written.
@safe
struct File {
    func append(_ bytes: [UInt8]) {}
    func append(_ bytes: UnsafeRawBufferPointer) {}
}

/// Where files are made.
struct Storage {
    func create(_ name: String) -> File { File() }
}

/// What a program reads chunk by chunk.
struct ChunkSource {
    mutating func next() -> [UInt8]? { nil }
}

/// The head of a request or a response.
struct MessageHead {
    let method = "GET"
    let target = "/"
    let status = 200
    var headers: [(name: String, value: String)] = []

    mutating func apply<Edit>(_ edit: Edit) {}
}

/// A client of HTTP.
struct Client {
    /// What it gets.
    struct Response {
        let status = 200
        let url: [UInt8]? = nil
        let isWhole = true
        let header: [(name: String, value: String)] = []

        mutating func next() -> [UInt8]? { nil }
    }

    func send<Request>(_ request: Request) -> Response { Response() }
    func run<Wanted, Request, Step>(_ wanted: Wanted, for request: Request) async -> Step { fatalError() }
}

/// What reads media segments.
struct MediaReader {
    func firstTimestamp<Wanted>(of wanted: Wanted) async throws -> UInt64 { 0 }
}

// What a proxy does with a response.
func forward() {}
func rewrite(holdingUpTo limit: Int = 0) {}
func lookAtFirstBytes() {}
func sendAgain() {}

/// What plays.
struct Player {
    func open(_ url: [UInt8]) {}
}

/// A player's request as a resource loader or a proxy has it.
struct PlayersCall {
    let url: [UInt8] = []
    let offset: Int64 = 0
    let length = 2
    let toEnd = false
    let wantsInformation = true

    func redirect(_ url: [UInt8]) {}
    func leaveToOthers() {}
    func fail(_ error: any Error) {}
    func respond<Answer>(_ answer: Answer, _ bytes: [UInt8]) {}
}
