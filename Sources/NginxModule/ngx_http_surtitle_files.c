// surtitle_serve: what is made of the tracks with `file`, and kept.
//
//     surtitle_track uri=subs/en.m3u8 file=/srv/en.vtt …;
//
//     …/subs/en.m3u8     made when the configuration is read: one segment, en.vtt, as long as the file's final cue says
//     …/subs/en.vtt      /srv/en.vtt through nginx's own machinery (open_file_cache, sendfile, ranges); from memory if it has a `map` or a
//                        `shift`, or was of another format or UTF-16
//
// With `live` there are others: see ngx_http_surtitle_live.c.
//
// Here they are made; ngx_http_surtitle_serving.c answers requests for them.
#include "ngx_http_surtitle.h"

// The longest file that is held in memory, and how much of another is read from its end at once.
#define LONGEST_FILE (16 << 20)
#define BLOCK (64 << 10)

// ---- Reading, with the configuration ------------------------------------------------------------------------------------------

static ngx_fd_t ngx_http_surtitle_open(ngx_conf_t *cf, ngx_str_t *name, ngx_file_info_t *information) {
    ngx_fd_t fd = ngx_open_file(name->data, NGX_FILE_RDONLY, NGX_FILE_OPEN, 0);
    if (fd == NGX_INVALID_FILE) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno, ngx_open_file_n " \"%V\" failed", name);
        return NGX_INVALID_FILE;
    }
    if (ngx_fd_info(fd, information) == NGX_FILE_ERROR || !ngx_is_file(information)) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, ngx_errno, "\"%V\" is no file", name);
        (void)ngx_close_file(fd);
        return NGX_INVALID_FILE;
    }
    return fd;
}

// Reads exactly `count` bytes.
static ngx_int_t ngx_http_surtitle_read(ngx_conf_t *cf, ngx_str_t *name, ngx_fd_t fd, u_char *memory, size_t count, off_t offset) {
    while (count > 0) {
        ssize_t n = pread(fd, memory, count, offset);
        if (n <= 0) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, n == 0 ? 0 : ngx_errno, "reading \"%V\" failed", name);
            return NGX_ERROR;
        }
        memory += n;
        count -= n;
        offset += n;
    }
    return NGX_OK;
}

// Reads a whole file of at most `longest` bytes into memory that lives as long as the configuration.
ngx_int_t ngx_http_surtitle_read_file(ngx_conf_t *cf, ngx_str_t *name, size_t longest, ngx_str_t *text, time_t *modified) {
    ngx_file_info_t information;
    ngx_fd_t fd = ngx_http_surtitle_open(cf, name, &information);
    if (fd == NGX_INVALID_FILE) return NGX_ERROR;
    ngx_int_t answer = NGX_ERROR;
    text->len = ngx_file_size(&information);
    *modified = ngx_file_mtime(&information);
    if (ngx_file_size(&information) > (off_t)longest) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" is longer than %uz bytes", name, longest);
    } else {
        text->data = ngx_pnalloc(cf->pool, text->len + 1);
        if (text->data != NULL) answer = ngx_http_surtitle_read(cf, name, fd, text->data, text->len, 0);
    }
    (void)ngx_close_file(fd);
    return answer;
}

// Whether the file has the signature of WebVTT; NGX_AGAIN if it is UTF-16, and NGX_DECLINED otherwise.
static ngx_int_t ngx_http_surtitle_is_webvtt(ngx_conf_t *cf, ngx_str_t *name, time_t *modified) {
    static const u_char mark[] = {0xEF, 0xBB, 0xBF};
    ngx_file_info_t information;
    u_char head[sizeof(mark) + 6];
    ngx_fd_t fd = ngx_http_surtitle_open(cf, name, &information);
    if (fd == NGX_INVALID_FILE) return NGX_ERROR;
    *modified = ngx_file_mtime(&information);
    size_t count = ngx_min(ngx_file_size(&information), (off_t)sizeof(head));
    ngx_int_t answer = ngx_http_surtitle_read(cf, name, fd, head, count, 0);
    (void)ngx_close_file(fd);
    if (answer != NGX_OK) return answer;
    if (count >= 2 && ((head[0] == 0xFF && head[1] == 0xFE) || (head[0] == 0xFE && head[1] == 0xFF))) return NGX_AGAIN;
    size_t start = count >= sizeof(mark) && ngx_memcmp(head, mark, sizeof(mark)) == 0 ? sizeof(mark) : 0;
    return count >= start + 6 && ngx_memcmp(head + start, "WEBVTT", 6) == 0 ? NGX_OK : NGX_DECLINED;
}

