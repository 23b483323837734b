// A segment of a transport stream (ISO/IEC 13818-1).

function crc(section) {
  let crc = 0xffffffff;
  for (const byte of section) {
    crc ^= byte << 24;
    for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  }
  return [24, 16, 8, 0].map((shift) => (crc >>> shift) & 255);
}
const packet = (pid, payload) => [0x47, 0x40 | (pid >> 8), pid & 255, 0x10, ...payload, ...Array(184 - payload.length).fill(255)];
const table = (section) => [0, ...section, ...crc(section)];
const stamp = (pts) => [0x21 | (Math.floor(pts / 2 ** 30) << 1), (pts >>> 22) & 255, ((pts >>> 14) & 254) | 1, (pts >>> 7) & 255, ((pts << 1) & 254) | 1];

/** What tells of the pictures. */
export const tables = [
  ...packet(0, table([0, 0xb0, 13, 0, 1, 0xc1, 0, 0, 0, 1, 0xf0, 0])),
  ...packet(0x1000, table([2, 0xb0, 18, 0, 1, 0xc1, 0, 0, 0xe1, 0, 0xf0, 0, 0x1b, 0xe1, 0, 0xf0, 0])),
];

/** A packet that means nothing. */
export const nothing = packet(0x1fff, []);

/** A segment whose first picture has this time stamp. */
export function stream(pts) {
  const pictures = Array.from({ length: 12 }, (_, index) => packet(0x100, [0, 0, 1, 0xe0, 0, 0, 0x80, 0x80, 5, ...stamp(pts + index * 3600)]));
  return new Uint8Array([...tables, ...pictures.flat()]);
}
