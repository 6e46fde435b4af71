import type { Context } from 'hono'
import { z } from 'zod'
import { type AnswerType, answerTypes } from '../../analytics/answer-file.ts'
import type { Deps } from '../../deps.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { defineRoute, type ResponseContract } from '../define-route.ts'
import { answerTypeOf, pageResponse } from './answer-response.ts'
import { noteOfQuery } from './note-of-query.ts'
import { type SqlBody, sqlAnswer, sqlBody, sqlText, toParameters } from './sql.schemas.ts'
import { toSqlError } from './sql-failure.ts'

const [jsonType, ...otherTypes] = answerTypes

const answerHeaders = {
  Link: 'Where an answer of more than 10,000 rows goes on, `<url>; rel="next"`, for ten minutes.',
  'X-Service-Block-Number': 'The newest indexed block: the rows are those of its end.',
  'X-Service-Block-Timestamp': 'Its time, Unix seconds.',
  'X-Service-Schema-Version': 'The deployment of the indexer that wrote the rows.',
  'X-Service-Column-Types':
    "PostgreSQL's types of the columns, in order, separated by commas; absent above 1,000 bytes.",
  'X-Service-Query-Note': 'As `note` of a JSON answer; absent where there is none.',
}
const failures: Record<number, ResponseContract> = {
  400: {
    description:
      'The query is not admitted, wrong, or takes more than it may; `issues[0].position` is its character, from 1.',
  },
  429: { description: 'The rate limit, too many waiting queries of this address, or an earlier one that still runs.' },
  503: { description: 'No free place, no standby to read, or rows that were replaced under the query.' },
}

/**
 * Runs one SELECT over the read model at one block (docs/build/analytics.md).
 *
 * Example: `POST /api/sql` with `{"query": "SELECT mode, cou..", "params": ["5000000"]}` answers `{"block": {"number":
 * 173, "timestamp": "2026-11-28T13:32:49.000Z"}, "schemaVersion": "idx_d2b524572db408b2", "columns": [{..}, ..],
 * "rowCount": 2, ..}`.
 */
export const runSql = defineRoute({
  operationId: 'runSql',
  method: 'post',
  path: '/sql',
  tag: 'analytics',
  summary: 'Query the read model with SQL',
  description:
    'Runs one SELECT in a read-only transaction on a standby and answers JSON, NDJSON, CSV, Parquet or an Arrow stream, by ' +
    '`Accept`. A page has at most 10,000 rows and 16 MB, an answer a million rows and 256 MB; `next` names the page behind ' +
    'this one, of the same block, for ten minutes. Tables: docs/build/tables.md.',
  rateLimit: 'sql',
  body: sqlBody,
  headers: { Accept: `\`${jsonType}\` (default), ${otherTypes.map((type) => `\`${type}\``).join(', ')}.` },
  responses: {
    200: {
      description: 'The rows. Other types than JSON hold rows alone; the headers say the rest.',
      schema: sqlAnswer,
      otherTypes,
      headers: answerHeaders,
    },
    ...failures,
    406: { description: '`Accept` names no type of an answer.' },
  },
  handler: async (deps, { body }, context) =>
    answerQuery(deps, body, { context, type: answerTypeOf(context.req.header('Accept')) }),
})

/**
 * Runs one SELECT and answers CSV. The route serves tools that can only send GET requests, such as `IMPORTDATA` in a
 * spreadsheet.
 *
 * Example: `GET /api/sql.csv?query=SELECT+1+AS+one` answers `one` and `1` as two lines of CSV.
 */
export const getSqlCsv = defineRoute({
  operationId: 'getSqlCsv',
  method: 'get',
  path: '/sql.csv',
  tag: 'analytics',
  summary: 'Query the read model with SQL, by GET, as CSV',
  description: 'As `POST /sql`, for tools that can only GET: `/api/sql.csv?query=SELECT...`, percent-encoded.',
  rateLimit: 'sql',
  query: z.object({ query: sqlText }),
  responses: {
    200: { description: 'The rows.', contentType: 'text/csv', headers: answerHeaders },
    ...failures,
  },
  handler: async (deps, { query: { query } }, context) =>
    answerQuery(deps, { query, params: [] }, { context, type: 'text/csv' }),
})

/**
 * Returns one page of the stored answer to an earlier query. The response to the query is page 0. Each page has the URL
 * of the following page in `next`.
 *
 * Example: `GET /api/sql/answers/b0a1../1` answers `{"block": {"number": 173, "timestamp": "2026-11-28T13:32:49.000Z"},
 * "schemaVersion": "idx_d2b524572db408b2", "columns": [{..}], "rowCount": 1, ..}`.
 */
export const getSqlAnswer = defineRoute({
  operationId: 'getSqlAnswer',
  method: 'get',
  path: '/sql/answers/{answerId}/{page}',
  tag: 'analytics',
  summary: 'Read an answer on',
  description: 'What `next` of an answer names: its page of that place, from 0, of the same type and block.',
  params: z.object({ answerId: z.string(), page: z.coerce.number().int().min(0).max(1_000_000) }),
  responses: {
    200: { description: 'The rows.', schema: sqlAnswer, otherTypes, headers: answerHeaders },
    404: { description: 'The answer has fewer pages.' },
    410: { description: 'The answer is no longer kept: send the query again.' },
  },
  handler: async ({ analytics, config }, { params: { answerId, page } }, context) => {
    const answer = analytics.findAnswer(answerId)
    if (answer === null) {
      throw new ServiceError(
        410,
        'unclassified',
        'The answer is no longer kept (ten minutes at most): send the query again.',
        { detail: 'answer_gone' },
      )
    }
    return pageResponse(context, config, { answer, place: page })
  },
})

async function answerQuery(deps: Deps, body: SqlBody, { context, type }: { context: Context; type: AnswerType }) {
  const { analytics, config } = deps
  const client = context.get('clientIp')(context)
  const query = { text: body.query, parameters: toParameters(body.params) }
  const { signal } = context.req.raw
  try {
    const answer = await analytics.query(client, query, { type, note: noteOfQuery(body), signal })
    return pageResponse(context, config, { answer, place: 0 })
  } catch (error) {
    throw toSqlError(error, deps, context)
  }
}
