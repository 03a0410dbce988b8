/* Whether a block from outside may be worked with, see slotted/validate.c: its layout and its
 * policy; then its parts, see validate.h. */
#include "validate.h"

/* ---- the layout ---- */

static bool dispatch_numbers_sound(const pn_dispatch *s)
{
    const pn_dispatch_config *config = &s->config;
    bool sound = config->struct_size == sizeof *config && !config->nodes &&
                 config->nodes_count == 0 && !config->queues && config->queues_count == 0 &&
                 !config->policy && !pn_dispatch_numbers_fault(config) && 1 <= s->nodes_count &&
                 s->nodes_count <= (uint32_t)1 << 20 && 1 <= s->kinds_count &&
                 s->kinds_count <= s->nodes_count && config->nodes_absent <= s->nodes_count &&
                 1 <= s->queues_count && s->queues_count <= 4096 && 1 <= config->stages_max &&
                 1 <= config->edges_max && 1 <= config->attempts_max && 1 <= config->classes_max &&
                 s->virtual_run <= 1 && s->exchange <= 1000000 && s->stirred <= 1;
    for (uint32_t r = 0; sound && r < config->resources; r++)
        sound = 1 <= s->capacity[r] && s->capacity[r] <= PN_DISPATCH_CAPACITY_MOST &&
                1 <= s->largest[r] && s->largest[r] <= PN_DISPATCH_DEMAND_MOST;
    return sound;
}

/* Lays the block out again from its own numbers. */
static PN_FRAME_APART bool dispatch_layout_sound(const pn_dispatch *s)
{
    const size_t from = offsetof(pn_dispatch, config), to = offsetof(pn_dispatch, fleet);
    pn_dispatch fresh;
    if (!dispatch_numbers_sound(s) || s->fleet.policy_size > s->head.size)
        return false;
    memset(&fresh, 0, sizeof fresh);
    memcpy((unsigned char *)&fresh + from, (const unsigned char *)s + from, to - from);
    return pn_dispatch_carve(&fresh, s->fleet.policy_size) == s->head.size &&
           fresh.fleet.policy_state == s->fleet.policy_state &&
           fresh.lanes.capacity == s->lanes.capacity &&
           fresh.virtual.order.capacity == s->virtual.order.capacity &&
           PN_SAME_PART(pn_dispatch, nodes, lanes, s, &fresh);
}

/* ---- the policy ---- */

static void any_key(const pn_dispatch_view *view, uint32_t job, pn_key *key)
{
    (void)view;
    (void)job;
    (void)key;
}

static uint64_t any_score(const pn_dispatch_view *view, uint32_t stage, uint32_t node)
{
    (void)view;
    (void)stage;
    (void)node;
    return 0;
}

static int any_preempt(pn_dispatch_view *view)
{
    (void)view;
    return PN_OK;
}

static bool dispatch_has(const pn_dispatch_form *form, uint32_t function)
{
    return form->functions >> function & 1;
}

/* Returns whether the order is one for a policy of this shape. */
static PN_FRAME_APART bool dispatch_policy_sound(const pn_dispatch *s)
{
    pn_dispatch_form form;
    if (!pn_fleet_sound(&s->fleet, s->totals.time, s->totals.saturated_ms))
        return false;
    memcpy(&form, s->fleet.binding.shape, sizeof form);
    if (!pn_binding_is_bound(&s->fleet.binding))
        return pn_validate_zeros(&s->order, sizeof s->order) && s->fleet.job_places.used == 0 &&
               s->fleet.attempt_places.used == 0 && s->fleet.failure == 0;
    const pn_dispatch_policy policy = {
        .key = dispatch_has(&form, PN_DISPATCH_HAS_KEY) ? any_key : NULL,
        .queue_key = dispatch_has(&form, PN_DISPATCH_HAS_QUEUE_KEY) ? any_key : NULL,
        .score = dispatch_has(&form, PN_DISPATCH_HAS_SCORE) ? any_score : NULL,
        .align = dispatch_has(&form, PN_DISPATCH_HAS_ALIGN) ? any_score : NULL,
        .preempt = dispatch_has(&form, PN_DISPATCH_HAS_PREEMPT) ? any_preempt : NULL};
    return form.functions >> PN_DISPATCH_FUNCTIONS == 0 &&
           (!s->order.virtual_run || s->virtual_run) &&
           (s->fleet.failure != 0 || (pn_dispatch_order_sane(&s->order, &policy) &&
                                      pn_dispatch_executors_suit(s, &s->order)));
}

/* ---- all of it ---- */

/* Places that were ever used are places. */
static bool used_sound(const pn_dispatch *s)
{
    return s->fleet.job_places.used <= s->config.jobs_max &&
           s->stage_places.used <= s->config.stages_max &&
           s->edge_places.used <= s->config.edges_max &&
           s->bundle_places.used <= s->config.stages_max &&
           s->class_places.used <= s->config.classes_max &&
           s->fleet.attempt_places.used <= s->config.attempts_max;
}

/* Places that were never used are in no tree. */
static bool unused_sound(const pn_dispatch_validation *self)
{
    const pn_dispatch *s = self->s;
    const struct {
        const pn_tree_node *node;
        uint32_t used, most;
    } all[] = {{self->view.stage_nodes, s->stage_places.used, s->config.stages_max},
               {self->view.bundle_nodes, s->bundle_places.used, s->config.stages_max},
               {self->view.class_nodes, s->class_places.used, s->config.classes_max},
               {self->view.attempt_nodes, s->fleet.attempt_places.used, s->config.attempts_max}};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (uint32_t place = all[i].used; place < all[i].most; place++)
            if (all[i].node[place].height != 0)
                return false;
    return true;
}

/* Checks what calls leave behind: nothing. */
static bool scratch_sound(const pn_dispatch_validation *self)
{
    pn_dispatch *s = self->s;
    return pn_validate_zeros(pn_at(s, s->notes), s->config.stages_max * sizeof(pn_paths_note)) &&
           pn_validate_zeros(pn_at(s, s->sorted), s->config.stages_max * sizeof(uint32_t));
}

int pn_dispatch_validate(const void *block, size_t size)
{
    pn_dispatch_validation self = {0};
    int status = pn_block_check(block, size, pn_dispatch_magic, sizeof(pn_dispatch));
    if (status != PN_OK)
        return status;
    /* The view's functions take a block that may be written to; none that is called here does. */
    self.s = (pn_dispatch *)(uintptr_t)block;
    if (!dispatch_layout_sound(self.s) || !dispatch_policy_sound(self.s))
        return PN_ERR_DAMAGED;
    pn_dispatch_view_build(&self.view, self.s, NULL);
    self.key = pn_validate_key(block, (size_t)self.s->head.size);
    bool sound = used_sound(self.s) && pn_dispatch_nodes_sound(&self) &&
                 pn_dispatch_spots_sound(&self) && pn_dispatch_classes_sound(&self) &&
                 pn_dispatch_bundles_sound(&self) && pn_dispatch_stages_sound(&self) &&
                 pn_dispatch_heads_sound(&self) && pn_dispatch_jobs_sound(&self) &&
                 pn_dispatch_attempts_sound(&self) && pn_dispatch_executors_sound(&self) &&
                 pn_dispatch_virtual_sound(&self) && scratch_sound(&self) && unused_sound(&self) &&
                 pn_attributes_sound(pn_dispatch_attributes_of(self.s),
                                     self.s->fleet.job_places.used);
    return sound ? PN_OK : PN_ERR_DAMAGED;
}
