// Directives, and what of them is inherited from level to level.
//
// Tracks go down whole, as with add_header: a level that has surtitle_track or surtitle_config has only its own. Each level that changes
// anything of them gets a set, a checked configuration of the library; others share the one above. The same for the rules for header fields.
#include "ngx_http_surtitle.h"

static ngx_int_t ngx_http_surtitle_init(ngx_conf_t *cf);
static void *ngx_http_surtitle_create_main_conf(ngx_conf_t *cf);
static char *ngx_http_surtitle_init_main_conf(ngx_conf_t *cf, void *conf);
static void *ngx_http_surtitle_create_loc_conf(ngx_conf_t *cf);
static char *ngx_http_surtitle_merge_loc_conf(ngx_conf_t *cf, void *parent, void *child);
static void *ngx_http_surtitle_create_srv_conf(ngx_conf_t *cf);
static char *ngx_http_surtitle(ngx_conf_t *cf, ngx_command_t *command, void *conf);
static char *ngx_http_surtitle_tracks(ngx_conf_t *cf, ngx_command_t *command, void *conf);
static char *ngx_http_surtitle_source(ngx_conf_t *cf, ngx_command_t *command, void *conf);
static char *ngx_http_surtitle_paths(ngx_conf_t *cf, ngx_command_t *command, void *conf);
static void ngx_http_surtitle_exit(ngx_cycle_t *cycle);

#define ANYWHERE NGX_HTTP_MAIN_CONF | NGX_HTTP_SRV_CONF | NGX_HTTP_LOC_CONF
#define LOC_OFFSET(field) NGX_HTTP_LOC_CONF_OFFSET, offsetof(ngx_http_surtitle_loc_conf_t, field)

static ngx_command_t ngx_http_surtitle_commands[] = {
    {ngx_string("surtitle"), ANYWHERE | NGX_HTTP_LIF_CONF | NGX_CONF_TAKE1, ngx_http_surtitle, LOC_OFFSET(value), NULL},
    {ngx_string("surtitle_track"), ANYWHERE | NGX_CONF_1MORE, ngx_http_surtitle_source, LOC_OFFSET(source),
     ngx_http_surtitle_source_track},
    {ngx_string("surtitle_config"), ANYWHERE | NGX_CONF_TAKE1, ngx_http_surtitle_source, LOC_OFFSET(source),
     ngx_http_surtitle_source_config},
    {ngx_string("surtitle_replace_default"), ANYWHERE | NGX_CONF_FLAG, ngx_http_surtitle_source, LOC_OFFSET(source),
     ngx_http_surtitle_source_replace_default},
    {ngx_string("surtitle_limits"), ANYWHERE | NGX_CONF_1MORE, ngx_http_surtitle_source, LOC_OFFSET(source),
     ngx_http_surtitle_source_limits},
    {ngx_string("surtitle_tracks"), NGX_HTTP_MAIN_CONF | NGX_CONF_BLOCK | NGX_CONF_TAKE1, ngx_http_surtitle_tracks,
     NGX_HTTP_MAIN_CONF_OFFSET, 0, NULL},
    {ngx_string("surtitle_live_zone"), NGX_HTTP_MAIN_CONF | NGX_CONF_TAKE1, ngx_http_surtitle_live_zone, NGX_HTTP_MAIN_CONF_OFFSET,
     0, NULL},
    {ngx_string("surtitle_serve"), ANYWHERE | NGX_CONF_FLAG, ngx_conf_set_flag_slot, LOC_OFFSET(serves), NULL},
    {ngx_string("surtitle_hold_size"), ANYWHERE | NGX_CONF_TAKE1, ngx_conf_set_size_slot, LOC_OFFSET(hold_size), NULL},
    {ngx_string("surtitle_paths"), ANYWHERE | NGX_CONF_1MORE, ngx_http_surtitle_paths, LOC_OFFSET(paths), NULL},
    {ngx_string("surtitle_ignore_no_transform"), ANYWHERE | NGX_CONF_FLAG, ngx_conf_set_flag_slot,
     LOC_OFFSET(ignores_no_transform), NULL},
    {ngx_string("surtitle_buffers"), ANYWHERE | NGX_CONF_TAKE2, ngx_conf_set_bufs_slot, LOC_OFFSET(buffers), NULL},
    {ngx_string("surtitle_cache"), ANYWHERE | NGX_CONF_TAKE1, ngx_conf_set_size_slot, LOC_OFFSET(cache_size), NULL},
    ngx_null_command
};

