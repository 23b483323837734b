// A delivery processor for Varnish 7.1: playlists are cached as they come from the origin, and get their tracks on each delivery.
//
//     vcl_recv      tracks.request()     the question of the request: Range, conditions and encodings are edited
//     vcl_deliver   tracks.response()    that of the response: ETag, Content-Length and others are edited
//     body          init                 a playlist of up to 64 KiB is rewritten at once, so that its length is known before the header goes
//                   bytes                sends it, or rewrites what is longer as it comes
//
// Where the origin breaks off, what was held of a torn line is sent as it came, nothing is appended, and Varnish closes the connection.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cache/cache.h>
#include <cache/cache_filter.h>
#include <surtitle.h>
#include <vsb.h>

#include "vcc_if.h"

struct vmod_surtitle_tracks {
    unsigned magic;
#define TRACKS_MAGIC 0x5b7217e1
    surtitle_configuration *configuration;
    surtitle_http_rules *rules;
    uint64_t fingerprint;
};

// What is known of a request.
struct task {
    const struct vmod_surtitle_tracks *tracks;
    surtitle_exchange *exchange;
    surtitle_decision decision;
};

// A body on its way.
struct body {
    surtitle_rewriter *rewriter;
    const struct objcore *object;
    struct vsb *output; // what has been rewritten and not been sent
    uint64_t received;
    uint64_t hold_bytes;
    int is_held; // all of the output is there; what is delivered is dropped
    int is_broken; // the origin broke off
    int is_sent;
};

static const struct vdp surtitle_vdp;

// ---- Header fields ------------------------------------------------------------------------------------------------------------

enum { MOST_FIELDS = 128 };

static size_t list_fields(const struct http *http, surtitle_field *fields) {
    size_t count = 0;
    for (unsigned i = HTTP_HDR_FIRST; i < http->nhd && count < MOST_FIELDS; i++) {
        const char *name = http->hd[i].b, *end = http->hd[i].e, *colon = name == NULL ? NULL : memchr(name, ':', end - name);
        if (colon == NULL) continue;
        const char *value = colon + 1;
        while (value < end && *value == ' ') value++;
        fields[count++] = (surtitle_field){name, colon - name, value, end - value};
    }
    return count;
}

static void edit_fields(struct http *http, const surtitle_field *edits, size_t count) {
    for (size_t i = 0; i < count; i++) {
        char name[64]; // as Varnish has names: a byte that counts, and a colon at the end
        if (edits[i].name_count > sizeof(name) - 3) continue;
        snprintf(name, sizeof(name), "%c%.*s:", (int)edits[i].name_count + 1, (int)edits[i].name_count, edits[i].name);
        http_Unset(http, name);
        if (edits[i].value == NULL) continue;
        http_PrintfHeader(http, "%s %.*s", name + 1, (int)edits[i].value_count, edits[i].value);
    }
}

static int is_edited(const struct task *task) {
    return task->decision.action == SURTITLE_RESPONSE_HOLD || task->decision.action == SURTITLE_RESPONSE_STREAM;
}

// Whether it is the answer to HEAD for a playlist: it has no body, and its length is not the origin's.
static int has_other_length(const struct task *task) {
    return task->decision.reason == SURTITLE_REASON_HEAD && task->decision.edit_count > 0;
}

// ---- The two questions --------------------------------------------------------------------------------------------------------

static void task_free(VRT_CTX, void *task) {
    surtitle_exchange_destroy(((struct task *)task)->exchange);
    free(task);
}

static const struct vmod_priv_methods task_methods = {VMOD_PRIV_METHODS_MAGIC, "surtitle", task_free};

VCL_VOID vmod_tracks_request(VRT_CTX, struct vmod_surtitle_tracks *tracks) {
    struct vmod_priv *priv = ctx->http_req == NULL ? NULL : VRT_priv_task(ctx, &surtitle_vdp);
    if (priv == NULL) return;
    struct task *task = priv->priv;
    if (task == NULL) {
        priv->priv = task = calloc(1, sizeof *task);
        priv->methods = &task_methods;
        if (task == NULL || surtitle_exchange_create(tracks->rules, &task->exchange) != SURTITLE_OK) return;
    }
    task->tracks = tracks;
    task->decision.size = sizeof task->decision;
    const struct http *http = ctx->http_req;
    surtitle_text method = {http->hd[HTTP_HDR_METHOD].b, Tlen(http->hd[HTTP_HDR_METHOD])};
    surtitle_text target = {http->hd[HTTP_HDR_URL].b, Tlen(http->hd[HTTP_HDR_URL])};
    surtitle_field fields[MOST_FIELDS];
    size_t count = list_fields(http, fields);
    if (surtitle_exchange_request(task->exchange, tracks->fingerprint, -1, method, target, fields, count, &task->decision) == SURTITLE_OK) {
        edit_fields(ctx->http_req, task->decision.edits, task->decision.edit_count);
    }
}

