#!/usr/bin/env bash
# Plants small faults in a copy of the sources and tells which of them no test of their module notices: run.sh [N] [--seed S]
exec python3 "$(dirname "$0")/mutants.py" "$@"