static ngx_http_module_t ngx_http_surtitle_module_ctx = {
    ngx_http_surtitle_variables_add,
    ngx_http_surtitle_init,
    ngx_http_surtitle_create_main_conf,
    ngx_http_surtitle_init_main_conf,
    ngx_http_surtitle_create_srv_conf,
    NULL,
    ngx_http_surtitle_create_loc_conf,
    ngx_http_surtitle_merge_loc_conf
};

ngx_module_t ngx_http_surtitle_module = {
    NGX_MODULE_V1,
    &ngx_http_surtitle_module_ctx,
    ngx_http_surtitle_commands,
    NGX_HTTP_MODULE,
    NULL,
    NULL,
    NULL,
    NULL,
    NULL,
    ngx_http_surtitle_exit,
    NULL,
    NGX_MODULE_V1_PADDING
};

static void ngx_http_surtitle_exit(ngx_cycle_t *cycle) {
    ngx_http_surtitle_streams_exit(cycle);
    ngx_http_surtitle_buffers_exit(cycle);
    ngx_http_surtitle_cache_exit(cycle);
}

// Tells servers of the same name apart, by their order.
static void ngx_http_surtitle_number_servers(ngx_http_core_main_conf_t *core) {
    ngx_http_core_srv_conf_t **servers = core->servers.elts;
    for (ngx_uint_t i = 0; i < core->servers.nelts; i++) {
        ngx_http_surtitle_srv_conf_t *conf = servers[i]->ctx->srv_conf[ngx_http_surtitle_module.ctx_index];
        for (ngx_uint_t j = 0; j < i; j++) {
            ngx_str_t *name = &servers[j]->server_name;
            conf->number += name->len == servers[i]->server_name.len && ngx_memcmp(name->data, servers[i]->server_name.data, name->len) == 0;
        }
    }
}

static ngx_int_t ngx_http_surtitle_init(ngx_conf_t *cf) {
    ngx_http_surtitle_main_conf_t *main = ngx_http_conf_get_module_main_conf(cf, ngx_http_surtitle_module);
    if (!main->is_used) return NGX_OK;

    ngx_http_core_main_conf_t *core = ngx_http_conf_get_module_main_conf(cf, ngx_http_core_module);
    ngx_http_handler_pt *handler = ngx_array_push(&core->phases[NGX_HTTP_PRECONTENT_PHASE].handlers);
    if (handler == NULL) return NGX_ERROR;
    *handler = ngx_http_surtitle_request_handler;
    if (main->follows_live || main->finds_maps) ngx_http_surtitle_number_servers(core);

    ngx_http_surtitle_response_init();
    ngx_http_surtitle_body_init();
    return NGX_OK;
}

// ---- Main ---------------------------------------------------------------------------------------------------------------------

static void *ngx_http_surtitle_create_main_conf(ngx_conf_t *cf) {
    ngx_http_surtitle_main_conf_t *main = ngx_pcalloc(cf->pool, sizeof(ngx_http_surtitle_main_conf_t));
    if (main == NULL) return NULL;
    ngx_rbtree_init(&main->sets, &main->sentinel, ngx_str_rbtree_insert_value);
    return main;
}

// The counters outlive a reload: they stay where they are, in the zone's memory.
static ngx_int_t ngx_http_surtitle_init_zone(ngx_shm_zone_t *zone, void *old) {
    ngx_http_surtitle_main_conf_t *main = zone->data;
    ngx_slab_pool_t *pool = (ngx_slab_pool_t *)zone->shm.addr;
    if (old != NULL) {
        main->counters = ((ngx_http_surtitle_main_conf_t *)old)->counters;
        return NGX_OK;
    }
    if (!zone->shm.exists) {
        pool->data = ngx_slab_calloc(pool, sizeof(ngx_http_surtitle_counters_t));
        if (pool->data == NULL) return NGX_ERROR;
    }
    main->counters = pool->data;
    return NGX_OK;
}

