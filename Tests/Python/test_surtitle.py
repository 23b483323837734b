"""Tests of the Python module, on the library that it finds: python3 -m unittest discover Tests/Python

SURTITLE is the command, with whose output the module's is compared; without it that comparison is skipped. The header that statuses are held to is
looked for in the repository.
"""

import copy
import gc
import os
import pickle
import re
import subprocess
import sys
import tempfile
import threading
import types
import unittest
from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import surtitle

ROOT = Path(__file__).resolve().parents[2]
SAMPLE = ROOT / "Tests/Fixtures/sample"
MASTER = (SAMPLE / "master.m3u8").read_bytes()
ENGLISH = (SAMPLE / "en.vtt").read_bytes()
SOURCE = {
    "tracks": [
        {"uri": "subs/en.m3u8", "language": "en", "name": "English", "default": True},
        {"uri": "subs/sv.m3u8", "language": "sv", "name": "Svenska"},
    ],
}
TICKS = 0x1234567 + (1 << 32)


def chunks_of(whole, size):
    return [whole[start:start + size] for start in range(0, len(whole), size)]


def packed_audio():
    """A segment whose first time stamp is TICKS: an ID3 tag (RFC 8216 3.4), and the beginning of a frame."""
    owner = b"com.apple.streaming.transportStreamTimestamp\0"
    frame = b"PRIV\0\0\0" + bytes([len(owner) + 8]) + b"\0\0" + owner + TICKS.to_bytes(8, "big")
    return b"ID3\4\0\0\0\0\0" + bytes([len(frame)]) + frame + b"\xff\xf1" + bytes(5)


