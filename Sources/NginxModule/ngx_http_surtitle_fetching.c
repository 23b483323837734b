// Fetches of the library, carried out by subrequests to whichever location of this server has what they ask for.
//
//     surtitle_fetch_next ─▶ subrequest ─▶ this module's filters feed the fetch what comes, and hand on nothing
//             ▲                                                      │ its end
//             └──────────────────────────────────────────────────────┘
//
// Of whom a job is for there are two kinds. A request that waits for its own job (map=auto) is woken by nginx, as one is that waits for
// auth_request, and asks for what is next. A job that many wait for (a live stream) goes on by itself, in the background of the request that has
// begun it: that one may be answered before the job has ended.
//
// Segments of METHOD=AES-128 are decrypted by the OpenSSL that nginx has; an nginx without it decrypts nothing.
//
// What comes of a segment after the library has enough is dropped: a filter that stops a subrequest stops the client's connection with it.
#include "ngx_http_surtitle.h"

#if (NGX_OPENSSL)
#include <openssl/evp.h>

static int ngx_http_surtitle_decrypt(void *context, const uint8_t *key, const uint8_t *vector, uint8_t *bytes, size_t count) {
    (void)context;
    EVP_CIPHER_CTX *cipher = EVP_CIPHER_CTX_new();
    int written = 0;
    ngx_uint_t is_done = cipher != NULL && count <= INT_MAX && EVP_DecryptInit_ex(cipher, EVP_aes_128_cbc(), NULL, key, vector) == 1
        && EVP_CIPHER_CTX_set_padding(cipher, 0) == 1 && EVP_DecryptUpdate(cipher, bytes, &written, bytes, (int)count) == 1
        && (size_t)written == count;
    EVP_CIPHER_CTX_free(cipher);
    return is_done ? 0 : 1;
}
#endif

// ---- This server --------------------------------------------------------------------------------------------------

// What is found out is kept by the server's own name and asked for by it, never by what a client calls it: clients could fill memory with names, or
// have what is found by one kept for all.

// The host by which a playlist may call this server: its first name, if that is one.
static ngx_str_t ngx_http_surtitle_host(ngx_str_t *name) {
    for (size_t i = 0; i < name->len; i++) {
        u_char byte = name->data[i];
        ngx_uint_t is_right = (byte >= 'a' && byte <= 'z') || (byte >= '0' && byte <= '9') || byte == '-' || (byte == '.' && i > 0);
        if (!is_right) return (ngx_str_t)ngx_string("localhost");
    }
    return name->len > 0 ? *name : (ngx_str_t)ngx_string("localhost");
}

// The URL of `path` on this server, in memory of the request, and of that the `origin`, without the scheme: any is right.
ngx_int_t ngx_http_surtitle_url(ngx_http_request_t *r, ngx_str_t *path, ngx_str_t *url, ngx_str_t *origin) {
    ngx_http_core_srv_conf_t *server = ngx_http_get_module_srv_conf(r, ngx_http_core_module);
    ngx_str_t host = ngx_http_surtitle_host(&server->server_name);
    size_t escaped = path->len + 2 * ngx_escape_uri(NULL, path->data, path->len, NGX_ESCAPE_URI);
    url->data = ngx_pnalloc(r->pool, 7 + host.len + escaped);
    if (url->data == NULL) return NGX_ERROR;
    u_char *end = ngx_sprintf(url->data, "http://%V", &host);
    *origin = (ngx_str_t){end - url->data - 5, url->data + 5};
    url->len = (u_char *)ngx_escape_uri(end, path->data, path->len, NGX_ESCAPE_URI) - url->data;
    return NGX_OK;
}

// By which is kept, for all clients, what is found out of `path` on this server.
ngx_int_t ngx_http_surtitle_name(ngx_http_request_t *r, ngx_str_t *kind, ngx_str_t *path, ngx_str_t *name) {
    ngx_http_core_srv_conf_t *server = ngx_http_get_module_srv_conf(r, ngx_http_core_module);
    ngx_http_surtitle_srv_conf_t *conf = ngx_http_get_module_srv_conf(r, ngx_http_surtitle_module);
    name->data = ngx_pnalloc(r->pool, server->server_name.len + NGX_INT_T_LEN + kind->len + path->len + 3);
    if (name->data == NULL) return NGX_ERROR;
    name->len = ngx_sprintf(name->data, "%V#%ui %V %V", &server->server_name, conf->number, kind, path) - name->data;
    return NGX_OK;
}

// How many bytes of the URL are scheme and host of this server; 0 if it is another's.
static size_t ngx_http_surtitle_origin_length(ngx_http_surtitle_job_t *job, const u_char *url, size_t count) {
    size_t scheme = 0;
    if (count > 5 && ngx_strncasecmp((u_char *)url, (u_char *)"http:", 5) == 0) scheme = 5;
    if (count > 6 && ngx_strncasecmp((u_char *)url, (u_char *)"https:", 6) == 0) scheme = 6;
    size_t end = scheme + job->origin.len;
    if (scheme == 0 || count <= end || ngx_strncasecmp((u_char *)url + scheme, job->origin.data, job->origin.len) != 0) return 0;
    return url[end] == '/' ? end : 0;
}

