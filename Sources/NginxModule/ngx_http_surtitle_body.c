// The body filter: a playlist's bytes go through the rewriter into buffers of the module's own.
//
//     in        what has come and is not rewritten: buffers of others, in order
//     filling   one buffer of ours, which goes on being filled when the next bytes come
//     out       ours, full, on their way down
//     busy      ours that the client has not taken; they become free, and are filled again
//
// 7,000 edits of a large playlist would be 7,000 pieces, so that everything is copied: nginx would take longer to send pieces than the
// rewriter to make them. The memory of buffers goes to the next request of the worker, since fresh pages cost more than rewriting does.
//
// Bytes that nobody will edit any more (a media playlist, mostly) are passed on as they are, and keep their length.
//
// An input buffer is given back as soon as it has been read. Where all buffers are with a slow client, input waits in `in`, and whoever
// sends it waits for its buffers.
#include "ngx_http_surtitle.h"

// ---- Memory -------------------------------------------------------------------------------------------------------------------

// Memory that has served a request of this worker and waits for the next: all of one size.
static struct {
    u_char *memory[NGX_HTTP_SURTITLE_KEPT_BUFFERS];
    ngx_uint_t count;
    size_t size;
} ngx_http_surtitle_kept;

static u_char *ngx_http_surtitle_buffer_get(ngx_http_request_t *r, size_t size) {
    if (ngx_http_surtitle_kept.count > 0 && ngx_http_surtitle_kept.size == size) {
        return ngx_http_surtitle_kept.memory[--ngx_http_surtitle_kept.count];
    }
    return ngx_alloc(size, r->connection->log);
}

void ngx_http_surtitle_buffers_release(ngx_http_surtitle_ctx_t *ctx) {
    while (ctx->buffer_count > 0) {
        u_char *memory = ctx->buffers[--ctx->buffer_count];
        if (ngx_http_surtitle_kept.count == 0) ngx_http_surtitle_kept.size = ctx->conf->buffers.size;
        if (ngx_http_surtitle_kept.count < NGX_HTTP_SURTITLE_KEPT_BUFFERS
            && ngx_http_surtitle_kept.size == ctx->conf->buffers.size)
        {
            ngx_http_surtitle_kept.memory[ngx_http_surtitle_kept.count++] = memory;
        } else {
            ngx_free(memory);
        }
    }
}

void ngx_http_surtitle_buffers_exit(ngx_cycle_t *cycle) {
    while (ngx_http_surtitle_kept.count > 0) ngx_free(ngx_http_surtitle_kept.memory[--ngx_http_surtitle_kept.count]);
}

// ---- Output buffers -----------------------------------------------------------------------------------------------------------

// The buffer that is being filled is on its way, or free again if nothing is in it.
static void ngx_http_surtitle_close(ngx_http_surtitle_ctx_t *ctx) {
    ngx_chain_t *link = ctx->filling;
    if (link == NULL) return;
    ctx->filling = NULL;
    if (link->buf->last == link->buf->pos) {
        link->next = ctx->free;
        ctx->free = link;
        return;
    }
    link->next = NULL;
    *ctx->last_out = link;
    ctx->last_out = &link->next;
}

// Makes sure that there is a buffer with room; NGX_AGAIN if all are with the client.
static ngx_int_t ngx_http_surtitle_room(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    if (ctx->filling != NULL) {
        if (ctx->filling->buf->last < ctx->filling->buf->end) return NGX_OK;
        ngx_http_surtitle_close(ctx);
    }
    ngx_bufs_t *buffers = &ctx->conf->buffers;
    ngx_chain_t *link = ctx->free;
    ngx_buf_t *buffer;
    if (link != NULL) {
        ctx->free = link->next;
        buffer = link->buf;
        buffer->flush = 0;
        buffer->last_buf = 0;
        buffer->last_in_chain = 0;
    } else {
        if (ctx->buffer_count == (ngx_uint_t)buffers->num) return NGX_AGAIN;
        link = ngx_alloc_chain_link(r->pool);
        buffer = ngx_calloc_buf(r->pool);
        u_char *memory = ngx_http_surtitle_buffer_get(r, buffers->size);
        if (ctx->buffers == NULL) ctx->buffers = ngx_palloc(r->pool, buffers->num * sizeof(u_char *));
        if (memory == NULL || ctx->buffers == NULL) {
            ngx_free(memory);
            return NGX_ERROR;
        }
        ctx->buffers[ctx->buffer_count++] = memory;
        if (link == NULL || buffer == NULL) return NGX_ERROR;
        buffer->start = buffer->pos = buffer->last = memory;
        buffer->end = memory + buffers->size;
        buffer->temporary = 1;
        buffer->tag = (ngx_buf_tag_t)&ngx_http_surtitle_module;
        link->buf = buffer;
    }
    link->next = NULL;
    ctx->filling = link;
    return NGX_OK;
}

