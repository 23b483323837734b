// Tracks and rules, as directives say them, and what the library makes of them.
//
// Whatever the library refuses ends the start of nginx, or leaves it with the configuration that it has: `nginx -t` tells the track, the
// field and the reason.
#include "ngx_http_surtitle.h"

// The longest file of surtitle_config, as the library has it.
#define LONGEST_JSON (1 << 20)

void ngx_http_surtitle_source_init(ngx_http_surtitle_source_t *source) {
    source->replaces_default = NGX_CONF_UNSET;
    source->longest_line = NGX_CONF_UNSET_SIZE;
    source->held_renditions = NGX_CONF_UNSET_SIZE;
    source->longest_group_id = NGX_CONF_UNSET_SIZE;
    source->appended_tags = NGX_CONF_UNSET_SIZE;
}

// ---- Directives ---------------------------------------------------------------------------------------------------------------

// Whether `word` is `name=value`; then `value` is what follows.
static ngx_uint_t ngx_http_surtitle_is(ngx_str_t *word, const char *name, ngx_str_t *value) {
    size_t length = ngx_strlen(name);
    if (word->len <= length || word->data[length] != '=' || ngx_strncmp(word->data, name, length) != 0) return 0;
    value->data = word->data + length + 1;
    value->len = word->len - length - 1;
    return 1;
}

// Reads a shift in milliseconds: a time as nginx has it, or seconds with up to three decimals, after a sign.
static ngx_int_t ngx_http_surtitle_shift(ngx_str_t text, int64_t *shift) {
    ngx_uint_t is_signed = text.len > 0 && (text.data[0] == '-' || text.data[0] == '+');
    ngx_str_t value = {text.len - is_signed, text.data + is_signed};
    ngx_int_t milliseconds = ngx_strlchr(value.data, value.data + value.len, '.') == NULL ? ngx_parse_time(&value, 0)
                                                                                          : ngx_atofp(value.data, value.len, 3);
    if (milliseconds == NGX_ERROR) return NGX_ERROR;
    *shift = is_signed && text.data[0] == '-' ? -milliseconds : milliseconds;
    return NGX_OK;
}

// Reads `word`: what is about the file that is served is read here, and all else is for the library. Returns what is wrong, or NULL.
static char *ngx_http_surtitle_track_word(ngx_conf_t *cf, ngx_http_surtitle_track_t *track, ngx_str_t *word) {
    ngx_str_t value;
    if (ngx_http_surtitle_is(word, "file", &value) && value.len > 0) {
        track->file = value;
        return ngx_conf_full_name(cf->cycle, &track->file, 0) == NGX_OK ? NULL : "no memory";
    }
    if (ngx_http_surtitle_is(word, "duration", &value)) {
        ngx_int_t milliseconds = ngx_parse_time(&value, 0);
        if (milliseconds == NGX_ERROR || milliseconds == 0) return "is no time above 0";
        track->duration = (uint64_t)milliseconds * 1000000;
        return NULL;
    }
    if (ngx_http_surtitle_is(word, "shift", &value)) {
        return ngx_http_surtitle_shift(value, &track->shift) == NGX_OK ? NULL : "is no time, like 1.4, -1.4 or 1m";
    }
    if (ngx_http_surtitle_is(word, "encoding", &value)) return "is not for nginx, which decodes nothing: convert the file to UTF-8";
    if (ngx_http_surtitle_is(word, "video", &value) && value.len > 0) {
        track->video = value;
        return NULL;
    }
    if (ngx_http_surtitle_is(word, "live", &value)) {
        ngx_http_surtitle_main_conf_t *main = ngx_http_conf_get_module_main_conf(cf, ngx_http_surtitle_module);
        ngx_uint_t is_flag = ngx_strcmp(value.data, "no") == 0 || ngx_strcmp(value.data, "yes") == 0;
        if (value.len == 0 || is_flag || ngx_strlchr(value.data, value.data + value.len, '?') != NULL) {
            return "is no path of a media playlist";
        }
        main->follows_live = 1;
        track->live = value;
        return NULL;
    }
    if (ngx_http_surtitle_is(word, "at", &value)) {
        if (value.len == 0) return "says no time";
        track->at = value;
        return NULL;
    }
    if (ngx_http_surtitle_is(word, "map", &value) && value.len == 4 && ngx_strncmp(value.data, "auto", 4) == 0) {
        ngx_http_surtitle_main_conf_t *main = ngx_http_conf_get_module_main_conf(cf, ngx_http_surtitle_module);
        main->finds_maps = 1;
        track->is_auto = 1;
        return NULL;
    }
    if (ngx_http_surtitle_is(word, "map", &value)) {
        off_t ticks = ngx_atoof(value.data, value.len);
        if (ticks == NGX_ERROR || ticks >= (off_t)1 << 33) return "is neither auto nor a number of ticks below 2^33";
        track->mpegts = (uint64_t)ticks;
        track->has_map = 1;
        return NULL;
    }
    surtitle_track_key *key = ngx_array_push(&track->keys);
    if (key == NULL) return "no memory";
    u_char *equals = ngx_strlchr(word->data, word->data + word->len, '=');
    size_t length = equals == NULL ? word->len : (size_t)(equals - word->data);
    *key = (surtitle_track_key){.name = {(const char *)word->data, length}};
    if (equals != NULL) key->value = (surtitle_text){(const char *)equals + 1, word->len - length - 1};
    if (ngx_http_surtitle_is(word, "uri", &value)) track->uri = key->value;
    return NULL;
}

