// The body filter.
//
//     in        what has come and is not rewritten: buffers of others, in order
//     out       what has been rewritten (ngx_http_surtitle_rewriting.c)
//
// Bytes that nobody will edit any more (a media playlist, mostly) are passed on as they are, and keep their length.
#include "ngx_http_surtitle.h"

static ngx_http_output_body_filter_pt ngx_http_surtitle_next_body_filter;

// ---- Sending ------------------------------------------------------------------------------------------------------------------

// Puts the marks of the input's buffers onto the last one that goes out.
static ngx_int_t ngx_http_surtitle_mark(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    ngx_buf_t *last = NULL;
    for (ngx_chain_t *link = ctx->out; link != NULL; link = link->next) last = link->buf;
    if (last == NULL) {
        ngx_chain_t *link = ngx_alloc_chain_link(r->pool);
        last = ngx_calloc_buf(r->pool);
        if (link == NULL || last == NULL) return NGX_ERROR;
        link->buf = last;
        link->next = NULL;
        *ctx->last_out = link;
        ctx->last_out = &link->next;
        last->sync = ctx->is_ending && !ctx->is_last_buf;
    }
    last->flush = ctx->is_flushing;
    if (ctx->is_ending) {
        last->last_buf = ctx->is_last_buf;
        last->last_in_chain = ctx->is_last_in_chain;
    }
    return NGX_OK;
}

static ngx_int_t ngx_http_surtitle_note_end(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    surtitle_report report = {.size = sizeof(report)};
    if (surtitle_rewriter_report(ctx->rewriter, &report) != SURTITLE_OK) return NGX_ERROR;
    ngx_http_surtitle_note(r, ctx, &report);
    return NGX_OK;
}

static ngx_int_t ngx_http_surtitle_send(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, ngx_int_t filled) {
    if (filled != NGX_OK || ctx->is_flushing) ngx_http_surtitle_buffer_close(ctx);
    if ((filled == NGX_DONE && ctx->is_ending) || (filled != NGX_AGAIN && ctx->is_flushing)) {
        if (ngx_http_surtitle_mark(r, ctx) != NGX_OK) return NGX_ERROR;
        ctx->is_flushing = 0;
    }
    if (filled == NGX_DONE || filled == NGX_DECLINED) {
        if (ngx_http_surtitle_note_end(r, ctx) != NGX_OK) return NGX_ERROR;
        *ctx->last_out = ctx->in;
        ctx->in = NULL;
        ctx->state = NGX_HTTP_SURTITLE_PASSING;
        ngx_http_surtitle_rewriter_keep(ctx);
    }
    if (ctx->out == NULL) return NGX_OK;
    ngx_int_t answer = ngx_http_surtitle_next_body_filter(r, ctx->out);
    ngx_chain_update_chains(r->pool, &ctx->free, &ctx->busy, &ctx->out, (ngx_buf_tag_t)&ngx_http_surtitle_module);
    ctx->last_out = &ctx->out;
    return answer;
}

// ---- Looking ------------------------------------------------------------------------------------------------------------------

// Takes the first bytes, and asks again once they tell. NGX_AGAIN if they do not yet. Then they are put back.
static ngx_int_t ngx_http_surtitle_look(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    int content = SURTITLE_CONTENT_OTHER, is_whole = 0;
    while (ctx->in != NULL && ctx->looked_count < NGX_HTTP_SURTITLE_LOOKED) {
        ngx_buf_t *input = ctx->in->buf;
        size_t count = ngx_buf_in_memory(input) ? (size_t)(input->last - input->pos) : 0;
        count = ngx_min(count, NGX_HTTP_SURTITLE_LOOKED - ctx->looked_count);
        ngx_memcpy(ctx->looked + ctx->looked_count, input->pos, count);
        ctx->looked_count += count;
        input->pos += count;
        if (input->in_file) input->file_pos += count;
        if (ngx_buf_size(input) > 0) break;
        is_whole = ngx_http_surtitle_is_last(r, input) || ngx_http_surtitle_is_break(r, input);
        if (is_whole) break;
        ngx_chain_t *link = ctx->in;
        ctx->in = link->next;
        ngx_free_chain(r->pool, link);
    }
    int status = surtitle_http_content(ctx->looked, ctx->looked_count, is_whole, &content);
    if (status == SURTITLE_NEEDS_MORE) return NGX_AGAIN;
    if (status != SURTITLE_OK || ngx_http_surtitle_response_ask(r, ctx, content) != NGX_OK) return NGX_ERROR;

    if (ctx->looked_count > 0) {
        ngx_chain_t *link = ngx_alloc_chain_link(r->pool);
        ngx_buf_t *looked = ngx_calloc_buf(r->pool);
        if (link == NULL || looked == NULL) return NGX_ERROR;
        looked->pos = looked->start = ctx->looked;
        looked->last = looked->end = ctx->looked + ctx->looked_count;
        looked->memory = 1;
        if (is_whole) {
            // The last buffer has nothing left, and nginx passes on no memory without bytes.
            ngx_chain_t *last = ctx->in;
            looked->flush = last->buf->flush;
            looked->last_buf = last->buf->last_buf;
            looked->last_in_chain = last->buf->last_in_chain;
            ctx->in = last->next;
            ngx_free_chain(r->pool, last);
        }
        link->buf = looked;
        link->next = ctx->in;
        ctx->in = link;
    }
    switch (ctx->decision.action) {
    case SURTITLE_RESPONSE_HOLD: ctx->state = NGX_HTTP_SURTITLE_HOLDING; break;
    case SURTITLE_RESPONSE_STREAM: ctx->state = NGX_HTTP_SURTITLE_STREAMING; break;
    default: ctx->state = NGX_HTTP_SURTITLE_PASSING;
    }
    return NGX_OK;
}

