// A playlist's bytes through the rewriter, from the buffers that wait into those that go out.
//
// 7,000 edits of a large playlist would be 7,000 pieces, so that everything is copied: nginx would take longer to send pieces than the
// rewriter to make them.
//
// An input buffer is given back as soon as it has been read. Where all buffers are with a slow client, input waits in `in`, and whoever
// sends it waits for its buffers.
#include "ngx_http_surtitle.h"

// ---- What a playlist was ------------------------------------------------------------------------------------------------------

static void ngx_http_surtitle_add(ngx_atomic_t *counter, uint64_t number) {
    if (number > 0) (void)ngx_atomic_fetch_add(counter, (ngx_atomic_int_t)number);
}

// Notes what variables, counters and the log tell, once the last byte has been rewritten.
void ngx_http_surtitle_note(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, const surtitle_report *report) {
    ngx_http_surtitle_main_conf_t *main = ngx_http_get_module_main_conf(r, ngx_http_surtitle_module);
    ctx->verdict = report->verdict;
    ctx->uneditable_lines = report->uneditable_lines;
    ctx->added_bytes = report->added_bytes;

    ngx_http_surtitle_add(&main->counters->multivariant, report->verdict == SURTITLE_VERDICT_MULTIVARIANT);
    ngx_http_surtitle_add(&main->counters->uneditable_lines, report->uneditable_lines);
    ngx_http_surtitle_add(&main->counters->bailouts, report->exceeded_limit != SURTITLE_LIMIT_NONE);
    ngx_http_surtitle_add(&main->counters->abandoned, ctx->is_abandoned);
    if (report->uneditable_lines > 0) {
        ngx_log_error(
            NGX_LOG_WARN, r->connection->log, 0, "surtitle: %uL lines could not be edited, the first at byte %L",
            report->uneditable_lines, report->first_uneditable_line);
    }
    if (report->exceeded_limit != SURTITLE_LIMIT_NONE) {
        ngx_log_error(
            NGX_LOG_WARN, r->connection->log, 0, "surtitle: a limit was exceeded at byte %L, and the rest went unedited",
            report->limit_position);
    }
    if (ctx->is_abandoned) {
        ngx_log_error(NGX_LOG_WARN, r->connection->log, 0, "surtitle: the origin broke off, and nothing was appended");
    }
}

// ---- Rewriting ----------------------------------------------------------------------------------------------------------------

// Copies what the rewriter has handed out, as far as there are buffers for it. It is valid until the rewriter is called again, and a part of
// it may lie in the input, which is kept so long.
static ngx_int_t ngx_http_surtitle_copy_pieces(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    for (; ctx->piece_count > 0; ctx->pieces++, ctx->piece_count--, ctx->copied = 0) {
        while (ctx->copied < ctx->pieces->count) {
            ngx_int_t answer = ngx_http_surtitle_buffer_room(r, ctx);
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
ngx_int_t ngx_http_surtitle_settle(ngx_http_surtitle_ctx_t *ctx) {
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
ngx_uint_t ngx_http_surtitle_is_break(ngx_http_request_t *r, ngx_buf_t *buffer) {
    return buffer->flush && !buffer->last_buf && !buffer->last_in_chain && r->upstream != NULL && r->upstream->cleanup == NULL;
}

ngx_uint_t ngx_http_surtitle_is_last(ngx_http_request_t *r, ngx_buf_t *buffer) {
    return buffer->last_buf || (r != r->main && buffer->last_in_chain);
}

// Reads the next bytes of a file for which nobody has been asked to read, since it might have been kept.
static ngx_int_t ngx_http_surtitle_read_next(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, ngx_buf_t *input, ngx_str_t *bytes) {
    size_t most = ngx_min(input->file_last - input->file_pos, NGX_HTTP_SURTITLE_READ);
    if (ctx->read == NULL) ctx->read = ngx_palloc(r->pool, NGX_HTTP_SURTITLE_READ);
    if (ctx->read == NULL) return NGX_ERROR;
    ssize_t count = ngx_read_file(input->file, ctx->read, most, input->file_pos);
    if (count <= 0) return NGX_ERROR;
    *bytes = (ngx_str_t){count, ctx->read};
    return NGX_OK;
}

// Rewrites the buffer that waits first; NGX_AGAIN if no buffer is free for what becomes of it.
static ngx_int_t ngx_http_surtitle_rewrite(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, ngx_buf_t *input) {
    if (ctx->input_count == 0) {
        ngx_str_t bytes = {input->last - input->pos, input->pos};
        if (!ngx_buf_in_memory(input) && ngx_http_surtitle_read_next(r, ctx, input, &bytes) != NGX_OK) return NGX_ERROR;
        int status = surtitle_rewriter_write(ctx->rewriter, bytes.data, bytes.len, &ctx->pieces, &ctx->piece_count);
        if (ngx_http_surtitle_check(r, status) != NGX_OK) return NGX_ERROR;
        ctx->input_count = bytes.len;
        ctx->received += bytes.len;
    }
    ngx_int_t answer = ngx_http_surtitle_copy_pieces(r, ctx);
    if (answer != NGX_OK) return answer;
    if (ngx_buf_in_memory(input)) input->pos += ctx->input_count;
    if (input->in_file) input->file_pos += ctx->input_count;
    ctx->input_count = 0;
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
ngx_int_t ngx_http_surtitle_fill(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    while (ctx->state != NGX_HTTP_SURTITLE_DRAINING && ctx->in != NULL) {
        ngx_buf_t *input = ctx->in->buf;
        ngx_uint_t has_bytes = ngx_buf_size(input) > 0;
        if (has_bytes && ctx->input_count == 0) {
            if (ngx_http_surtitle_settle(ctx) != NGX_OK) return NGX_ERROR;
            if (ctx->is_settled && ngx_buf_in_memory(input)) return NGX_DECLINED;
        }
        ngx_int_t answer =
            has_bytes ? ngx_http_surtitle_rewrite(r, ctx, input) : ngx_http_surtitle_take_marks(r, ctx, input);
        if (answer != NGX_OK) return answer;
    }
    ngx_int_t answer = ngx_http_surtitle_copy_pieces(r, ctx);
    if (answer != NGX_OK) return answer;
    return ctx->state == NGX_HTTP_SURTITLE_DRAINING ? NGX_DONE : NGX_OK;
}