// ---- What a playlist was ------------------------------------------------------------------------------------------------------

static void ngx_http_surtitle_add(ngx_atomic_t *counter, uint64_t number) {
    if (number > 0) (void)ngx_atomic_fetch_add(counter, (ngx_atomic_int_t)number);
}

// Notes what variables, counters and the log tell, once the last byte has been rewritten.
static ngx_int_t ngx_http_surtitle_note(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    ngx_http_surtitle_main_conf_t *main = ngx_http_get_module_main_conf(r, ngx_http_surtitle_module);
    surtitle_report report = {.size = sizeof(report)};
    if (surtitle_rewriter_report(ctx->rewriter, &report) != SURTITLE_OK) return NGX_ERROR;
    ctx->verdict = report.verdict;
    ctx->uneditable_lines = report.uneditable_lines;
    ctx->added_bytes = report.added_bytes;

    ngx_http_surtitle_add(&main->counters->multivariant, report.verdict == SURTITLE_VERDICT_MULTIVARIANT);
    ngx_http_surtitle_add(&main->counters->uneditable_lines, report.uneditable_lines);
    ngx_http_surtitle_add(&main->counters->bailouts, report.exceeded_limit != SURTITLE_LIMIT_NONE);
    ngx_http_surtitle_add(&main->counters->abandoned, ctx->is_abandoned);
    if (report.uneditable_lines > 0) {
        ngx_log_error(
            NGX_LOG_WARN, r->connection->log, 0, "surtitle: %uL lines could not be edited, the first at byte %L",
            report.uneditable_lines, report.first_uneditable_line);
    }
    if (report.exceeded_limit != SURTITLE_LIMIT_NONE) {
        ngx_log_error(
            NGX_LOG_WARN, r->connection->log, 0, "surtitle: a limit was exceeded at byte %L, and the rest went unedited",
            report.limit_position);
    }
    if (ctx->is_abandoned) {
        ngx_log_error(NGX_LOG_WARN, r->connection->log, 0, "surtitle: the origin broke off, and nothing was appended");
    }
    return NGX_OK;
}

// ---- Rewriting ----------------------------------------------------------------------------------------------------------------

// Copies what the rewriter has handed out, as far as there are buffers for it. It is valid until the rewriter is called again, and a part of
// it may lie in the input, which is kept so long.
static ngx_int_t ngx_http_surtitle_copy_pieces(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    for (; ctx->piece_count > 0; ctx->pieces++, ctx->piece_count--, ctx->copied = 0) {
        while (ctx->copied < ctx->pieces->count) {
            ngx_int_t answer = ngx_http_surtitle_room(r, ctx);
            if (answer != NGX_OK) return answer;
            ngx_buf_t *output = ctx->filling->buf;
            size_t count = ngx_min((size_t)(output->end - output->last), ctx->pieces->count - ctx->copied);
            output->last = ngx_cpymem(output->last, ctx->pieces->bytes + ctx->copied, count);
            ctx->copied += count;
            ctx->written += count;
        }
    }
    return NGX_OK;
}

// What a call that hands out pieces has returned.
static ngx_int_t ngx_http_surtitle_check(ngx_http_request_t *r, int status) {
    // With SURTITLE_LIMIT_EXCEEDED the output is there all the same, and nobody can be told any more.
    if (status == SURTITLE_OK || status == SURTITLE_LIMIT_EXCEEDED) return NGX_OK;
    ngx_log_error(NGX_LOG_ERR, r->connection->log, 0, "surtitle: %s", surtitle_status_text(status));
    return NGX_ERROR;
}