// What was looked at is nothing to edit: the header, and what has come so far.
static ngx_int_t ngx_http_surtitle_pass(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    ngx_int_t answer = ngx_http_surtitle_header_send(r, ctx);
    if (answer == NGX_ERROR || answer > NGX_OK || r->header_only) return answer;
    return ngx_http_surtitle_next_body_filter(r, ctx->in);
}

// ---- The filter ---------------------------------------------------------------------------------------------------------------

// Answers with an error in place of a playlist that broke off before anything of it had gone: a client of HTTP/1.0 would take the end of the
// connection for the end of the playlist. It is not nginx's own way for filters (ngx_http_filter_finalize_request), which gives the request up
// behind the answer: an `error_page` in a location with `proxy_pass` would never come. nginx's upstream, which has told of the end, is done with the
// request, and hands on what is returned here.
static ngx_int_t ngx_http_surtitle_fail(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    if (ngx_http_surtitle_note_end(r, ctx) != NGX_OK) return NGX_ERROR;
    ngx_http_surtitle_rewriter_keep(ctx);
    ctx->state = NGX_HTTP_SURTITLE_PASSING;
    ngx_http_clean_header(r);
    ngx_memzero(r->ctx, sizeof(void *) * ngx_http_max_module);
    ngx_http_set_ctx(r, ctx, ngx_http_surtitle_module);
    ctx->request = NULL; // if the answer is a location's, the question is asked anew
    return ngx_http_special_response_handler(r, NGX_HTTP_BAD_GATEWAY);
}

// Lets the connection end with a reset, because a client of HTTP/1.0 takes any other end for that of the playlist.
static void ngx_http_surtitle_reset_at_close(ngx_http_request_t *r) {
    struct linger linger = {.l_onoff = 1, .l_linger = 0};
    r->keepalive = 0;
    (void)setsockopt(r->connection->fd, SOL_SOCKET, SO_LINGER, (const void *)&linger, sizeof(linger));
}

// Reads what the buffer is of, for filters behind this one that said so with the header: the copy filter has handed it on by then.
static ngx_int_t ngx_http_surtitle_into_memory(ngx_http_request_t *r, ngx_buf_t *buffer) {
    size_t count = buffer->file_last - buffer->file_pos;
    u_char *memory = ngx_palloc(r->pool, count);
    if (memory == NULL || ngx_read_file(buffer->file, memory, count, buffer->file_pos) != (ssize_t)count) return NGX_ERROR;
    buffer->start = buffer->pos = memory;
    buffer->end = buffer->last = memory + count;
    buffer->temporary = 1;
    buffer->in_file = 0;
    return NGX_OK;
}

// Sends the header, which has waited, and what is kept in place of the buffer.
static ngx_int_t ngx_http_surtitle_send_kept(
    ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, ngx_http_surtitle_whole_t *whole, ngx_buf_t *input) {
    const surtitle_report *report;
    ngx_buf_t *buffer = ngx_http_surtitle_cache_use(r, whole, input, &report);
    if (buffer == NULL) return NGX_ERROR;
    ngx_http_surtitle_note(r, ctx, report);
    ngx_http_surtitle_rewriter_keep(ctx);
    ctx->written = ngx_buf_size(buffer);
    ctx->state = NGX_HTTP_SURTITLE_DRAINING;
    ngx_int_t answer = ngx_http_surtitle_header_send(r, ctx);
    ctx->state = NGX_HTTP_SURTITLE_PASSING;
    if (answer == NGX_ERROR || answer > NGX_OK || r->header_only) return answer;
    if (!ngx_buf_in_memory(buffer) && (r->main_filter_need_in_memory || r->filter_need_in_memory)
        && ngx_http_surtitle_into_memory(r, buffer) != NGX_OK)
    {
        return NGX_ERROR;
    }
    ngx_chain_t out = {buffer, NULL};
    return ngx_http_surtitle_next_body_filter(r, &out);
}

