// surtitle_serve: requests for what was made of the tracks' files (ngx_http_surtitle_files.c).
//
// A request's path is compared with the end of that of the track's URI, in whole segments, since the URI is relative to a playlist that
// may be anywhere; a path that begins with a slash must be equal. Nothing is read while a request waits but what nginx itself would read.
#include "ngx_http_surtitle.h"

ngx_http_surtitle_file_t *ngx_http_surtitle_file_find(ngx_http_surtitle_set_t *set, ngx_str_t *asked) {
    ngx_http_surtitle_file_t *files = set->files.elts;
    ngx_str_t folder = *asked;
    while (folder.len > 0 && folder.data[folder.len - 1] != '/') folder.len--;
    for (ngx_uint_t i = 0; i < set->files.nelts; i++) {
        ngx_str_t *end = &files[i].path, *path = end->data[end->len - 1] == '/' ? &folder : asked;
        if (path->len < end->len || ngx_memcmp(path->data + path->len - end->len, end->data, end->len) != 0) continue;
        if (path->len == end->len) return &files[i];
        if (end->data[0] != '/' && path->data[path->len - end->len - 1] == '/') return &files[i];
    }
    return NULL;
}

// Opens the file as the static module does, and lets `buffer` be of it.
static ngx_int_t ngx_http_surtitle_file_open(ngx_http_request_t *r, ngx_http_surtitle_file_t *file, ngx_buf_t *buffer) {
    ngx_http_core_loc_conf_t *core = ngx_http_get_module_loc_conf(r, ngx_http_core_module);
    ngx_open_file_info_t information = {
        .read_ahead = core->read_ahead,
        .directio = core->directio,
        .valid = core->open_file_cache_valid,
        .min_uses = core->open_file_cache_min_uses,
        .errors = core->open_file_cache_errors,
        .events = core->open_file_cache_events,
    };
    if (ngx_open_cached_file(core->open_file_cache, &file->file, &information, r->pool) != NGX_OK || !information.is_file) {
        ngx_log_error(NGX_LOG_ERR, r->connection->log, information.err, "surtitle: \"%V\" cannot be opened", &file->file);
        return NGX_HTTP_NOT_FOUND;
    }
    buffer->file = ngx_pcalloc(r->pool, sizeof(ngx_file_t));
    if (buffer->file == NULL) return NGX_HTTP_INTERNAL_SERVER_ERROR;
    buffer->file->fd = information.fd;
    buffer->file->name = file->file;
    buffer->file->log = r->connection->log;
    buffer->file->directio = information.is_directio;
    buffer->file_last = information.size;
    buffer->in_file = information.size > 0;
    r->headers_out.content_length_n = information.size;
    r->headers_out.last_modified_time = information.mtime;
    return ngx_http_set_etag(r) == NGX_OK ? NGX_OK : NGX_HTTP_INTERNAL_SERVER_ERROR;
}

static ngx_int_t ngx_http_surtitle_memory(ngx_http_request_t *r, ngx_http_surtitle_file_t *file, ngx_buf_t *buffer) {
    ngx_table_elt_t *tag = ngx_list_push(&r->headers_out.headers);
    if (tag == NULL) return NGX_HTTP_INTERNAL_SERVER_ERROR;
    *tag = (ngx_table_elt_t){.hash = 1, .key = ngx_string("ETag"), .value = file->etag};
    r->headers_out.etag = tag;
    r->headers_out.content_length_n = file->body.len;
    r->headers_out.last_modified_time = file->modified;
    buffer->pos = file->body.data;
    buffer->last = file->body.data + file->body.len;
    buffer->memory = file->body.len > 0;
    return NGX_OK;
}

// The phase handler has found the file, and put it into the context; the filters have nothing to do then.
ngx_int_t ngx_http_surtitle_file_handler(ngx_http_request_t *r) {
    ngx_http_surtitle_ctx_t *ctx = ngx_http_get_module_ctx(r, ngx_http_surtitle_module);
    ngx_http_surtitle_file_t mapped = *ctx->file, *file = &mapped;
    ngx_int_t answer = ngx_http_discard_request_body(r);
    if (answer != NGX_OK) return answer;
    if (ctx->wait != NULL && ngx_http_surtitle_maps_apply(r, ctx->wait, file) != NGX_OK) return NGX_HTTP_INTERNAL_SERVER_ERROR;
    ngx_buf_t *buffer = ngx_calloc_buf(r->pool);
    if (buffer == NULL) return NGX_HTTP_INTERNAL_SERVER_ERROR;
    answer = file->body.data != NULL ? ngx_http_surtitle_memory(r, file, buffer) : ngx_http_surtitle_file_open(r, file, buffer);
    if (answer != NGX_OK) return answer;

    r->headers_out.status = NGX_HTTP_OK;
    r->headers_out.content_type = file->type;
    r->headers_out.content_type_len = file->type.len;
    r->allow_ranges = 1;
    answer = ngx_http_send_header(r);
    if (answer == NGX_ERROR || answer > NGX_OK || r->header_only) return answer;
    buffer->last_buf = r == r->main;
    buffer->last_in_chain = 1;
    buffer->sync = !buffer->last_buf && buffer->in_file == 0 && buffer->memory == 0;
    ngx_chain_t out = {buffer, NULL};
    return ngx_http_output_filter(r, &out);
}
