-- What wrk has counted, as one line of JSON. Times are in microseconds.
function done(summary, latency, requests)
   local errors = summary.errors
   io.write(string.format(
      '{"requests": %d, "microseconds": %d, "p50": %d, "p99": %d, "p99.9": %d, "failed": %d, "timed_out": %d}\n',
      summary.requests, summary.duration, latency:percentile(50), latency:percentile(99), latency:percentile(99.9),
      errors.connect + errors.read + errors.write + errors.status, errors.timeout))
end
