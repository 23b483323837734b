// A playlist's bytes through the rewriter, from the buffers that wait into those that go out.
//
// 7,000 edits of a large playlist would be 7,000 pieces, so that everything is copied: nginx would take longer to send pieces than the
// rewriter to make them. The rewriter writes into the output buffers itself. It does so without a copy of its own where it sees that there is
// room, which it does of whole lines that are half as long as that:
//
//     input    …line⏎line⏎line⏎li│ne⏎line⏎…      cut behind the last line feed of so many bytes; what is left of a line goes by itself
//     output   ├─ written ─┤─── room ───┤        at its end a short chunk, of which a part has no room and is taken into the next one
//
// So each buffer becomes full: nginx lets buffers of fewer bytes than postpone_output wait for more.
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

// No chunk is shorter because there is little room: it would not be worth a call.
#define LEAST_CHUNK 1024

// The room to write to, in the buffer that is being filled; NGX_AGAIN if all are with the client.
static ngx_int_t ngx_http_surtitle_room(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, size_t *room) {
    ngx_int_t answer = ngx_http_surtitle_buffer_room(r, ctx);
    if (answer == NGX_OK) *room = ctx->filling->buf->end - ctx->filling->buf->last;
    return answer;
}

// Takes note of what a call has written into the buffer, and of its status.
static ngx_int_t ngx_http_surtitle_wrote(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, int status, size_t count) {
    ctx->filling->buf->last += count;
    ctx->written += count;
    // With SURTITLE_LIMIT_EXCEEDED the output is there all the same, and nobody can be told any more.
    ctx->has_rest = status == SURTITLE_MORE_OUTPUT || status == SURTITLE_LIMIT_EXCEEDED;
    if (ctx->has_rest || status == SURTITLE_OK) return NGX_OK;
    ngx_log_error(NGX_LOG_ERR, r->connection->log, 0, "surtitle: %s", surtitle_status_text(status));
    return NGX_ERROR;
}

