public import Inputs

/// One row of the table: a job that the library does, what it is measured against, and the ratio it must reach.
public struct Row {
    /// What `--row` and `--once` call it.
    public let key: String
    /// What is done, for the table.
    public let work: String
    /// What it is done to.
    public let input: Input
    /// What is done for comparison, for the table.
    public let reference: String
    /// The largest ratio of the library's time to the reference's, or nil if the row is only for information.
    public let limit: Double?
    /// Whether the job looks at a part of the input only, so that bytes a second would say nothing.
    public var isLocal = false
    /// How many bytes one time goes over; nil for the whole input.
    public var bytesEach: Int?
    /// Whether the job is done by several threads: ``LongestThread`` measures it then, and its heap blocks are not
    /// gated.
    public var isParallel = false
    /// Whether its instructions are counted: not where threads share the work, nor where it differs from another row in
    /// the caches alone.
    public var isCounted = true
    /// Whether the job makes its output anew each time: its heap blocks are not gated then.
    public var makesOutput = false
    /// Does the library's job that many times, and returns a number that depends on it.
    ///
    /// Each run makes its own objects of the library and uses them again each time.
    public let run: (_ times: Int) -> UInt64
    /// The same with the input in small chunks, so that lines are cut and have to be carried.
    public let runInChunks: (_ times: Int) -> UInt64
    /// Does the reference's job so many times.
    public let runReference: (_ times: Int) -> UInt64
    /// Does the job once and says what is wrong with the result, or nil.
    public let fault: () -> String?
    /// For a job that needs only the end of the input, how much of it.
    public var reach: Reach?

    /// How many bytes of the input's end a job needs.
    public struct Reach {
        /// How many it may need.
        public let limit: Int
        /// How many it needs, or nil if they are more.
        public let measure: () -> Int?
    }
}

extension Row {
    /// Whether what is remembered must have its full size before a row is measured, so that no more memory is asked
    /// for. To be set before the first row is made; under callgrind the 4,000 versions of a live playlist that it takes
    /// would last for minutes.
    public nonisolated(unsafe) static var beginsSteady = true

    /// The reference's work on `input`, once for each time asked.
    static func repeating(_ work: @escaping () -> UInt64) -> (Int) -> UInt64 {
        { times in
            var sum: UInt64 = 0
            for _ in 0..<times { sum &+= work() }
            return sum
        }
    }
}
