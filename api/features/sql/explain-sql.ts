import { defineRoute } from '../define-route.ts'
import { logRefusal } from './log-refusal.ts'
import { toSnapshot } from './snapshot.mapper.ts'
import { explainAnswer, sqlBody, toParameters } from './sql.schemas.ts'
import { sqlPrefixLengths, toSqlFailure } from './sql-failures.ts'

/**
 * The plan of a query: what it reads, by which index, and what PostgreSQL expects it to cost. The query is not run; its
 * constant parts are computed, because the plan depends on them.
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
  handler: async ({ analytics, config, log }, { body }, context) => {
    const client = context.get('clientIp')(context)
    const { signal } = context.req.raw
    const query = { text: body.query, parameters: toParameters(body.params), signal }
    const { snapshot, plan } = await analytics.explain(client, query).catch((thrown: unknown) => {
      const failure = toSqlFailure(thrown, { prefixLength: sqlPrefixLengths.explain, deadlineMs: config.SQL_QUERY_MS })
      logRefusal(failure, { log, lines: analytics.refusals })
      throw failure
    })
    return { ...toSnapshot(snapshot), plan: JSON.parse(plan) }
  },
})
