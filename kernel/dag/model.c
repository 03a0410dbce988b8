/* The table of the dag model. */
#include "base/model.h"
#include "pn_dag.h"

PN_MODEL_OF_BLOCKS(dag, dispatch)
PN_MODEL_CONFIGURED(dag)
PN_MODEL_OF_RUNS(dag)

static const char *dag_any_policy_name(const void *sim)
{
    return pn_dispatch_policy_name(pn_dag_dispatch(sim));
}

static int dag_any_finish(void *sim, const void *hooks)
{
    return pn_dag_run(sim, hooks, PN_DAG_FOREVER, UINT64_MAX);
}

static const pn_stats *dag_any_statistics(const void *sim, uint32_t group)
{
    return pn_dag_samples(sim, PN_DAG_JCTS, group);
}

const pn_model *pn_dag_model(void)
{
    static const pn_model model = {PN_MODEL_BLOCKS(dag), .configured = dag_any_configured,
                                   PN_MODEL_RUNS(dag)};
    return &model;
}
