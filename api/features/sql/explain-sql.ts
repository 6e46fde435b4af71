import { defineRoute } from '../define-route.ts'
import { snapshotOf } from './answer-response.ts'
import { explainAnswer, sqlBody, toParameters } from './sql.schemas.ts'
import { toSqlError } from './sql-failure.ts'

/**
 * Returns the plan of a query: the tables and indexes that PostgreSQL would read, and the expected cost. PostgreSQL
 * does not run the query, but computes its constant expressions.
 *
 * Example: `POST /api/sql/explain` with `{"query": "SELECT id FROM m.."}` answers `{"block": {"number": 132,
 * "timestamp": "2026-11-22T23:03:59.000Z"}, "schemaVersion": "idx_7bbfc2119124ad80", "plan": [{..}]}`.
 */
export const explainSql = defineRoute({
  operationId: 'explainSql',
  method: 'post',
  path: '/sql/explain',
  tag: 'analytics',
  summary: 'Show the plan of a query',
  description: 'Takes what `POST /sql` takes and answers the plan. No row is read; constant parts are computed.',
  rateLimit: 'sql',
  body: sqlBody,
  responses: {
    200: { description: 'The plan.', schema: explainAnswer },
    400: { description: 'As `POST /sql`.' },
    503: { description: 'As `POST /sql`.' },
  },
  handler: async (deps, { body }, context) => {
    const client = context.get('clientIp')(context)
    const query = { text: body.query, parameters: toParameters(body.params) }
    const { snapshot, plan } = await deps.analytics
      .explain(client, query, context.req.raw.signal)
      .catch((error: unknown) => {
        throw toSqlError(error, deps, context)
      })
    return { ...snapshotOf(snapshot), plan: JSON.parse(plan) }
  },
})