// Finds out whether what has come so far tells that nobody will edit what follows. It costs a call, and is done when something follows.
static ngx_int_t ngx_http_surtitle_settle(ngx_http_surtitle_ctx_t *ctx) {
    surtitle_report report = {.size = sizeof(report)};
    if (ctx->is_verdict_known || ctx->received == 0) return NGX_OK;
    if (surtitle_rewriter_report(ctx->rewriter, &report) != SURTITLE_OK) return NGX_ERROR;
    ctx->is_verdict_known = report.verdict != SURTITLE_VERDICT_UNDECIDED;
    ctx->is_settled = report.is_settled && report.held_bytes == 0;
    return NGX_OK;
}

// Ends the playlist, as its source has ended.
static ngx_int_t ngx_http_surtitle_end(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    ctx->state = NGX_HTTP_SURTITLE_DRAINING;
    return ngx_http_surtitle_check(
        r, ctx->is_abandoned ? surtitle_rewriter_abandon(ctx->rewriter, &ctx->pieces, &ctx->piece_count)
                             : surtitle_rewriter_finish(ctx->rewriter, &ctx->pieces, &ctx->piece_count));
}

// Whether this is how nginx tells filters that the origin broke off: a flush after the upstream has been finalized.
static ngx_uint_t ngx_http_surtitle_is_break(ngx_http_request_t *r, ngx_buf_t *buffer) {
    return buffer->flush && !buffer->last_buf && !buffer->last_in_chain && r->upstream != NULL && r->upstream->cleanup == NULL;
}

static ngx_uint_t ngx_http_surtitle_is_last(ngx_http_request_t *r, ngx_buf_t *buffer) {
    return buffer->last_buf || (r != r->main && buffer->last_in_chain);
}

// Rewrites the buffer that waits first; NGX_AGAIN if no buffer is free for what becomes of it.
static ngx_int_t ngx_http_surtitle_rewrite(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, ngx_buf_t *input) {
    size_t count = input->last - input->pos;
    if (!ngx_buf_in_memory(input)) {
        ngx_log_error(NGX_LOG_ALERT, r->connection->log, 0, "surtitle: a buffer is not in memory");
        return NGX_ERROR;
    }
    if (!ctx->is_input_written) {
        int status = surtitle_rewriter_write(ctx->rewriter, input->pos, count, &ctx->pieces, &ctx->piece_count);
        if (ngx_http_surtitle_check(r, status) != NGX_OK) return NGX_ERROR;
        ctx->is_input_written = 1;
        ctx->received += count;
    }
    ngx_int_t answer = ngx_http_surtitle_copy_pieces(r, ctx);
    if (answer != NGX_OK) return answer;
    ctx->is_input_written = 0;
    input->pos = input->last;
    if (input->in_file) input->file_pos = input->file_last;
    return NGX_OK;
}

// Takes the buffer that waits first, in which there are no bytes any more, but marks.
static ngx_int_t ngx_http_surtitle_take_marks(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, ngx_buf_t *input) {
    ngx_chain_t *link = ctx->in;
    ctx->in = link->next;
    ngx_free_chain(r->pool, link);
    if (input->flush) ctx->is_flushing = 1;
    if (ngx_http_surtitle_is_last(r, input)) {
        ctx->is_ending = 1;
        ctx->is_last_buf = input->last_buf;
        ctx->is_last_in_chain = input->last_in_chain;
    } else if (ngx_http_surtitle_is_break(r, input)) {
        ctx->is_abandoned = 1;
    } else {
        return NGX_OK;
    }
    return ngx_http_surtitle_end(r, ctx);
}