char *ngx_http_surtitle_source_track(ngx_conf_t *cf, ngx_http_surtitle_source_t *source) {
    if (source->json.len > 0) return "cannot stand beside \"surtitle_config\"";
    if (source->tracks == NULL) source->tracks = ngx_array_create(cf->pool, 4, sizeof(ngx_http_surtitle_track_t));
    ngx_http_surtitle_track_t *track = source->tracks == NULL ? NULL : ngx_array_push(source->tracks);
    if (track == NULL) return NGX_CONF_ERROR;
    ngx_memzero(track, sizeof(*track));
    if (ngx_array_init(&track->keys, cf->pool, 4, sizeof(surtitle_track_key)) != NGX_OK) return NGX_CONF_ERROR;

    ngx_str_t *words = cf->args->elts;
    for (ngx_uint_t i = 1; i < cf->args->nelts; i++) {
        char *complaint = ngx_http_surtitle_track_word(cf, track, &words[i]);
        if (complaint == NULL) continue;
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "\"%V\" of a track %s", &words[i], complaint);
        return NGX_CONF_ERROR;
    }
    if (track->file.len == 0 && (track->duration > 0 || track->shift != 0 || track->has_map || track->is_auto)) {
        return "has \"duration\", \"shift\" or \"map\" without \"file\"";
    }
    if (track->live.len > 0 && (track->file.len == 0 || track->duration > 0 || track->is_auto)) {
        return "has \"live\" without \"file\", or with \"duration\" or \"map=auto\", which are for files that are whole";
    }
    if (track->live.len == 0 && track->at.len > 0) return "has \"at\" without \"live\"";
    if (track->is_auto ? track->video.len == 0 || track->has_map : track->video.len > 0) {
        return "needs \"map=auto\" and \"video\", which are for each other";
    }
    return NGX_CONF_OK;
}

char *ngx_http_surtitle_source_config(ngx_conf_t *cf, ngx_http_surtitle_source_t *source) {
    ngx_str_t *words = cf->args->elts;
    if (source->json.len > 0) return "is duplicate";
    if (source->tracks != NULL) return "cannot stand beside \"surtitle_track\"";
    if (words[1].len == 0) return "has no file";
    source->json = words[1];
    return ngx_conf_full_name(cf->cycle, &source->json, 1) == NGX_OK ? NGX_CONF_OK : NGX_CONF_ERROR;
}

