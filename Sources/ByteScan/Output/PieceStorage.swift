/// The pieces of an output, and the blocks in which its own bytes lie.
///
/// It may cross threads: it only changes while one output alone keeps it. For the same reason accesses need no check
/// that they are exclusive, which would take longer than most of them.
@safe
@usableFromInline
final class PieceStorage: @unchecked Sendable {
    /// A range of the chunk, or bytes of a block.
    @safe
    private struct Entry: BitwiseCopyable {
        /// Where the bytes lie; nil if they are the chunk's.
        let base: UnsafeRawPointer?
        /// Where they are in the chunk; 0 if they are not.
        let offset: Int
        let count: Int
    }

    /// Memory for pieces.
    @safe
    private struct Block {
        let memory: UnsafeMutableRawBufferPointer
    }

    /// All that changes.
    private struct Contents: ~Copyable {
        var entries = ReusableBuffer<Entry>()
        var blocks: [Block] = []
        /// How many blocks hold something.
        var usedBlocks = 0
        /// Memory that is lent for a call and comes before the blocks; none once the call has begun.
        var lent = unsafe Block(memory: UnsafeMutableRawBufferPointer(start: nil, count: 0))
        /// How many bytes it holds.
        var lentCount = 0
        /// How many bytes the pieces have together.
        var byteCount = 0
    }

    /// How many bytes a block has.
    let blockSize: Int

    @exclusivity(unchecked) private var contents = Contents()

    init(blockSize: Int) { self.blockSize = blockSize }

    deinit {
        for block in unsafe contents.blocks { unsafe block.memory.deallocate() }
    }

    var count: Int { unsafe contents.entries.count }

    /// How many bytes the pieces have together.
    var byteCount: Int { unsafe contents.byteCount }

    subscript(index: Int) -> OutputPiece {
        let entry = unsafe contents.entries[index]
        guard let base = unsafe entry.base else { return .chunk(entry.offset..<(entry.offset &+ entry.count)) }
        return unsafe .own(UnsafeRawBufferPointer(start: base, count: entry.count))
    }

    func removeAll() {
        unsafe contents.entries.removeAll()
        unsafe contents.usedBlocks = 0
        unsafe contents.byteCount = 0
        unsafe contents.lentCount = 0
    }

    /// Adds the range of `count` bytes at `offset` of the chunk.
    func append(chunkAt offset: Int, count: Int) {
        unsafe contents.entries.append(Entry(base: nil, offset: offset, count: count))
        unsafe contents.byteCount &+= count
    }

    /// Adds the bytes in `memory`, which is part of a block, or of what is lent.
    func append(_ memory: UnsafeRawBufferPointer) {
        guard let base = memory.baseAddress, memory.count > 0 else { return }
        unsafe contents.entries.append(Entry(base: base, offset: 0, count: memory.count))
        unsafe contents.byteCount &+= memory.count
        if unsafe contents.usedBlocks == 0 { unsafe contents.lentCount &+= memory.count }
    }

    /// How many bytes are in memory that was lent.
    var lentCount: Int { unsafe contents.lentCount }

    /// Has the next call write to `memory` first.
    func lend(_ memory: UnsafeMutableRawBufferPointer) { unsafe contents.lent = unsafe Block(memory: memory) }

    /// Whether memory is lent.
    var hasLoan: Bool { unsafe contents.lent.memory.count > 0 }

    /// What is lent, which is so no more.
    func takeLoan() -> UnsafeMutableRawBufferPointer {
        defer { unsafe lend(UnsafeMutableRawBufferPointer(start: nil, count: 0)) }
        return unsafe contents.lent.memory
    }

    /// Whether there is memory from calls before.
    var hasBlocks: Bool { unsafe !contents.blocks.isEmpty }

    /// The next block, with nothing in it.
    func nextBlock() -> UnsafeMutableRawBufferPointer {
        if unsafe contents.usedBlocks == contents.blocks.count {
            unsafe contents.blocks.append(Block(memory: .allocate(byteCount: blockSize, alignment: 64)))
        }
        unsafe contents.usedBlocks &+= 1
        return unsafe contents.blocks[contents.usedBlocks &- 1].memory
    }
}