// When the final cue of a file ends, found from its end, block by block, however long it is.
static int ngx_http_surtitle_final_cue(ngx_conf_t *cf, ngx_str_t *name, int64_t *milliseconds) {
    surtitle_final_cue_search *search;
    ngx_file_info_t information;
    u_char *block = ngx_palloc(cf->temp_pool, BLOCK);
    ngx_fd_t fd = block == NULL ? NGX_INVALID_FILE : ngx_http_surtitle_open(cf, name, &information);
    if (fd == NGX_INVALID_FILE) return NGX_ERROR;
    int status = surtitle_final_cue_search_create(SIZE_MAX, &search);
    if (status == SURTITLE_OK) status = SURTITLE_NEEDS_MORE;
    for (off_t end = ngx_file_size(&information); status == SURTITLE_NEEDS_MORE;) {
        off_t start = end > BLOCK ? end - BLOCK : 0;
        status = ngx_http_surtitle_read(cf, name, fd, block, end - start, start) != NGX_OK
            ? NGX_ERROR
            : surtitle_final_cue_search_prepend(search, block, end - start, start == 0, milliseconds);
        end = start;
    }
    surtitle_final_cue_search_destroy(search);
    (void)ngx_close_file(fd);
    return status;
}

// ---- Making, with the configuration -------------------------------------------------------------------------------------------

// The path of a track's URI, which must end in .m3u8: without scheme, host, query and fragment, decoded.
static ngx_int_t ngx_http_surtitle_path(ngx_conf_t *cf, surtitle_text *uri, ngx_str_t *path, ngx_str_t *name) {
    u_char *start = (u_char *)uri->bytes, *end = start + uri->count;
    u_char *authority = uri->count > 1 && start[0] == '/' && start[1] == '/' ? start : ngx_strlcasestrn(start, end, (u_char *)"://", 2);
    if (authority != NULL && (authority == start || ngx_strlchr(start, authority, '/') == NULL)) {
        start = ngx_strlchr(authority == start ? start + 2 : authority + 3, end, '/');
        if (start == NULL) return NGX_DECLINED;
    }
    for (u_char *p = start; p < end; p++) {
        if (*p == '?' || *p == '#') end = p;
    }
    if (end - start < 6 || ngx_strncmp(end - 5, ".m3u8", 5) != 0) return NGX_DECLINED;

    u_char *segment = end;
    while (segment > start && segment[-1] != '/') segment--;
    *name = (ngx_str_t){end - segment, segment};
    path->data = ngx_pnalloc(cf->pool, end - start);
    if (path->data == NULL) return NGX_ERROR;
    u_char *to = path->data;
    ngx_unescape_uri(&to, &start, end - start, 0);
    path->len = to - path->data;
    // nginx resolves dot segments before anything is compared.
    if (path->data[0] == '.' || ngx_strlcasestrn(path->data, to, (u_char *)"/.", 1) != NULL) return NGX_DECLINED;
    return NGX_OK;
}

// Gives the file the tag of its body.
ngx_int_t ngx_http_surtitle_tag(ngx_pool_t *pool, ngx_http_surtitle_file_t *file) {
    uint64_t hash = 0xcbf29ce484222325; // FNV-1a
    for (size_t i = 0; i < file->body.len; i++) hash = (hash ^ file->body.data[i]) * 0x100000001b3;
    file->etag.data = ngx_pnalloc(pool, 20);
    if (file->etag.data == NULL) return NGX_ERROR;
    file->etag.len = ngx_sprintf(file->etag.data, "\"%016xL\"", hash) - file->etag.data;
    return NGX_OK;
}

static ngx_int_t ngx_http_surtitle_playlist(
    ngx_conf_t *cf, ngx_http_surtitle_track_t *track, ngx_str_t *name, ngx_http_surtitle_file_t *file) {
    u_char *uri = ngx_pnalloc(cf->temp_pool, name->len);
    if (uri == NULL) return NGX_ERROR;
    u_char *end = ngx_cpymem(ngx_cpymem(uri, name->data, name->len - 5), ".vtt", 4);
    surtitle_playlist_entry entry = {.size = sizeof(entry)};
    entry.uri = (surtitle_text){(const char *)uri, end - uri};
    entry.duration_nanoseconds = track->duration;
    surtitle_error error = {.size = sizeof(error)};
    size_t needed = 0;
    int status = surtitle_subtitle_playlist(&entry, 1, 0, NULL, 0, &needed, &error);
    if (status == SURTITLE_TOO_SMALL) {
        file->body.data = ngx_pnalloc(cf->pool, needed);
        if (file->body.data == NULL) return NGX_ERROR;
        status = surtitle_subtitle_playlist(&entry, 1, 0, file->body.data, needed, &file->body.len, &error);
    }
    if (status != SURTITLE_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "playlist of \"%V\": %s", &track->file, error.message);
        return NGX_ERROR;
    }
    ngx_str_set(&file->type, "application/vnd.apple.mpegurl");
    return ngx_http_surtitle_tag(cf->pool, file);
}

