#!/usr/bin/env bash
# In a clean root: the wheel, in a virtual environment of Debian's Python. Takes Tests/Python, Tests/Fixtures, surtitle.h and the README of Python.
. "$(dirname "$0")/common.sh"

needs python3 python3-venv mypy
python3 -m venv "$HOME/venv"
quiet "$HOME/venv/bin/pip" install --no-index "$packages"/surtitle-"$version"-*.whl
same "$version" "$("$HOME/venv/bin/python" -c 'import surtitle; print(surtitle.__version__)')"
quiet "$HOME/venv/bin/python" -m unittest discover "$sources/Tests/Python"
grep -E '^(Ran|OK)' /tmp/said
# Type checkers see the types, and what is wrong by them.
cd
awk '/^```python$/ { inside = 1; next } /^```/ { inside = 0 } inside' "$sources/Sources/Python/README.md" >uses.py
printf 'import surtitle\nsurtitle.final_cue_end("a text")\nsurtitle.Cutting(steps=6)\n' >wrong.py
quiet mypy --python-executable venv/bin/python uses.py
mypy --python-executable venv/bin/python wrong.py >said && exit 1
same_number errors 2 "$(grep -c ': error: ' said)"