struct first_bytes {
    uint8_t bytes[12];
    size_t count;
};

static int look(void *priv, unsigned flush, const void *bytes, ssize_t length) {
    struct first_bytes *first = priv;
    size_t count = sizeof(first->bytes) - first->count;
    if (count > (size_t)length) count = length;
    if (count > 0) memcpy(first->bytes + first->count, bytes, count);
    first->count += count;
    return first->count == sizeof(first->bytes);
}

VCL_BOOL vmod_tracks_response(VRT_CTX, struct vmod_surtitle_tracks *tracks) {
    struct vmod_priv *priv = ctx->http_resp == NULL ? NULL : VRT_priv_task_get(ctx, &surtitle_vdp);
    struct task *task = priv == NULL ? NULL : priv->priv;
    if (task == NULL || task->exchange == NULL) return 0;
    surtitle_field fields[MOST_FIELDS];
    size_t count = list_fields(ctx->http_resp, fields);
    int http_status = http_GetStatus(ctx->http_resp), content = SURTITLE_CONTENT_UNSEEN;
    int status = surtitle_exchange_response(task->exchange, http_status, content, fields, count, &task->decision);
    if (status == SURTITLE_OK && task->decision.action == SURTITLE_RESPONSE_LOOK) {
        struct first_bytes first = {.count = 0};
        (void)ObjIterate(ctx->req->wrk, ctx->req->objcore, &first, look, 0);
        (void)surtitle_http_content(first.bytes, first.count, 1, &content);
        status = surtitle_exchange_response(task->exchange, http_status, content, fields, count, &task->decision);
    }
    if (status != SURTITLE_OK) return 0;
    edit_fields(ctx->http_resp, task->decision.edits, task->decision.edit_count);
    // Varnish answers 304 by itself, after this. It compares with the tag that the client knows.
    const char *tags;
    http_Unset(ctx->http_req, H_If_None_Match);
    if (http_GetHdr(ctx->req->http0, H_If_None_Match, &tags)) http_ForceHeader(ctx->http_req, H_If_None_Match, tags);
    return is_edited(task) || has_other_length(task);
}

// ---- The body -----------------------------------------------------------------------------------------------------------------

static void collect(struct body *body, int status, const surtitle_piece *pieces, size_t count) {
    if (status != SURTITLE_OK && status != SURTITLE_LIMIT_EXCEEDED) return;
    for (size_t i = 0; i < count; i++) VSB_bcat(body->output, pieces[i].bytes, pieces[i].count);
}

static void rewrite(struct body *body, const void *bytes, size_t length) {
    const surtitle_piece *pieces;
    size_t count = 0;
    int status = surtitle_rewriter_write(body->rewriter, bytes, length, &pieces, &count);
    collect(body, status, pieces, count);
}

static void end(struct body *body, int (*ending)(surtitle_rewriter *, const surtitle_piece **, size_t *)) {
    const surtitle_piece *pieces;
    size_t count = 0;
    int status = ending(body->rewriter, &pieces, &count);
    collect(body, status, pieces, count);
}

// Whether the origin has broken off. Of a fetch that has ended, Varnish iterates over what came as if it were whole: the flag tells then.
static int has_broken_off(const struct objcore *object) {
    return (object->flags & OC_F_FAILED) != 0 || (object->boc != NULL && object->boc->state == BOS_FAILED);
}

static int hold(void *priv, unsigned flush, const void *bytes, ssize_t length) {
    struct body *body = priv;
    body->received += length;
    if (body->received > body->hold_bytes) return 1;
    rewrite(body, bytes, length);
    return 0;
}

// Rewrites an object that is not too long, waiting for it if it is still being fetched.
static void hold_object(struct vdp_ctx *context, struct body *body, struct objcore *object) {
    int answer = ObjIterate(context->wrk, object, body, hold, 0);
    if (answer > 0) {
        surtitle_rewriter_reset(body->rewriter);
        VSB_clear(body->output);
        return;
    }
    body->is_held = 1;
    body->is_broken = answer != 0 || has_broken_off(object);
    end(body, body->is_broken ? surtitle_rewriter_abandon : surtitle_rewriter_finish);
    AZ(VSB_finish(body->output));
    if (!body->is_broken) context->req->resp_len = VSB_len(body->output);
}