// ---- Subrequests --------------------------------------------------------------------------------------------------

// Gives a subrequest variables of its own, which logs of the request do not show. Those that tell of the client go with it to a video that is looked for
// while it waits, but for what it calls the server.
static ngx_int_t ngx_http_surtitle_variables_part(ngx_http_request_t *r, ngx_http_surtitle_job_t *job) {
    static const ngx_str_t host = ngx_string("host"), field = ngx_string("http_host");
    ngx_http_core_main_conf_t *core = ngx_http_get_module_main_conf(r, ngx_http_core_module);
    ngx_http_variable_t *names = core->variables.elts;
    ngx_http_variable_value_t *values = ngx_pcalloc(r->pool, core->variables.nelts * sizeof(*values));
    if (values == NULL) return NGX_ERROR;
    for (ngx_uint_t i = 0; job->done == NULL && i < core->variables.nelts; i++) {
        ngx_str_t *name = &names[i].name;
        ngx_uint_t is_host = (name->len == host.len && ngx_memcmp(name->data, host.data, host.len) == 0)
            || (name->len == field.len && ngx_memcmp(name->data, field.data, field.len) == 0);
        if (!is_host) values[i] = r->variables[i];
    }
    r->variables = values;
    return NGX_OK;
}

// What is asked for again and again, for many, is asked for with no field of the client's.
static ngx_int_t ngx_http_surtitle_forget_client(ngx_http_request_t *r) {
    ngx_memzero(&r->headers_in, sizeof(r->headers_in));
    r->headers_in.content_length_n = -1;
    return ngx_list_init(&r->headers_in.headers, r->pool, 4, sizeof(ngx_table_elt_t));
}

// A subrequest has ended, well or not. What is the matter with it is the fetch's matter, and not the request's.
static ngx_int_t ngx_http_surtitle_subrequest_done(ngx_http_request_t *r, void *data, ngx_int_t rc) {
    ngx_http_surtitle_ctx_t *ctx = data;
    if (rc == NGX_AGAIN || r->buffered || ctx == NULL) return rc;
    ngx_http_surtitle_job_t *job = ctx->job;
    if (!job->is_asking) return NGX_OK;
    job->is_asking = 0;
    if (job->done != NULL && (rc == NGX_ERROR || rc == NGX_HTTP_CLIENT_CLOSED_REQUEST || r->connection->error)) {
        job->is_cancelled = 1; // the client has gone, and its connection takes the subrequest with it
        job->done(job, r->main);
        return NGX_OK;
    }
    // What nginx says because the origin says nothing is no answer of the origin's.
    ngx_uint_t is_silent = job->done != NULL && (rc == NGX_HTTP_BAD_GATEWAY || rc == NGX_HTTP_GATEWAY_TIME_OUT);
    if (!ctx->is_asked && rc >= NGX_HTTP_SPECIAL_RESPONSE && !is_silent) {
        surtitle_text none = {NULL, 0};
        ctx->is_wanting = surtitle_fetch_begin(job->fetch, (int)rc, none, 0, NULL, 0) == SURTITLE_NEEDS_MORE;
        ctx->is_asked = 1;
    }
    if (!ctx->is_asked || (ctx->is_wanting && !ctx->is_ending)) {
        surtitle_fetch_fail(job->fetch);
    } else if (ctx->is_wanting) {
        surtitle_fetch_finish(job->fetch);
    }
    if (job->done == NULL) return NGX_OK;
    ngx_int_t answer = ngx_http_surtitle_job_next(r->main, job);
    if (answer == NGX_AGAIN) return NGX_OK;
    job->is_cancelled = answer != NGX_OK;
    job->done(job, r->main);
    return NGX_OK;
}

