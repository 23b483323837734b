// Structs of surtitle.h, as C lays them out on WebAssembly: each field at a multiple of its own size.
//
//     const Piece = struct("bytes:pointer count:size chunk_offset:i64");
//     Piece.size                                  // 16
//     Piece.write(view, address, { count: 3n })   // what is not named is 0, and `size` is the struct's own
//     Piece.read(view, address)                   // { bytes, count, chunk_offset }
//
// A text is a pointer and a count, [0, 0] if it is not given.

const TYPES = {
  i32: [4, (view, at) => view.getInt32(at, true), (view, at, value) => view.setInt32(at, value, true)],
  u32: [4, (view, at) => view.getUint32(at, true), (view, at, value) => view.setUint32(at, value, true)],
  i64: [8, (view, at) => Number(view.getBigInt64(at, true)), (view, at, value) => view.setBigInt64(at, BigInt(value), true)],
  u64: [8, (view, at) => Number(view.getBigUint64(at, true)), (view, at, value) => view.setBigUint64(at, BigInt(value), true)],
};
// Numbers that may be larger than a double has exactly.
TYPES.big = [8, (view, at) => view.getBigUint64(at, true), (view, at, value) => view.setBigUint64(at, BigInt(value), true)];
TYPES.pointer = TYPES.u32;
TYPES.size = TYPES.u32;

/** Lays out a struct: names with types, in the order of the header. A text becomes the fields NAME and NAME_count. */
export function struct(declaration) {
  const fields = [];
  let end = 0;
  let alignment = 1;
  const place = (name, type) => {
    const [size, read, write] = TYPES[type];
    end = Math.ceil(end / size) * size;
    fields.push({ name, offset: end, read, write });
    end += size;
    alignment = Math.max(alignment, size);
  };
  for (const item of declaration.split(/\s+/)) {
    const [name, type] = item.split(":");
    if (type === "text") {
      place(name, "pointer");
      place(`${name}_count`, "size");
    } else {
      place(name, type);
    }
  }
  const size = Math.ceil(end / alignment) * alignment;
  return {
    size,
    read(view, address) {
      return Object.fromEntries(fields.map(({ name, offset, read }) => [name, read(view, address + offset)]));
    },
    write(view, address, values) {
      for (const { name, offset, write } of fields) write(view, address + offset, name === "size" ? size : (values[name] ?? 0));
    },
  };
}