static char *ngx_http_surtitle_init_main_conf(ngx_conf_t *cf, void *conf) {
    ngx_http_surtitle_main_conf_t *main = conf;
    static ngx_str_t name = ngx_string("surtitle");
    if (!main->is_used) return NGX_CONF_OK;
    main->zone = ngx_http_surtitle_zone_add(cf, &name, 8 * ngx_pagesize, ngx_http_surtitle_init_zone);
    if (main->zone == NULL) return NGX_CONF_ERROR;
    if (main->follows_live && main->live == NULL) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "a track with \"live\" needs \"surtitle_live_zone\"");
        return NGX_CONF_ERROR;
    }
    if (!main->finds_maps) return NGX_CONF_OK;
    static ngx_str_t maps = ngx_string("surtitle_maps");
    main->maps = ngx_http_surtitle_zone_add(cf, &maps, 256 << 10, ngx_http_surtitle_maps_init_zone);
    return main->maps != NULL ? NGX_CONF_OK : NGX_CONF_ERROR;
}

static void *ngx_http_surtitle_create_srv_conf(ngx_conf_t *cf) {
    return ngx_pcalloc(cf->pool, sizeof(ngx_http_surtitle_srv_conf_t));
}

static void ngx_http_surtitle_note_use(ngx_conf_t *cf) {
    ngx_http_surtitle_main_conf_t *main = ngx_http_conf_get_module_main_conf(cf, ngx_http_surtitle_module);
    main->is_used = 1;
}

// ---- Blocks of tracks ---------------------------------------------------------------------------------------------------------

static char *ngx_http_surtitle_tracks_line(ngx_conf_t *cf, ngx_command_t *dummy, void *conf) {
    typedef char *(*handler_pt)(ngx_conf_t *cf, ngx_http_surtitle_source_t *source);
    static const struct {
        ngx_str_t name;
        handler_pt handler;
    } lines[] = {
        {ngx_string("surtitle_track"), ngx_http_surtitle_source_track},
        {ngx_string("surtitle_config"), ngx_http_surtitle_source_config},
        {ngx_string("surtitle_replace_default"), ngx_http_surtitle_source_replace_default},
        {ngx_string("surtitle_limits"), ngx_http_surtitle_source_limits},
    };
    ngx_str_t *words = cf->args->elts;
    for (ngx_uint_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
        if (words[0].len != lines[i].name.len || ngx_strcmp(words[0].data, lines[i].name.data) != 0) continue;
        char *answer = cf->args->nelts < 2 ? "has no value" : lines[i].handler(cf, conf);
        if (answer == NGX_CONF_OK || answer == NGX_CONF_ERROR) return answer;
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" %s", &words[0], answer);
        return NGX_CONF_ERROR;
    }
    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "directive \"%V\" is not allowed in \"surtitle_tracks\"", &words[0]);
    return NGX_CONF_ERROR;
}

static char *ngx_http_surtitle_tracks(ngx_conf_t *cf, ngx_command_t *command, void *conf) {
    ngx_http_surtitle_main_conf_t *main = conf;
    ngx_str_t *words = cf->args->elts, name = words[1];
    uint32_t hash = ngx_crc32_long(name.data, name.len);
    if (name.len == 0 || ngx_strcmp(name.data, "on") == 0 || ngx_strcmp(name.data, "off") == 0 || ngx_strcmp(name.data, "0") == 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" cannot be the name of \"surtitle_tracks\"", &name);
        return NGX_CONF_ERROR;
    }
    if (ngx_str_rbtree_lookup(&main->sets, &name, hash) != NULL) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "duplicate \"surtitle_tracks\" \"%V\"", &name);
        return NGX_CONF_ERROR;
    }
    ngx_http_surtitle_note_use(cf);

    ngx_http_surtitle_source_t source = {.tracks = NULL};
    ngx_http_surtitle_source_init(&source);
    ngx_conf_t save = *cf;
    cf->handler = ngx_http_surtitle_tracks_line;
    cf->handler_conf = (void *)&source;
    char *answer = ngx_conf_parse(cf, NULL);
    *cf = save;
    if (answer != NGX_CONF_OK) return answer;

    if (source.tracks == NULL && source.json.len == 0) {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"surtitle_tracks\" \"%V\" has no track", &name);
        return NGX_CONF_ERROR;
    }
    ngx_http_surtitle_set_t *set = ngx_http_surtitle_set_create(cf, &source);
    if (set == NULL) return NGX_CONF_ERROR;
    set->node.str = name;
    set->node.node.key = hash;
    ngx_rbtree_insert(&main->sets, &set->node.node);
    return NGX_CONF_OK;
}