char *ngx_http_surtitle_source_replace_default(ngx_conf_t *cf, ngx_http_surtitle_source_t *source) {
    ngx_str_t *words = cf->args->elts;
    if (source->replaces_default != NGX_CONF_UNSET) return "is duplicate";
    if (ngx_strcasecmp(words[1].data, (u_char *)"on") == 0) {
        source->replaces_default = 1;
    } else if (ngx_strcasecmp(words[1].data, (u_char *)"off") == 0) {
        source->replaces_default = 0;
    } else {
        return "must be \"on\" or \"off\"";
    }
    return NGX_CONF_OK;
}

char *ngx_http_surtitle_source_limits(ngx_conf_t *cf, ngx_http_surtitle_source_t *source) {
    const struct {
        const char *name;
        size_t *place;
    } limits[] = {
        {"longest_line", &source->longest_line},
        {"held_renditions", &source->held_renditions},
        {"longest_group_id", &source->longest_group_id},
        {"appended_tags", &source->appended_tags},
    };
    ngx_str_t *words = cf->args->elts;
    for (ngx_uint_t i = 1; i < cf->args->nelts; i++) {
        size_t *place = NULL;
        ngx_str_t value;
        for (ngx_uint_t j = 0; j < sizeof(limits) / sizeof(limits[0]); j++) {
            if (ngx_http_surtitle_is(&words[i], limits[j].name, &value)) place = limits[j].place;
        }
        ssize_t size = place == NULL ? NGX_ERROR : ngx_parse_size(&value);
        if (size == NGX_ERROR || size == 0 || size > 1 << 30) {
            ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "invalid limit \"%V\"", &words[i]);
            return NGX_CONF_ERROR;
        }
        if (*place != NGX_CONF_UNSET_SIZE) return "has a limit twice";
        *place = size;
    }
    return NGX_CONF_OK;
}

// ---- What is made of them -----------------------------------------------------------------------------------------------------

static void ngx_http_surtitle_set_cleanup(void *data) {
    ngx_http_surtitle_set_t *set = data;
    while (set->kept_count > 0) surtitle_rewriter_destroy(set->kept[--set->kept_count]);
    surtitle_configuration_destroy(set->configuration);
}

static void ngx_http_surtitle_refuse(ngx_conf_t *cf, int status, surtitle_error *error, ngx_str_t *file) {
    static ngx_str_t none = ngx_string("");
    const char *message = error->message[0] != '\0' ? error->message : surtitle_status_text(status);
    ngx_str_t *name = file == NULL ? &none : file;
    const char *field = error->field[0] != '\0' ? error->field : "surtitle";
    if (error->position >= 0) {
        ngx_conf_log_error(
            NGX_LOG_EMERG, cf, 0, "%V%s%s: %s, at byte %L", name, name->len > 0 ? ": " : "", field, message, error->position);
    } else {
        ngx_conf_log_error(NGX_LOG_EMERG, cf, 0, "%V%s%s: %s", name, name->len > 0 ? ": " : "", field, message);
    }
}