// Makes the request that the fetch wants; NGX_DECLINED if it is for no location of this server.
static ngx_int_t ngx_http_surtitle_subrequest(
    ngx_http_request_t *r, ngx_http_surtitle_job_t *job, const surtitle_fetch_request *wanted) {
    const u_char *url = (const u_char *)wanted->url.bytes;
    size_t count = wanted->url.count, origin = ngx_http_surtitle_origin_length(job, url, count);
    if (origin == 0) return NGX_DECLINED;
    ngx_str_t uri = {count - origin, ngx_pnalloc(r->pool, count - origin)}, arguments = ngx_null_string;
    ngx_uint_t flags = 0;
    if (uri.data == NULL) return NGX_ERROR;
    ngx_memcpy(uri.data, url + origin, uri.len);
    if (ngx_http_parse_unsafe_uri(r, &uri, &arguments, &flags) != NGX_OK) return NGX_DECLINED;

    ngx_http_post_subrequest_t *post = ngx_palloc(r->pool, sizeof(ngx_http_post_subrequest_t));
    ngx_http_request_t *subrequest;
    if (post == NULL) return NGX_ERROR;
    post->handler = ngx_http_surtitle_subrequest_done;
    post->data = NULL;
    flags = job->done == NULL ? NGX_HTTP_SUBREQUEST_WAITED : NGX_HTTP_SUBREQUEST_BACKGROUND;
    if (ngx_http_subrequest(r, &uri, &arguments, &subrequest, post, flags) != NGX_OK) return NGX_ERROR;
    ngx_http_surtitle_ctx_t *ctx = ngx_http_surtitle_context_create(subrequest);
    if (ctx == NULL) return NGX_ERROR;
    post->data = ctx;
    ctx->job = job;
    ctx->state = NGX_HTTP_SURTITLE_FETCHING;
    ngx_http_set_ctx(subrequest, ctx, ngx_http_surtitle_module);
    subrequest->filter_need_in_memory = !r->connection->sendfile;
    job->is_asking = 1;
    if (job->done != NULL && ngx_http_surtitle_forget_client(subrequest) != NGX_OK) return NGX_ERROR;
    subrequest->headers_in.server = (ngx_str_t){job->origin.len - 2, job->origin.data + 2};
    if (ngx_http_surtitle_variables_part(subrequest, job) != NGX_OK) return NGX_ERROR;
    return ngx_http_surtitle_fields_fetch(subrequest, ctx, wanted->fields, wanted->field_count);
}

// Goes on until a subrequest is under way, NGX_AGAIN, or the fetch has ended, NGX_OK.
ngx_int_t ngx_http_surtitle_job_next(ngx_http_request_t *r, ngx_http_surtitle_job_t *job) {
#if (NGX_OPENSSL)
    (void)surtitle_fetch_set_decrypt(job->fetch, ngx_http_surtitle_decrypt, NULL);
#endif
    for (;;) {
        surtitle_fetch_request wanted = {.size = sizeof(wanted)};
        if (surtitle_fetch_next(job->fetch, &wanted) != SURTITLE_NEEDS_MORE) return NGX_OK;
        ngx_int_t answer = ngx_http_surtitle_subrequest(r, job, &wanted);
        if (answer != NGX_DECLINED) return answer == NGX_OK ? NGX_AGAIN : NGX_ERROR;
        ngx_log_error(
            NGX_LOG_WARN, r->connection->log, 0, "surtitle: %s asks only this server, and not for \"%*s\"", job->name,
            wanted.url.count, wanted.url.bytes);
        surtitle_fetch_fail(job->fetch);
    }
}

// ---- For the filters ----------------------------------------------------------------------------------------------

// The head of a response that a fetch waits for.
ngx_int_t ngx_http_surtitle_fetching_header(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    surtitle_field few[32], *fields = few;
    surtitle_text none = {NULL, 0};
    size_t count;
    if (ngx_http_surtitle_fields_out(r, r->headers_out.content_length_n, &fields, 32, &count) != NGX_OK) return NGX_ERROR;
    int need = surtitle_fetch_begin(ctx->job->fetch, (int)r->headers_out.status, none, 0, fields, count);
    ctx->is_asked = 1;
    ctx->is_wanting = need == SURTITLE_NEEDS_MORE;
    return NGX_OK;
}

// Reads of a file what the fetch wants of it, and no more: the copy filter would read all of it before it lets go of the worker.
static ngx_int_t ngx_http_surtitle_fetching_file(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, ngx_buf_t *buffer) {
    if (ctx->read == NULL) ctx->read = ngx_palloc(r->pool, NGX_HTTP_SURTITLE_READ);
    if (ctx->read == NULL) return NGX_ERROR;
    while (ctx->is_wanting && buffer->file_pos < buffer->file_last) {
        size_t most = ngx_min((off_t)NGX_HTTP_SURTITLE_READ, buffer->file_last - buffer->file_pos);
        ssize_t count = ngx_read_file(buffer->file, ctx->read, most, buffer->file_pos);
        if (count <= 0) return NGX_ERROR;
        ctx->is_wanting = surtitle_fetch_write(ctx->job->fetch, ctx->read, count) == SURTITLE_NEEDS_MORE;
        buffer->file_pos += count;
    }
    return NGX_OK;
}

// The body of it.
ngx_int_t ngx_http_surtitle_fetching_body(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, ngx_chain_t *in) {
    for (; in != NULL; in = in->next) {
        ngx_buf_t *buffer = in->buf;
        if (ctx->is_wanting && ngx_buf_in_memory(buffer)) {
            ctx->is_wanting =
                surtitle_fetch_write(ctx->job->fetch, buffer->pos, buffer->last - buffer->pos) == SURTITLE_NEEDS_MORE;
        }
        if (!ngx_buf_in_memory(buffer) && buffer->in_file && ngx_http_surtitle_fetching_file(r, ctx, buffer) != NGX_OK) {
            return NGX_ERROR;
        }
        if (ngx_buf_in_memory(buffer)) buffer->pos = buffer->last;
        if (buffer->in_file) buffer->file_pos = buffer->file_last;
        if (ngx_http_surtitle_is_last(r, buffer)) ctx->is_ending = 1;
    }
    return NGX_OK;
}