// ---- Levels -------------------------------------------------------------------------------------------------------------------

static char *ngx_http_surtitle(ngx_conf_t *cf, ngx_command_t *command, void *conf) {
    ngx_http_surtitle_note_use(cf);
    return ngx_http_set_complex_value_slot(cf, command, conf);
}

static char *ngx_http_surtitle_source(ngx_conf_t *cf, ngx_command_t *command, void *conf) {
    char *(*handler)(ngx_conf_t *, ngx_http_surtitle_source_t *) = command->post;
    ngx_http_surtitle_note_use(cf);
    return handler(cf, &((ngx_http_surtitle_loc_conf_t *)conf)->source);
}

static char *ngx_http_surtitle_paths(ngx_conf_t *cf, ngx_command_t *command, void *conf) {
    ngx_http_surtitle_loc_conf_t *location = conf;
    ngx_str_t *words = cf->args->elts;
    if (location->paths != NGX_CONF_UNSET_PTR) return "is duplicate";
    location->paths = ngx_array_create(cf->pool, cf->args->nelts - 1, sizeof(surtitle_text));
    if (location->paths == NULL) return NGX_CONF_ERROR;
    for (ngx_uint_t i = 1; i < cf->args->nelts; i++) {
        surtitle_text *pattern = ngx_array_push(location->paths);
        *pattern = (surtitle_text){(const char *)words[i].data, words[i].len};
    }
    return NGX_CONF_OK;
}

static void *ngx_http_surtitle_create_loc_conf(ngx_conf_t *cf) {
    ngx_http_surtitle_loc_conf_t *conf = ngx_pcalloc(cf->pool, sizeof(ngx_http_surtitle_loc_conf_t));
    if (conf == NULL) return NULL;
    ngx_http_surtitle_source_init(&conf->source);
    conf->serves = NGX_CONF_UNSET;
    conf->hold_size = NGX_CONF_UNSET_SIZE;
    conf->paths = NGX_CONF_UNSET_PTR;
    conf->ignores_no_transform = NGX_CONF_UNSET;
    conf->cache_size = NGX_CONF_UNSET_SIZE;
    return conf;
}

// Takes over what is not said; whether anything is said that makes another configuration of the library.
static ngx_uint_t ngx_http_surtitle_merge_source(ngx_http_surtitle_source_t *above, ngx_http_surtitle_source_t *source) {
    ngx_uint_t is_own = source->tracks != NULL || source->json.len > 0 || source->replaces_default != NGX_CONF_UNSET
        || source->longest_line != NGX_CONF_UNSET_SIZE || source->held_renditions != NGX_CONF_UNSET_SIZE
        || source->longest_group_id != NGX_CONF_UNSET_SIZE || source->appended_tags != NGX_CONF_UNSET_SIZE;
    if (source->tracks == NULL && source->json.len == 0) {
        source->tracks = above->tracks;
        source->json = above->json;
    }
    ngx_conf_merge_value(source->replaces_default, above->replaces_default, NGX_CONF_UNSET);
    ngx_conf_merge_size_value(source->longest_line, above->longest_line, NGX_CONF_UNSET_SIZE);
    ngx_conf_merge_size_value(source->held_renditions, above->held_renditions, NGX_CONF_UNSET_SIZE);
    ngx_conf_merge_size_value(source->longest_group_id, above->longest_group_id, NGX_CONF_UNSET_SIZE);
    ngx_conf_merge_size_value(source->appended_tags, above->appended_tags, NGX_CONF_UNSET_SIZE);
    return is_own;
}

