// What an edited playlist has that the original has not, line by line.

const tagOf = (line) => line.slice(0, line.indexOf(":") + 1 || undefined);

/** How much of two texts is the same at their beginnings, and at their ends without overlapping that. */
function common(before, after) {
  const most = Math.min(before.length, after.length);
  let start = 0;
  while (start < most && before[start] === after[start]) start++;
  let end = 0;
  while (end < most - start && before.at(-1 - end) === after.at(-1 - end)) end++;
  return { start, end };
}

/**
 * The lines of `after`, each with what has become of it: `same`, `new`, or `changed`, with where the change begins and ends in it.
 *
 * Lines stay in their order, and an edited line keeps its tag and most of its text.
 */
export function changedLines(before, after) {
  const old = before.split(/\r?\n/);
  let next = 0;
  return after.split(/\r?\n/).map((line) => {
    const original = old[next];
    if (line === original) {
      next += 1;
      return { line, kind: "same" };
    }
    if (original !== undefined && line.startsWith("#") && tagOf(line) === tagOf(original)) {
      const { start, end } = common(original, line);
      if (2 * (start + end) >= original.length) {
        next += 1;
        return { line, kind: "changed", start, end: line.length - end };
      }
    }
    return { line, kind: "new" };
  });
}