// Rewrites what waits, as far as there are buffers for it.
//
//     NGX_OK         all of it; more is to come
//     NGX_AGAIN      no buffer is free
//     NGX_DONE       all of it, and it was the end
//     NGX_DECLINED   as much as anybody may edit: what waits now passes as it is
static ngx_int_t ngx_http_surtitle_fill(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    while (ctx->state != NGX_HTTP_SURTITLE_DRAINING && ctx->in != NULL) {
        ngx_buf_t *input = ctx->in->buf;
        ngx_uint_t has_bytes = ngx_buf_size(input) > 0;
        if (has_bytes && !ctx->is_input_written) {
            if (ngx_http_surtitle_settle(ctx) != NGX_OK) return NGX_ERROR;
            if (ctx->is_settled) return NGX_DECLINED;
        }
        ngx_int_t answer =
            has_bytes ? ngx_http_surtitle_rewrite(r, ctx, input) : ngx_http_surtitle_take_marks(r, ctx, input);
        if (answer != NGX_OK) return answer;
    }
    ngx_int_t answer = ngx_http_surtitle_copy_pieces(r, ctx);
    if (answer != NGX_OK) return answer;
    return ctx->state == NGX_HTTP_SURTITLE_DRAINING ? NGX_DONE : NGX_OK;
}

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

static ngx_int_t ngx_http_surtitle_send(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, ngx_int_t filled) {
    if (filled != NGX_OK || ctx->is_flushing) ngx_http_surtitle_close(ctx);
    if ((filled == NGX_DONE && ctx->is_ending) || (filled != NGX_AGAIN && ctx->is_flushing)) {
        if (ngx_http_surtitle_mark(r, ctx) != NGX_OK) return NGX_ERROR;
        ctx->is_flushing = 0;
    }
    if (filled == NGX_DONE || filled == NGX_DECLINED) {
        if (ngx_http_surtitle_note(r, ctx) != NGX_OK) return NGX_ERROR;
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
    ngx_chain_t *in = ctx->in;
    ctx->in = NULL;
    if (answer == NGX_ERROR || answer > NGX_OK || r->header_only) return answer;
    return ngx_http_surtitle_next_body_filter(r, in);
}

// ---- The filter ---------------------------------------------------------------------------------------------------------------

static ngx_int_t ngx_http_surtitle_rewriter_get(ngx_http_surtitle_ctx_t *ctx) {
    ngx_http_surtitle_set_t *set = ctx->set;
    if (ctx->rewriter != NULL) return NGX_OK;
    if (set->kept_count > 0) {
        ctx->rewriter = set->kept[--set->kept_count];
        return NGX_OK;
    }
    return surtitle_rewriter_create(set->configuration, NULL, &ctx->rewriter) == SURTITLE_OK ? NGX_OK : NGX_ERROR;
}

// Answers with an error in place of a playlist that broke off before anything of it had gone: a client of HTTP/1.0 would take the end of the
// connection for the end of the playlist.
static ngx_int_t ngx_http_surtitle_fail(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    if (ngx_http_surtitle_note(r, ctx) != NGX_OK) return NGX_ERROR;
    ngx_http_surtitle_rewriter_keep(ctx);
    ctx->state = NGX_HTTP_SURTITLE_PASSING;
    ctx->is_header_waiting = 0;
    return ngx_http_filter_finalize_request(r, &ngx_http_surtitle_module, NGX_HTTP_BAD_GATEWAY);
}

// Whether the header goes on waiting, after all that has come has been rewritten.
static ngx_uint_t ngx_http_surtitle_waits(ngx_http_surtitle_ctx_t *ctx) {
    if (ctx->state == NGX_HTTP_SURTITLE_HOLDING) return ctx->received <= ctx->decision.hold_bytes;
    return ctx->received == 0;
}

ngx_int_t ngx_http_surtitle_body_filter(ngx_http_request_t *r, ngx_chain_t *in) {
    ngx_http_surtitle_ctx_t *ctx = ngx_http_get_module_ctx(r, ngx_http_surtitle_module);
    if (ctx == NULL || ctx->state == NGX_HTTP_SURTITLE_ASKED || ctx->state == NGX_HTTP_SURTITLE_PASSING) {
        return ngx_http_surtitle_next_body_filter(r, in);
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
        if (ctx->is_header_waiting) {
            if (filled == NGX_OK && ngx_http_surtitle_waits(ctx)) return NGX_OK;
            if (filled == NGX_OK && ngx_http_surtitle_settle(ctx) != NGX_OK) return NGX_ERROR;
            if (ctx->is_abandoned && r->http_version < NGX_HTTP_VERSION_11 && r == r->main) return ngx_http_surtitle_fail(r, ctx);
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