// Whether the header goes on waiting, after all that has come has been rewritten.
static ngx_uint_t ngx_http_surtitle_waits(ngx_http_surtitle_ctx_t *ctx) {
    if (ctx->state == NGX_HTTP_SURTITLE_HOLDING) return ctx->received <= ctx->decision.hold_bytes;
    return ctx->received == 0;
}

static ngx_int_t ngx_http_surtitle_body_filter(ngx_http_request_t *r, ngx_chain_t *in) {
    ngx_http_surtitle_ctx_t *ctx = ngx_http_get_module_ctx(r, ngx_http_surtitle_module);
    if (ctx != NULL && ctx->state == NGX_HTTP_SURTITLE_FETCHING) return ngx_http_surtitle_fetching_body(r, ctx, in);
    if (ctx == NULL || ctx->state == NGX_HTTP_SURTITLE_ASKED || ctx->state == NGX_HTTP_SURTITLE_PASSING) {
        return ngx_http_surtitle_next_body_filter(r, in);
    }
    if (ctx->may_be_kept && in != NULL) {
        ctx->may_be_kept = 0;
        ngx_http_surtitle_whole_t *whole = ngx_http_surtitle_cache_get(r, ctx, in);
        if (whole != NULL) return ngx_http_surtitle_send_kept(r, ctx, whole, in->buf);
    }
    if (in != NULL && ngx_chain_add_copy(r->pool, &ctx->in, in) != NGX_OK) return NGX_ERROR;

    if (ctx->state == NGX_HTTP_SURTITLE_LOOKING) {
        ngx_int_t looked = ngx_http_surtitle_look(r, ctx);
        if (looked != NGX_OK) return looked == NGX_AGAIN ? NGX_OK : looked;
        if (ctx->state == NGX_HTTP_SURTITLE_PASSING) return ngx_http_surtitle_pass(r, ctx);
    }
    if (ngx_http_surtitle_rewriter_get(ctx) != NGX_OK) return NGX_ERROR;
    if (ctx->busy != NULL && (in == NULL || ctx->is_blocked)) {
        ngx_chain_t *none = NULL;
        if (ngx_http_surtitle_next_body_filter(r, NULL) == NGX_ERROR) return NGX_ERROR;
        ngx_chain_update_chains(r->pool, &ctx->free, &ctx->busy, &none, (ngx_buf_tag_t)&ngx_http_surtitle_module);
    }

    for (;;) {
        ngx_int_t filled = ngx_http_surtitle_fill(r, ctx);
        if (filled == NGX_ERROR) return NGX_ERROR;
        ngx_uint_t is_torn = ctx->is_abandoned && r->http_version < NGX_HTTP_VERSION_11 && r == r->main;
        if (is_torn && !ctx->is_header_waiting) ngx_http_surtitle_reset_at_close(r);
        if (ctx->is_header_waiting) {
            if (filled == NGX_OK && ngx_http_surtitle_waits(ctx)) return NGX_OK;
            if (filled == NGX_OK && ngx_http_surtitle_settle(ctx) != NGX_OK) return NGX_ERROR;
            if (is_torn) return ngx_http_surtitle_fail(r, ctx);
            ngx_int_t sent = ngx_http_surtitle_header_send(r, ctx);
            if (sent == NGX_ERROR || sent > NGX_OK || r->header_only) return sent;
            if (ctx->state == NGX_HTTP_SURTITLE_HOLDING) ctx->state = NGX_HTTP_SURTITLE_STREAMING;
        }
        ngx_int_t answer = ngx_http_surtitle_send(r, ctx, filled);
        if (answer == NGX_ERROR) return NGX_ERROR;
        ctx->is_blocked = filled == NGX_AGAIN && ctx->free == NULL;
        if (ctx->is_blocked) {
            r->buffered |= NGX_HTTP_SURTITLE_BUFFERED;
            return NGX_AGAIN;
        }
        if (filled == NGX_AGAIN) continue;
        r->buffered &= ~NGX_HTTP_SURTITLE_BUFFERED;
        return answer;
    }
}

void ngx_http_surtitle_body_init(void) {
    ngx_http_surtitle_next_body_filter = ngx_http_top_body_filter;
    ngx_http_top_body_filter = ngx_http_surtitle_body_filter;
}