// Takes what has had no room, as far as there are buffers for it.
static ngx_int_t ngx_http_surtitle_take_rest(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    while (ctx->has_rest) {
        size_t room, count = 0;
        ngx_int_t answer = ngx_http_surtitle_room(r, ctx, &room);
        if (answer != NGX_OK) return answer;
        int status = surtitle_rewriter_take(ctx->rewriter, ctx->filling->buf->last, room, &count);
        if (ngx_http_surtitle_wrote(r, ctx, status, count) != NGX_OK) return NGX_ERROR;
    }
    return NGX_OK;
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

// Ends the playlist, as its source has ended; NGX_AGAIN if no buffer is free for what that gives.
static ngx_int_t ngx_http_surtitle_end(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    size_t room, count = 0;
    ngx_int_t answer = ngx_http_surtitle_room(r, ctx, &room);
    if (answer != NGX_OK) return answer;
    ctx->must_end = 0;
    u_char *to = ctx->filling->buf->last;
    int status = ctx->is_abandoned ? surtitle_rewriter_abandon_to(ctx->rewriter, to, room, &count)
                                   : surtitle_rewriter_finish_to(ctx->rewriter, to, room, &count);
    return ngx_http_surtitle_wrote(r, ctx, status, count);
}

// Whether this is how nginx tells filters that the origin broke off: a flush after the upstream has been finalized.
ngx_uint_t ngx_http_surtitle_is_break(ngx_http_request_t *r, ngx_buf_t *buffer) {
    return buffer->flush && !buffer->last_buf && !buffer->last_in_chain && r->upstream != NULL && r->upstream->cleanup == NULL;
}

ngx_uint_t ngx_http_surtitle_is_last(ngx_http_request_t *r, ngx_buf_t *buffer) {
    return buffer->last_buf || (r != r->main && buffer->last_in_chain);
}

// Reads the next bytes of a file, `most` of them, for which nobody has been asked to read, since it might have been kept.
static ngx_int_t ngx_http_surtitle_read_next(
    ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, ngx_buf_t *input, size_t most, ngx_str_t *bytes) {
    most = ngx_min((off_t)ngx_min(most, NGX_HTTP_SURTITLE_READ), input->file_last - input->file_pos);
    if (ctx->read == NULL) ctx->read = ngx_palloc(r->pool, NGX_HTTP_SURTITLE_READ);
    if (ctx->read == NULL) return NGX_ERROR;
    ssize_t count = ngx_read_file(input->file, ctx->read, most, input->file_pos);
    if (count <= 0) return NGX_ERROR;
    *bytes = (ngx_str_t){count, ctx->read};
    return NGX_OK;
}

// Cuts bytes to whole lines, at most `most` of them if there are such lines; what is left of a line that has begun before goes by itself.
static void ngx_http_surtitle_cut(ngx_http_surtitle_ctx_t *ctx, size_t most, ngx_str_t *bytes) {
    size_t count = ngx_min(bytes->len, most), end = count;
    if (ctx->is_inside_line) {
        u_char *feed = memchr(bytes->data, '\n', count);
        end = feed == NULL ? 0 : (size_t)(feed + 1 - bytes->data);
    } else {
        while (end > 0 && bytes->data[end - 1] != '\n') end--;
    }
    ctx->is_inside_line = end == 0;
    bytes->len = end == 0 ? count : end;
}

// Rewrites bytes of the buffer that waits first; NGX_AGAIN if no buffer is free for what becomes of them.
static ngx_int_t ngx_http_surtitle_rewrite(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, ngx_buf_t *input) {
    size_t room, count = 0;
    ngx_int_t answer = ngx_http_surtitle_room(r, ctx, &room);
    if (answer != NGX_OK) return answer;
    ngx_str_t bytes = {input->last - input->pos, input->pos};
    // The first lines tell what it is: of a media playlist all others pass as they are. What becomes of more than there is room for is
    // copied twice.
    size_t most = ctx->is_verdict_known ? ngx_max(room - room / 8, LEAST_CHUNK) : LEAST_CHUNK;
    if (!ngx_buf_in_memory(input) && ngx_http_surtitle_read_next(r, ctx, input, most, &bytes) != NGX_OK) return NGX_ERROR;
    ngx_http_surtitle_cut(ctx, most, &bytes);
    int status = surtitle_rewriter_write_to(ctx->rewriter, bytes.data, bytes.len, ctx->filling->buf->last, room, &count);
    if (ngx_http_surtitle_wrote(r, ctx, status, count) != NGX_OK) return NGX_ERROR;
    ctx->received += bytes.len;
    if (ngx_buf_in_memory(input)) input->pos += bytes.len;
    if (input->in_file) input->file_pos += bytes.len;
    return NGX_OK;
}

// Takes the buffer that waits first, in which there are no bytes any more, but marks.
static void ngx_http_surtitle_take_marks(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx, ngx_buf_t *input) {
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
        return;
    }
    ctx->state = NGX_HTTP_SURTITLE_DRAINING;
    ctx->must_end = 1;
}

// Rewrites what waits, as far as there are buffers for it.
//
//     NGX_OK         all of it; more is to come
//     NGX_AGAIN      no buffer is free
//     NGX_DONE       all of it, and it was the end
//     NGX_DECLINED   as much as anybody may edit: what waits now passes as it is
ngx_int_t ngx_http_surtitle_fill(ngx_http_request_t *r, ngx_http_surtitle_ctx_t *ctx) {
    ngx_int_t answer = ngx_http_surtitle_take_rest(r, ctx);
    while (answer == NGX_OK && ctx->state != NGX_HTTP_SURTITLE_DRAINING && ctx->in != NULL) {
        ngx_buf_t *input = ctx->in->buf;
        if (ngx_buf_size(input) == 0) {
            ngx_http_surtitle_take_marks(r, ctx, input);
            continue;
        }
        if (ngx_http_surtitle_settle(ctx) != NGX_OK) return NGX_ERROR;
        if (ctx->is_settled && ngx_buf_in_memory(input)) return NGX_DECLINED;
        answer = ngx_http_surtitle_rewrite(r, ctx, input);
        if (answer == NGX_OK) answer = ngx_http_surtitle_take_rest(r, ctx);
    }
    if (answer == NGX_OK && ctx->must_end) {
        answer = ngx_http_surtitle_end(r, ctx);
        if (answer == NGX_OK) answer = ngx_http_surtitle_take_rest(r, ctx);
    }
    if (answer != NGX_OK) return answer;
    return ctx->state == NGX_HTTP_SURTITLE_DRAINING ? NGX_DONE : NGX_OK;
}
