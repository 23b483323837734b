import ByteScan

// What is carried from one chunk to the next.
//
// At the end of a chunk there are a block that has not ended and a line that has not ended. If the line turns out to
// have an arrow it may begin a block of its own; otherwise it is the block's. So both are carried, and each is given up
// as soon as it is longer than the limit: nobody will ask for its bytes then.
//
//     block.start           line.start     end of the chunk
//     ├─ at most the limit ─┼─ the same ───┤
extension CueScanner {
    /// Carries what the blocks of later chunks may need of `chunk`, and makes it the chunk before.
    mutating func endChunk(_ chunk: ByteView) {
        let lineStart = startOfLastLine(in: chunk, before: chunk.count)
        rememberFirstLine(before: lineStart, in: chunk)
        let block = document.block
        let isBlockKept = lineStart &- block.start <= limits.largestBlock
        let isLineKept = chunk.count &- lineStart <= limits.largestBlock
        if !isBlockKept { noteExceededLimit(lineNumber: block.lineNumber) }
        carry.keep((isBlockKept ? block.start : lineStart)..<(isLineKept ? chunk.count : lineStart), of: chunk)
        document.line.start = lineStart
        document.pass(chunk)
    }

    private mutating func rememberFirstLine(before lineStart: Int, in chunk: ByteView) {
        let block = document.block
        let isAsked = block.content == .unknown && lineStart > block.start
        document.block.rememberFirstLine(
            number: lineNumberOfBlock(in: chunk), secondLineStart: isAsked ? block.startOfSecondLine(in: chunk) : nil)
    }

    /// Where the last line that begins before `end` does, if no line of the block that is open ends in between.
    func startOfLastLine(in chunk: ByteView, before end: Int) -> Int {
        let blockStart = document.block.start
        if let lineEnd = chunk.lastLineEnd(in: max(blockStart, 0)..<end) { return lineEnd &+ 1 }
        return blockStart >= 0 ? blockStart : document.line.start
    }

    /// The number of the block's first line.
    func lineNumberOfBlock(in chunk: ByteView) -> Int {
        let block = document.block
        if block.start < 0 { return block.lineNumber }
        return document.lines.lineNumber(at: block.start, in: chunk, after: document.lastBytes.1)
    }

    /// Remembers the first block that is longer than the limits allow.
    mutating func noteExceededLimit(lineNumber: Int) {
        guard case .none = document.exceededLimit else { return }
        let error = CueLimitError(
            position: document.position &+ document.block.start, lineNumber: lineNumber,
            largestBlock: limits.largestBlock)
        document.exceededLimit = limits.policy == .fail ? .owed(error) : .noted(error)
    }
}