static ngx_int_t ngx_http_surtitle_append(ngx_str_t *body, const surtitle_piece *pieces, size_t count, size_t room) {
    for (size_t i = 0; i < count; i++) {
        if (pieces[i].count > room - body->len) return NGX_ERROR;
        ngx_memcpy(body->data + body->len, pieces[i].bytes, pieces[i].count);
        body->len += pieces[i].count;
    }
    return NGX_OK;
}

// Puts an X-TIMESTAMP-MAP into the body, which lies in memory of `pool` then.
ngx_int_t ngx_http_surtitle_map(ngx_pool_t *pool, uint64_t mpegts, int64_t milliseconds, ngx_str_t *body) {
    surtitle_timestamp_mapper *mapper;
    const surtitle_piece *pieces;
    size_t count, room = body->len + 128; // the map is one line of fewer bytes
    ngx_str_t mapped = {0, ngx_pnalloc(pool, room)};
    if (mapped.data == NULL || surtitle_timestamp_mapper_create(mpegts, milliseconds, &mapper) != SURTITLE_OK) return NGX_ERROR;
    int status = surtitle_timestamp_mapper_write(mapper, body->data, body->len, &pieces, &count);
    ngx_int_t answer = status == SURTITLE_OK ? ngx_http_surtitle_append(&mapped, pieces, count, room) : NGX_ERROR;
    if (answer == NGX_OK) {
        status = surtitle_timestamp_mapper_finish(mapper, &pieces, &count);
        answer = status == SURTITLE_OK ? ngx_http_surtitle_append(&mapped, pieces, count, room) : NGX_ERROR;
    }
    surtitle_timestamp_mapper_destroy(mapper);
    *body = mapped;
    return answer;
}

// Whether one of the lines before the first blank one is an X-TIMESTAMP-MAP.
static ngx_uint_t ngx_http_surtitle_has_map(ngx_str_t *body) {
    static const ngx_str_t name = ngx_string("X-TIMESTAMP-MAP");
    size_t start = 0;
    for (size_t i = 0; i < body->len; i++) {
        if (body->data[i] != '\n' && body->data[i] != '\r') continue;
        if (i - start >= name.len && ngx_memcmp(body->data + start, name.data, name.len) == 0) return 1;
        if (i == start && (body->data[i] == '\r' || i == 0 || body->data[i - 1] != '\r')) return 0;
        start = i + 1;
    }
    return 0;
}

// The body is what the library makes of the file: WebVTT, if it is of another format or UTF-16 with a byte order mark, with its cues
// shifted.
static ngx_int_t ngx_http_surtitle_make(ngx_conf_t *cf, ngx_http_surtitle_track_t *track, int32_t format, ngx_str_t *body) {
    ngx_str_t text;
    time_t modified;
    surtitle_fetch *fetch;
    surtitle_fetch_settings settings = {.size = sizeof(settings)};
    surtitle_fetch_request request = {.size = sizeof(request)};
    surtitle_fetched result = {.size = sizeof(result)};
    if (ngx_http_surtitle_read_file(cf, &track->file, LONGEST_FILE, &text, &modified) != NGX_OK) return NGX_ERROR;
    settings.job = SURTITLE_FETCH_CONTENT;
    settings.format = format;
    settings.url = (surtitle_text){"http://file.invalid/", sizeof("http://file.invalid/") - 1};
    settings.shift_milliseconds = track->shift;
    int status = surtitle_fetch_create(&settings, &fetch);
    if (status != SURTITLE_OK) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\": %s", &track->file, surtitle_status_text(status));
        return NGX_ERROR;
    }
    // The one request is for the whole file, which has been read.
    (void)surtitle_fetch_next(fetch, &request);
    (void)surtitle_fetch_begin(fetch, NGX_HTTP_OK, (surtitle_text){NULL, 0}, 0, NULL, 0);
    if (surtitle_fetch_write(fetch, text.data, text.len) == SURTITLE_NEEDS_MORE) (void)surtitle_fetch_finish(fetch);
    status = surtitle_fetch_next(fetch, &request);
    (void)surtitle_fetch_result(fetch, &result);
    if (status == SURTITLE_OK) {
        body->len = result.count;
        body->data = ngx_pnalloc(cf->pool, result.count + 1);
        if (body->data != NULL) ngx_memcpy(body->data, result.bytes, result.count);
    } else {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\": %*s", &track->file, result.message.count, result.message.bytes);
    }
    surtitle_fetch_destroy(fetch);
    return status == SURTITLE_OK && body->data != NULL ? NGX_OK : NGX_ERROR;
}