// Makes what the level above has not, since nobody merges the uppermost level into anything.
static ngx_int_t ngx_http_surtitle_complete(ngx_conf_t *cf, ngx_http_surtitle_loc_conf_t *conf) {
    if (conf->set == NULL && (conf->source.tracks != NULL || conf->source.json.len > 0)) {
        conf->set = ngx_http_surtitle_set_create(cf, &conf->source);
        if (conf->set == NULL) return NGX_ERROR;
    }
    if (conf->rules == NULL) conf->rules = ngx_http_surtitle_rules_create(cf, conf);
    return conf->rules == NULL ? NGX_ERROR : NGX_OK;
}

static ngx_int_t ngx_http_surtitle_choose(ngx_conf_t *cf, ngx_http_surtitle_loc_conf_t *conf) {
    ngx_http_surtitle_main_conf_t *main = ngx_http_conf_get_module_main_conf(cf, ngx_http_surtitle_module);
    conf->is_constant = conf->value->lengths == NULL;
    if (!conf->is_constant) return NGX_OK;
    ngx_str_t *name = &conf->value->value;
    if (name->len == 0 || ngx_strcmp(name->data, "off") == 0 || ngx_strcmp(name->data, "0") == 0) return NGX_OK;
    if (ngx_strcmp(name->data, "on") == 0) {
        conf->chosen = conf->set;
        return NGX_OK;
    }
    conf->chosen =
        (ngx_http_surtitle_set_t *)ngx_str_rbtree_lookup(&main->sets, name, ngx_crc32_long(name->data, name->len));
    if (conf->chosen != NULL) return NGX_OK;
    ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "there is no \"surtitle_tracks\" \"%V\"", name);
    return NGX_ERROR;
}

static char *ngx_http_surtitle_merge_loc_conf(ngx_conf_t *cf, void *parent, void *child) {
    ngx_http_surtitle_main_conf_t *main = ngx_http_conf_get_module_main_conf(cf, ngx_http_surtitle_module);
    ngx_http_surtitle_loc_conf_t *above = parent, *conf = child;
    if (!main->is_used) return NGX_CONF_OK;

    if (ngx_http_surtitle_complete(cf, above) != NGX_OK) return NGX_CONF_ERROR;
    if (!ngx_http_surtitle_merge_source(&above->source, &conf->source)) conf->set = above->set;
    if (conf->hold_size == NGX_CONF_UNSET_SIZE && conf->paths == NGX_CONF_UNSET_PTR
        && conf->ignores_no_transform == NGX_CONF_UNSET)
    {
        conf->rules = above->rules;
    }
    ngx_conf_merge_size_value(conf->hold_size, above->hold_size, NGX_CONF_UNSET_SIZE);
    ngx_conf_merge_ptr_value(conf->paths, above->paths, NGX_CONF_UNSET_PTR);
    ngx_conf_merge_value(conf->ignores_no_transform, above->ignores_no_transform, NGX_CONF_UNSET);
    if (ngx_http_surtitle_complete(cf, conf) != NGX_OK) return NGX_CONF_ERROR;

    ngx_conf_merge_value(conf->serves, above->serves, 0);
    ngx_conf_merge_size_value(conf->cache_size, above->cache_size, 4 << 20);
    ngx_conf_merge_bufs_value(conf->buffers, above->buffers, 2, 65536);
    if (conf->buffers.num < 2 || conf->buffers.num > NGX_HTTP_SURTITLE_MOST_BUFFERS || conf->buffers.size < 1024) {
        ngx_conf_log_error(
            NGX_LOG_EMERG, cf, 0, "\"surtitle_buffers\" must be 2 to %d buffers of at least 1k", NGX_HTTP_SURTITLE_MOST_BUFFERS);
        return NGX_CONF_ERROR;
    }
    if (conf->value == NULL) conf->value = above->value;
    if (conf->value != NULL && ngx_http_surtitle_choose(cf, conf) != NGX_OK) return NGX_CONF_ERROR;
    return NGX_CONF_OK;
}
