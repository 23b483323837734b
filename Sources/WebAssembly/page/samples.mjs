// What the page begins with.

export const SAMPLE_PLAYLIST = `#EXTM3U
#EXT-X-VERSION:6
#EXT-X-INDEPENDENT-SEGMENTS
#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID="aac",NAME="English",LANGUAGE="en",DEFAULT=YES,URI="audio/en.m3u8"
#EXT-X-STREAM-INF:BANDWIDTH=6214000,CODECS="avc1.640028,mp4a.40.2",RESOLUTION=1920x1080,AUDIO="aac"
video/1080.m3u8
#EXT-X-STREAM-INF:BANDWIDTH=1012000,CODECS="avc1.4d401e,mp4a.40.2",RESOLUTION=640x360,AUDIO="aac"
video/360.m3u8
`;

export const SAMPLE_SUBTITLES = `WEBVTT

00:00:01.200 --> 00:00:03.900
The house lights go down.

00:00:04.250 --> 00:00:08.000 line:85%
- Who speaks above the stage?
- Only the words.

00:00:12.000 --> 00:00:15.640
<i>And when the curtain falls, they fall with it.</i>
`;