// Gets what is served of the track's file into memory, if it is not sent as it is, and finds out how long it plays.
static ngx_int_t ngx_http_surtitle_load(ngx_conf_t *cf, ngx_http_surtitle_track_t *track, ngx_http_surtitle_file_t *file) {
    ngx_str_t *name = &track->file;
    int64_t milliseconds = 0;
    ngx_int_t answer = ngx_http_surtitle_is_webvtt(cf, name, &file->modified);
    int32_t format = SURTITLE_FORMAT_WEBVTT;
    (void)surtitle_format_of(name->data, name->len, &format);
    if (format == SURTITLE_FORMAT_PLAYLIST) format = SURTITLE_FORMAT_WEBVTT;
    if (answer == NGX_DECLINED && format == SURTITLE_FORMAT_WEBVTT) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" is not WebVTT, nor of another format of subtitles by its name", name);
        return NGX_ERROR;
    }
    if (answer == NGX_DECLINED || answer == NGX_AGAIN || (answer == NGX_OK && track->shift != 0)) {
        answer = ngx_http_surtitle_make(cf, track, format, &file->body);
    } else if (answer == NGX_OK && (track->has_map || track->is_auto || track->live.len > 0)) {
        answer = ngx_http_surtitle_read_file(cf, name, LONGEST_FILE, &file->body, &file->modified);
    }
    if (answer != NGX_OK) return NGX_ERROR;
    if (track->live.len > 0) return NGX_OK;

    if (track->duration == 0) {
        int status = file->body.data != NULL ? surtitle_final_cue_end(file->body.data, file->body.len, &milliseconds)
                                             : ngx_http_surtitle_final_cue(cf, name, &milliseconds);
        if (status != SURTITLE_OK || milliseconds <= 0) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" has no cue that tells how long it plays; say \"duration\"", name);
            return NGX_ERROR;
        }
        track->duration = (uint64_t)milliseconds * 1000000;
    }
    if (track->has_map && ngx_http_surtitle_map(cf->pool, track->mpegts, 0, &file->body) != NGX_OK) return NGX_ERROR;
    // A map that the file has itself stays.
    if (track->is_auto && !ngx_http_surtitle_has_map(&file->body)) file->video = track->video;
    return file->body.data != NULL ? ngx_http_surtitle_tag(cf->pool, file) : NGX_OK;
}

// Adds what is served of a track with a file.
ngx_int_t ngx_http_surtitle_files_add(ngx_conf_t *cf, ngx_http_surtitle_set_t *set, ngx_http_surtitle_track_t *track) {
    ngx_str_t name, path;
    ngx_int_t answer = ngx_http_surtitle_path(cf, &track->uri, &path, &name);
    if (answer == NGX_DECLINED) {
        ngx_conf_log_error(
            NGX_LOG_EMERG, cf, 0, "a track with \"file\" needs a \"uri\" that ends in .m3u8 and has no dot segments, not \"%*s\"",
            track->uri.count, track->uri.bytes);
    }
    if (answer != NGX_OK) return NGX_ERROR;
    ngx_str_t *video = track->live.len > 0 ? &track->live : &track->video;
    if ((track->is_auto || track->live.len > 0) && (video->data[0] == '/') != (path.data[0] == '/')) {
        ngx_conf_log_error(
            NGX_LOG_EMERG, cf, 0, "\"%s=%V\" must begin with a slash if the path of the track's \"uri\" does, and not else",
            track->is_auto ? "video" : "live", video);
        return NGX_ERROR;
    }

    ngx_http_surtitle_file_t *playlist = ngx_array_push_n(&set->files, 2);
    if (playlist == NULL) return NGX_ERROR;
    ngx_http_surtitle_file_t *file = playlist + 1;
    *file = (ngx_http_surtitle_file_t){.file = track->file, .type = ngx_string("text/vtt")};
    file->path.data = ngx_pnalloc(cf->pool, path.len);
    if (file->path.data == NULL || ngx_http_surtitle_load(cf, track, file) != NGX_OK) return NGX_ERROR;
    u_char *end = ngx_cpymem(ngx_cpymem(file->path.data, path.data, path.len - 5), ".vtt", 4);
    file->path.len = end - file->path.data;
    *playlist = (ngx_http_surtitle_file_t){.path = path, .modified = file->modified};
    if (track->live.len > 0) return ngx_http_surtitle_live_add(cf, track, &name, playlist, file);
    return ngx_http_surtitle_playlist(cf, track, &name, playlist);
}