static ngx_int_t ngx_http_surtitle_set_configure(
    ngx_conf_t *cf, ngx_http_surtitle_source_t *source, ngx_http_surtitle_set_t *set) {
    surtitle_error error = {.size = sizeof(error)};
    int status;
    if (source->json.len > 0) {
        ngx_str_t text;
        time_t modified;
        if (ngx_http_surtitle_read_file(cf, &source->json, LONGEST_JSON, &text, &modified) != NGX_OK) return NGX_ERROR;
        status = surtitle_configuration_create_json(text.data, text.len, &set->configuration, &error);
    } else {
        ngx_http_surtitle_track_t *tracks = source->tracks->elts;
        surtitle_track *described = ngx_palloc(cf->temp_pool, source->tracks->nelts * sizeof(surtitle_track));
        if (described == NULL) return NGX_ERROR;
        for (ngx_uint_t i = 0; i < source->tracks->nelts; i++) {
            described[i] = (surtitle_track){sizeof(surtitle_track), tracks[i].keys.elts, tracks[i].keys.nelts};
        }
        surtitle_settings settings = {.size = sizeof(settings)};
        settings.flags = source->replaces_default == 1 ? SURTITLE_REPLACES_DEFAULT : 0;
        settings.tracks = described;
        settings.track_count = source->tracks->nelts;
        settings.longest_line = source->longest_line == NGX_CONF_UNSET_SIZE ? 0 : source->longest_line;
        settings.held_renditions = source->held_renditions == NGX_CONF_UNSET_SIZE ? 0 : source->held_renditions;
        settings.longest_group_id = source->longest_group_id == NGX_CONF_UNSET_SIZE ? 0 : source->longest_group_id;
        settings.appended_tags = source->appended_tags == NGX_CONF_UNSET_SIZE ? 0 : source->appended_tags;
        status = surtitle_configuration_create(&settings, &set->configuration, &error);
    }
    if (status == SURTITLE_OK) {
        return surtitle_configuration_fingerprint(set->configuration, &set->fingerprint) == SURTITLE_OK ? NGX_OK : NGX_ERROR;
    }
    ngx_http_surtitle_refuse(cf, status, &error, source->json.len > 0 ? &source->json : NULL);
    return NGX_ERROR;
}

ngx_http_surtitle_set_t *ngx_http_surtitle_set_create(ngx_conf_t *cf, ngx_http_surtitle_source_t *source) {
    ngx_http_surtitle_set_t *set = ngx_pcalloc(cf->pool, sizeof(ngx_http_surtitle_set_t));
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(cf->pool, 0);
    if (set == NULL || cleanup == NULL) return NULL;
    if (ngx_array_init(&set->files, cf->pool, 4, sizeof(ngx_http_surtitle_file_t)) != NGX_OK) return NULL;
    cleanup->data = set;
    cleanup->handler = ngx_http_surtitle_set_cleanup;
    if (ngx_http_surtitle_set_configure(cf, source, set) != NGX_OK) return NULL;

    ngx_http_surtitle_track_t *tracks = source->tracks == NULL ? NULL : source->tracks->elts;
    for (ngx_uint_t i = 0; tracks != NULL && i < source->tracks->nelts; i++) {
        if (tracks[i].file.len > 0 && ngx_http_surtitle_files_add(cf, set, &tracks[i]) != NGX_OK) return NULL;
    }
    return set;
}

static void ngx_http_surtitle_rules_cleanup(void *data) {
    ngx_http_surtitle_rules_t *rules = data;
    while (rules->kept_count > 0) surtitle_exchange_destroy(rules->kept[--rules->kept_count]);
    surtitle_http_rules_destroy(rules->rules);
}

ngx_http_surtitle_rules_t *ngx_http_surtitle_rules_create(ngx_conf_t *cf, ngx_http_surtitle_loc_conf_t *conf) {
    ngx_http_surtitle_rules_t *rules = ngx_pcalloc(cf->pool, sizeof(ngx_http_surtitle_rules_t));
    ngx_pool_cleanup_t *cleanup = ngx_pool_cleanup_add(cf->pool, 0);
    if (rules == NULL || cleanup == NULL) return NULL;
    cleanup->data = rules;
    cleanup->handler = ngx_http_surtitle_rules_cleanup;

    surtitle_http_settings settings = {.size = sizeof(settings)};
    if (conf->paths != NGX_CONF_UNSET_PTR) {
        settings.patterns = conf->paths->elts;
        settings.pattern_count = conf->paths->nelts;
    }
    settings.longest_held = conf->hold_size; // SIZE_MAX if it is not said, by which the library means its own
    settings.ignores_no_transform = conf->ignores_no_transform == 1;
    surtitle_error error = {.size = sizeof(error)};
    int status = surtitle_http_rules_create(&settings, &rules->rules, &error);
    if (status == SURTITLE_OK) return rules;
    ngx_http_surtitle_refuse(cf, status, &error, NULL);
    return NULL;
}
