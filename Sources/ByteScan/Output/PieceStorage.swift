/// The pieces of an output, and the blocks in which its own bytes lie.
///
/// It may cross threads: it only changes while one output alone keeps it.
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

    /// How many bytes a block has.
    let blockSize: Int

    private var entries = ReusableBuffer<Entry>()
    private var blocks: [Block] = []
    /// How many blocks hold something.
    private var usedBlocks = 0

    /// How many bytes the pieces have together.
    private(set) var byteCount = 0

    init(blockSize: Int) { self.blockSize = blockSize }

    deinit {
        for block in blocks { unsafe block.memory.deallocate() }
    }

    var count: Int { entries.count }

    subscript(index: Int) -> OutputPiece {
        let entry = entries[index]
        guard let base = unsafe entry.base else { return .chunk(entry.offset..<(entry.offset &+ entry.count)) }
        return unsafe .own(UnsafeRawBufferPointer(start: base, count: entry.count))
    }

    func removeAll() {
        entries.removeAll()
        usedBlocks = 0
        byteCount = 0
    }

    /// Adds the range of `count` bytes at `offset` of the chunk.
    func append(chunkAt offset: Int, count: Int) {
        unsafe entries.append(Entry(base: nil, offset: offset, count: count))
        byteCount &+= count
    }

    /// Adds the bytes in `memory`, which is part of a block.
    func append(_ memory: UnsafeRawBufferPointer) {
        guard let base = memory.baseAddress, memory.count > 0 else { return }
        unsafe entries.append(Entry(base: base, offset: 0, count: memory.count))
        byteCount &+= memory.count
    }

    /// The next block, with nothing in it.
    func nextBlock() -> UnsafeMutableRawBufferPointer {
        if usedBlocks == blocks.count {
            unsafe blocks.append(Block(memory: .allocate(byteCount: blockSize, alignment: 64)))
        }
        usedBlocks &+= 1
        return unsafe blocks[usedBlocks &- 1].memory
    }
}