class Playlists(unittest.TestCase):
    def setUp(self):
        self.configuration = surtitle.Configuration(SOURCE)
        self.expected = self.configuration.sideload(MASTER)

    def test_tracks_are_put_in(self):
        self.assertEqual(self.expected.count(b"#EXT-X-MEDIA:TYPE=SUBTITLES"), 2)
        self.assertEqual(self.expected.count(b"SUBTITLES="), MASTER.count(b"#EXT-X-STREAM-INF"))

    @unittest.skipUnless(os.environ.get("SURTITLE"), "SURTITLE names no command")
    def test_the_command_writes_the_same(self):
        command = [os.environ["SURTITLE"], "master", SAMPLE / "master.m3u8", "--track", "uri=subs/en.m3u8,language=en,name=English,default",
                   "--track", "uri=subs/sv.m3u8,language=sv,name=Svenska"]
        self.assertEqual(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout, self.expected)

    def test_chunks_do_not_show(self):
        for size in range(1, len(MASTER) + 1):
            self.assertEqual(b"".join(self.configuration.stream(chunks_of(MASTER, size))), self.expected)

    def test_bytes_of_any_kind(self):
        for kind in bytes, bytearray, memoryview:
            self.assertEqual(self.configuration.sideload(kind(MASTER)), self.expected)

    def test_what_is_no_bytes(self):
        for value in 5, [35, 36], "text", None:
            with self.assertRaises(TypeError):
                self.configuration.sideload(value)
        # The bytes of one chunk, which are numbers, for chunks.
        for takes in self.configuration.stream, surtitle.stream_cues, lambda chunks: surtitle.stream_segments(chunks, surtitle.Cutting(step=1)):
            with self.assertRaises(TypeError):
                list(takes(MASTER))
        with self.assertRaises(TypeError):
            surtitle.media_start(packed_audio())
        self.assertEqual(self.configuration.sideload(memoryview(bytes(2 * len(MASTER)))[::2]), bytes(len(MASTER)))

    def test_any_mapping(self):
        self.assertEqual(surtitle.Configuration(types.MappingProxyType(SOURCE)).fingerprint, self.configuration.fingerprint)

    def test_json_is_the_same(self):
        text = '{"tracks": [{"uri": "subs/en.m3u8", "language": "en"}]}'
        same = surtitle.Configuration({"tracks": [{"uri": "subs/en.m3u8", "language": "en"}]})
        self.assertEqual(surtitle.Configuration(text).fingerprint, same.fingerprint)
        self.assertEqual(surtitle.Configuration(text.encode()).fingerprint, same.fingerprint)
        self.assertNotEqual(self.configuration.fingerprint, same.fingerprint)

    def test_a_rewriter_is_used_again(self):
        with self.configuration.rewriter() as rewriter:
            for _ in range(3):
                self.assertEqual(rewriter.write(MASTER) + rewriter.finish(), self.expected)
                self.assertEqual(rewriter.report.verdict, "multivariant")
                self.assertEqual(rewriter.report.uneditable_lines, 0)
                self.assertGreater(rewriter.report.added_bytes, 0)
                with self.assertRaises(surtitle.SurtitleError) as caught:
                    rewriter.write(b"more")
                self.assertEqual(caught.exception.status, surtitle.Status.ENDED)
                rewriter.reset()

    def test_a_source_that_breaks_off(self):
        def broken():
            yield MASTER[:-5]
            raise ConnectionResetError("gone")

        found = []
        with self.assertRaises(ConnectionResetError):
            for output in self.configuration.stream(broken()):
                found.append(output)
        self.assertTrue(b"".join(found).endswith(MASTER[-20:-5]))
        self.assertNotIn(b"TYPE=SUBTITLES", b"".join(found))

    def test_what_is_no_playlist_stays(self):
        self.assertEqual(self.configuration.sideload(b"\0\xff not one"), b"\0\xff not one")

    def test_threads(self):
        results = []
        threads = [threading.Thread(target=lambda: results.extend(self.configuration.sideload(MASTER) for _ in range(50))) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertEqual(len(results), 200)
        self.assertEqual(set(results), {self.expected})

    def test_what_is_refused(self):
        with self.assertRaises(surtitle.SurtitleError) as caught:
            surtitle.Configuration({"tracks": [SOURCE["tracks"][0], {"uri": "a.m3u8", "name": "A", "language": "not one"}]})
        error = caught.exception
        self.assertEqual((error.status, error.field, error.index), (surtitle.Status.TRACK_REFUSED, "tracks[1].language", 1))
        self.assertIn(error.reason, str(error))
        with self.assertRaises(surtitle.SurtitleError) as caught:
            surtitle.Configuration('{"tracks": ')
        self.assertEqual(caught.exception.status, surtitle.Status.JSON_REFUSED)

    def test_errors_go_to_other_processes(self):
        error = surtitle.SurtitleError(surtitle.Status.LIMIT_EXCEEDED, "reason", "tracks[1]", 1, 7)
        error.output = b"output"
        for same in pickle.loads(pickle.dumps(error)), copy.copy(error):
            self.assertEqual((str(same), vars(same)), (str(error), vars(error)))
        self.assertEqual((surtitle.SurtitleError(99, "later").status, surtitle.Status(99).name), (99, "STATUS_99"))

    def test_past_a_limit_the_output_is_there(self):
        configuration = surtitle.Configuration({**SOURCE, "limits": {"longest-line": 64, "past-limit": "fail"}})
        with configuration.rewriter() as rewriter, self.assertRaises(surtitle.SurtitleError) as caught:
            for chunk in chunks_of(b"#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1,NAME=\"" + 100 * b"x" + b"\"\na\n", 10):
                rewriter.write(chunk)
        self.assertEqual(caught.exception.status, surtitle.Status.LIMIT_EXCEEDED)
        self.assertIsNotNone(caught.exception.output)

    def test_closing(self):
        rewriter = self.configuration.rewriter()
        self.configuration.close()
        self.configuration.close()
        self.assertEqual(rewriter.write(MASTER) + rewriter.finish(), self.expected)
        with self.assertRaisesRegex(ValueError, "this Configuration has been closed"):
            self.configuration.sideload(MASTER)

    def test_handles_are_not_copied(self):
        for handle in self.configuration, self.configuration.rewriter():
            for copied in copy.copy, copy.deepcopy, pickle.dumps:
                with self.assertRaisesRegex(TypeError, "neither copied nor pickled"):
                    copied(handle)

    def test_threads_at_the_end_of_the_process(self):
        program = ("import surtitle, threading, time\n"
                   f"configuration = surtitle.Configuration({SOURCE})\n"
                   "def work():\n"
                   f"    while True: configuration.sideload({MASTER})\n"
                   "for _ in range(4): threading.Thread(target=work, daemon=True).start()\n"
                   "time.sleep(0.1)\n")
        for _ in range(5):
            self.assertEqual(subprocess.run([sys.executable, "-c", program]).returncode, 0)

    def test_a_playlist_of_files(self):
        for duration in 6.5, Fraction(13, 2), Decimal("6.5"):
            playlist = surtitle.subtitle_playlist([surtitle.Entry("å.vtt", duration), surtitle.Entry("b.vtt", 2, True)]).decode()
            self.assertIn("#EXTINF:6.5,\nå.vtt\n", playlist.replace("6.500", "6.5"))
            self.assertIn("#EXT-X-DISCONTINUITY\n", playlist)
            self.assertIn("#EXT-X-PLAYLIST-TYPE:VOD\n", playlist)
        self.assertNotIn(b"PLAYLIST-TYPE", surtitle.subtitle_playlist([surtitle.Entry("a.vtt", 1)], type=None))
        many = [surtitle.Entry(1000 * "a" + ".vtt", 1)] * 100
        self.assertGreater(len(surtitle.subtitle_playlist(many)), 100_000)
        for duration in -1, float("nan"), 1e300:
            with self.assertRaisesRegex(ValueError, r"entries\[0\].duration"):
                surtitle.subtitle_playlist([surtitle.Entry("a.vtt", duration)])


class Subtitles(unittest.TestCase):
    FILE = b"WEBVTT\n\n1\n00:01.000 --> 00:07.500 line:0\nfirst\xff\n\n00:08.000 --> 00:09.000\nsecond\n"

    def test_cues(self):
        found = surtitle.cues(self.FILE)
        self.assertEqual(found[0], surtitle.Cue(1.0, 7.5, "1", "line:0", "first\ufffd", 8))
        self.assertEqual([cue.text for cue in found], ["first\ufffd", "second"])
        for size in range(1, len(self.FILE)):
            self.assertEqual(list(surtitle.stream_cues(chunks_of(self.FILE, size))), found)
        with self.assertRaises(surtitle.SurtitleError) as caught:
            surtitle.cues(b"no file of cues")
        self.assertEqual(caught.exception.status, surtitle.Status.NOT_WEBVTT)

    def test_ends(self):
        self.assertEqual(surtitle.final_cue_end(self.FILE), 9.0)
        self.assertEqual(surtitle.latest_cue_end(self.FILE), 9.0)
        self.assertIsNone(surtitle.latest_cue_end(b"WEBVTT\n"))

    def test_segments(self):
        cutting = surtitle.Cutting(step=6, map=surtitle.TimestampMap(900_000, 0.5))
        whole = surtitle.segments(self.FILE, cutting)
        self.assertEqual([(each.start, each.duration, each.cue_count) for each in whole], [(0, 6, 1), (6, 3, 2)])
        self.assertIn(b"X-TIMESTAMP-MAP=LOCAL:00:00:00.500,MPEGTS:900000", whole[0].data)
        for size in range(1, len(self.FILE)):
            self.assertEqual(list(surtitle.stream_segments(chunks_of(self.FILE, size), cutting)), whole)
        by_durations = surtitle.segments(self.FILE, surtitle.Cutting(durations=[4, 6], cues_once=True))
        self.assertEqual([each.cue_count for each in by_durations], [1, 1])
        with self.assertRaises(surtitle.SurtitleError):
            surtitle.segments(self.FILE, surtitle.Cutting())
        late = b"WEBVTT\n\n00:20.000 --> 00:21.000\na\n\n00:01.000 --> 00:02.000\nb\n"
        self.assertEqual(len(surtitle.segments(late, cutting)), 4)
        with self.assertRaises(surtitle.SurtitleError) as caught:
            list(surtitle.stream_segments([late], cutting))
        self.assertEqual(caught.exception.status, surtitle.Status.OUT_OF_ORDER)

    def test_maps(self):
        segment = packed_audio()
        for size in 1, 7, len(segment):
            self.assertEqual(surtitle.media_start(chunks_of(segment, size)), TICKS)
        with self.assertRaises(surtitle.SurtitleError) as caught:
            surtitle.media_start([b"#EXTM3U\n"])
        self.assertEqual(caught.exception.status, surtitle.Status.NOT_MEDIA)
        for kind in bytes, bytearray, memoryview:
            mapped = surtitle.with_timestamp_map(kind(self.FILE), surtitle.TimestampMap(TICKS))
            self.assertEqual(mapped.replace(b"X-TIMESTAMP-MAP=LOCAL:00:00:00.000,MPEGTS:%d\n" % TICKS, b""), self.FILE)

    def test_time_stamps_of_more_bits(self):
        for mpegts in -1, 1 << 33, (1 << 64) + 5:
            with self.assertRaisesRegex(ValueError, "33 bits"):
                surtitle.with_timestamp_map(self.FILE, surtitle.TimestampMap(mpegts))
            with self.assertRaisesRegex(ValueError, "33 bits"):
                surtitle.Cutting(step=6, map=surtitle.TimestampMap(mpegts))

    def test_subrip(self):
        subrip = b"1\r\n00:00:01,500 --> 00:00:03,000\r\nA\r\n\r\n"
        for name in "film.srt", "application/x-subrip", "":
            self.assertEqual(surtitle.cues(surtitle.to_webvtt(subrip, name))[0][:2], (1.5, 3.0))
        with self.assertRaises(surtitle.SurtitleError) as caught:
            surtitle.to_webvtt(b"1\n00:00:01,500 --> 00:00:03,000\n\xe9\n", "srt")
        self.assertEqual((caught.exception.status, caught.exception.position), (surtitle.Status.INVALID_UTF8, 32))


class Module(unittest.TestCase):
    def test_statuses_are_those_of_the_header(self):
        header = ROOT / "Sources/CSurtitle/include/surtitle.h"
        if not header.exists():
            self.skipTest("there is no surtitle.h")
        statuses = header.read_text().split("enum surtitle_status {")[1].split("}")[0]
        told = {name: int(number) for name, number in re.findall(r"SURTITLE_(\w+) = (\d+)", statuses)}
        self.assertEqual({each.name: each.value for each in surtitle.Status}, {name: number for name, number in told.items() if number >= 16})

    def test_nothing_leaks(self):
        def used():
            gc.collect()
            return int(re.search(r"VmRSS:\s+(\d+)", Path("/proc/self/status").read_text())[1])

        def work(times):
            for _ in range(times):
                configuration = surtitle.Configuration(SOURCE)
                configuration.rewriter().write(MASTER)
                surtitle.segments(ENGLISH, surtitle.Cutting(step=2))

        work(200)
        before = used()
        work(2000)
        self.assertLess(used() - before, 2048, "KiB more after 2000 rounds")

    def test_the_readme(self):
        readme = ROOT / "Sources/Python/README.md"
        if not readme.exists():
            self.skipTest("there is no README")
        samples = re.findall(r"^```python\n(.*?)^```", readme.read_text(), re.M | re.S)
        self.assertGreater(len(samples), 2)
        before = Path.cwd()
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            try:
                Path("master.m3u8").write_bytes(MASTER)
                Path("en.vtt").write_bytes(ENGLISH)
                Path("segment0.ts").write_bytes(packed_audio())
                names = {}
                for sample in samples:
                    exec(compile(sample, str(readme), "exec"), names)
                self.assertIn(b"TYPE=SUBTITLES", Path("subtitled.m3u8").read_bytes())
                self.assertIn(b"MPEGTS:%d" % TICKS, Path("en0.vtt").read_bytes())
            finally:
                os.chdir(before)


if __name__ == "__main__":
    unittest.main()
