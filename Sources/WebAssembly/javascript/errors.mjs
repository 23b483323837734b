// What the library refuses, as errors.

/** Statuses that mean failures, by their numbers in surtitle.h. */
const STATUSES = {
  16: "null-argument",
  17: "too-long",
  18: "struct-size",
  19: "invalid-value",
  20: "ended",
  21: "output-left",
  22: "busy",
  32: "invalid-utf8",
  33: "track-refused",
  34: "edit-refused",
  35: "uri-refused",
  36: "condition-refused",
  37: "json-refused",
  38: "configuration-refused",
  39: "pattern-refused",
  40: "segment-refused",
  48: "limit-exceeded",
  49: "not-webvtt",
  51: "fetch-failed",
  53: "live-refused",
  54: "cues-refused",
  64: "not-media",
  65: "encrypted",
  66: "no-timestamp",
  67: "media-too-long",
  68: "no-init-segment",
  69: "malformed-media",
  70: "too-many-streams",
  71: "unsynchronised-tag",
};

export class SurtitleError extends Error {
  /**
   * @param {number} number of the status
   * @param {{message: string, field?: string, index?: number, position?: number}} place
   */
  constructor(number, { message, field, index, position }) {
    super((field ? `${field}: ` : "") + message + (position === undefined ? "" : `, at byte ${position}`));
    this.name = "SurtitleError";
    this.status = STATUSES[number] ?? `status-${number}`;
    this.reason = message;
    this.field = field;
    this.index = index;
    this.position = position;
  }
}
