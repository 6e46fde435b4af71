import type { HttpBindings } from '@hono/node-server'
import type { Context } from 'hono'
import { accepts } from 'hono/accepts'
import { queryLimits } from '../../analytics/analytics.ts'
import type { QueryAnswer } from '../../analytics/run-query.ts'
import { typeNameOf } from '../../analytics/text-values.ts'
import { answerHeaderNames } from '../../http/header-names.ts'
import { defineRoute } from '../define-route.ts'
import { type AnswerType, answerTypes, streamOf, writeAnswer } from './answer-formats.ts'
import { logRefusal } from './log-refusal.ts'
import { noteOfQuery } from './note-of-query.ts'
import { toSnapshot } from './snapshot.mapper.ts'
import { sqlAnswer, sqlBody, toParameters } from './sql.schemas.ts'
import { sqlPrefixLengths, toSqlFailure } from './sql-failures.ts'

/** SQL for analysts (docs/analytics.md): one SELECT over the read model, as the block of its answer had it. */
export const runSql = defineRoute({
  operationId: 'runSql',
  method: 'post',
  path: '/sql',
  tag: 'analytics',
  summary: 'Query the read model with SQL',
  description:
    'Runs one SELECT in a read-only transaction and answers JSON, NDJSON or CSV, by `Accept`. At most 10,000 rows, ' +
    '16 MB and 5 seconds, or less time where the operator has chosen so; nothing is cut off without saying so. ' +
    'Tables: docs/tables.md.',
  rateLimit: 'sql',
  body: sqlBody,
  headers: { Accept: '`application/json` (default), `application/x-ndjson` or `text/csv`.' },
  responses: {
    200: {
      description: 'The rows. NDJSON and CSV hold rows alone; the headers say the rest.',
      schema: sqlAnswer,
      otherTypes: ['application/x-ndjson', 'text/csv'],
      headers: {
        'X-Service-Block-Number': 'The newest indexed block: the rows are those of its end.',
        'X-Service-Block-Timestamp': 'Its time, Unix seconds.',
        'X-Service-Schema-Version': 'The deployment of the indexer that wrote the rows.',
        'X-Service-Column-Types':
          "PostgreSQL's types of the columns, in order, separated by commas; absent above 1,000 bytes.",
        'X-Service-Query-Note': 'As `note` of a JSON answer; absent where there is none.',
      },
    },
    400: {
      description:
        'The query is not admitted, wrong, or takes more than it may; `issues[0].position` is its character, from 1.',
    },
    429: {
      description:
        'The rate limit, too many waiting queries of this address, an earlier one that still runs, or earlier answers that it has yet to take.',
    },
    503: {
      description: 'No free place, no reader login, or a reader login with too many rights; the sentence names which.',
    },
  },
  handler: async ({ analytics, config, log }, { body }, context) => {
    const { outgoing } = (context.env ?? {}) as Partial<HttpBindings>
    const client = context.get('clientIp')(context)
    const type = answerTypeOf(context)
    const query = { text: body.query, parameters: toParameters(body.params), signal: context.req.raw.signal }
    try {
      return await analytics.query(client, query, async (answer, signal) => {
        const note = noteOfQuery(body)
        const written = await writeAnswer(answer, { type, note, maxBytes: queryLimits.maxBytes, signal })
        analytics.unsent.hold(client, written.bytes, outgoing)
        return context.body(streamOf(written), 200, {
          'Content-Length': String(written.bytes),
          'Content-Type': type === 'text/csv' ? 'text/csv; charset=utf-8; header=present' : type,
          ...headersOf(answer, config.SERVICE_NAME),
          ...(note !== undefined && { [answerHeaderNames(config.SERVICE_NAME).queryNote]: note }),
        })
      })
    } catch (thrown) {
      const failure = toSqlFailure(thrown, { prefixLength: sqlPrefixLengths.query, deadlineMs: config.SQL_QUERY_MS })
      logRefusal(failure, { log, lines: analytics.refusals })
      throw failure
    }
  },
})

/** All headers of an answer fit into the 4,000 bytes that a proxy reads; a JSON answer has the types in its body. */
const MOST_TYPES_BYTES = 1_000

function answerTypeOf(context: Context): AnswerType {
  const chosen = accepts(context, { header: 'Accept', supports: [...answerTypes], default: answerTypes[0] })
  return answerTypes.find((type) => type === chosen) ?? answerTypes[0]
}

function headersOf({ snapshot, columns }: QueryAnswer, serviceName: string): Record<string, string> {
  const names = answerHeaderNames(serviceName)
  const { block, schemaVersion } = toSnapshot(snapshot)
  const types = columns.map(({ typeId }) => typeNameOf(typeId)).join(',')
  return {
    ...(block !== null && {
      [names.blockNumber]: String(block.number),
      [names.blockTimestamp]: String(Date.parse(block.timestamp) / 1000),
    }),
    ...(schemaVersion !== null && { [names.schemaVersion]: schemaVersion }),
    ...(types.length <= MOST_TYPES_BYTES && { [names.columnTypes]: types }),
  }
}