static int vdp_init(VRT_CTX, struct vdp_ctx *context, void **priv, struct objcore *object) {
    struct vmod_priv *known = VRT_priv_task_get(ctx, &surtitle_vdp);
    struct task *task = known == NULL ? NULL : known->priv;
    if (task == NULL) return 1;
    if (is_edited(task) || has_other_length(task)) context->req->resp_len = -1;
    if (!is_edited(task)) return 1;
    struct body *body = calloc(1, sizeof *body);
    if (body == NULL) return -1;
    *priv = body;
    body->object = ctx->req->objcore;
    body->output = VSB_new_auto();
    body->hold_bytes = task->decision.hold_bytes;
    if (surtitle_rewriter_create(task->tracks->configuration, NULL, &body->rewriter) != SURTITLE_OK) return -1;
    // Behind another processor, such as gunzip, there is no object to read.
    if (object != NULL && task->decision.action == SURTITLE_RESPONSE_HOLD) hold_object(context, body, object);
    return 0;
}

static int vdp_bytes(struct vdp_ctx *context, enum vdp_action action, void **priv, const void *bytes, ssize_t length) {
    struct body *body = *priv;
    if (!body->is_held) {
        VSB_clear(body->output);
        if (length > 0) rewrite(body, bytes, length);
        if (action == VDP_END) {
            body->is_broken = has_broken_off(body->object);
            end(body, body->is_broken ? surtitle_rewriter_abandon : surtitle_rewriter_finish);
        }
        AZ(VSB_finish(body->output));
    } else if (body->is_sent) {
        return action == VDP_END ? VDP_bytes(context, VDP_END, NULL, 0) : 0;
    }
    body->is_sent = 1;
    int answer = VDP_bytes(context, action == VDP_END ? VDP_END : VDP_FLUSH, VSB_data(body->output), VSB_len(body->output));
    return body->is_broken ? -1 : answer; // so that the client sees it too
}

static int vdp_fini(struct vdp_ctx *context, void **priv) {
    struct body *body = *priv;
    *priv = NULL;
    if (body == NULL) return 0;
    surtitle_rewriter_destroy(body->rewriter);
    VSB_destroy(&body->output);
    free(body);
    return 0;
}

static const struct vdp surtitle_vdp = {.name = "surtitle", .init = vdp_init, .bytes = vdp_bytes, .fini = vdp_fini};

int vmod_event(VRT_CTX, struct vmod_priv *priv, enum vcl_event_e event) {
    if (event == VCL_EVENT_DISCARD) VRT_RemoveFilter(ctx, NULL, &surtitle_vdp);
    const char *error = event == VCL_EVENT_LOAD ? VRT_AddFilter(ctx, NULL, &surtitle_vdp) : NULL;
    if (error != NULL) VRT_fail(ctx, "surtitle: %s", error);
    return error != NULL;
}

// ---- Tracks -------------------------------------------------------------------------------------------------------------------

VCL_VOID vmod_tracks__init(VRT_CTX, struct vmod_surtitle_tracks **place, const char *name, VCL_STRING path) {
    static uint8_t text[1 << 20]; // the longest that a configuration may be
    FILE *file = fopen(path, "r");
    size_t count = file == NULL ? 0 : fread(text, 1, sizeof text, file);
    if (file != NULL) fclose(file);
    struct vmod_surtitle_tracks *tracks;
    ALLOC_OBJ(tracks, TRACKS_MAGIC);
    AN(tracks);
    *place = tracks;
    surtitle_error error = {.size = sizeof error};
    if (surtitle_http_rules_create(NULL, &tracks->rules, &error) != SURTITLE_OK
        || surtitle_configuration_create_json(text, count, &tracks->configuration, &error) != SURTITLE_OK)
    {
        VRT_fail(ctx, "%s: %s %s", path, error.field, error.message);
        return;
    }
    surtitle_configuration_fingerprint(tracks->configuration, &tracks->fingerprint);
}

VCL_VOID vmod_tracks__fini(struct vmod_surtitle_tracks **place) {
    surtitle_configuration_destroy((*place)->configuration);
    surtitle_http_rules_destroy((*place)->rules);
    FREE_OBJ(*place);
}
