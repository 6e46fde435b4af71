import type { Context } from 'hono'
import { z } from 'zod'
import type { Database, Queryable } from '../../db/client.ts'
import type { Deps } from '../../deps.ts'
import { ServiceError } from '../../errors/service-error.ts'
import type { StreamReader } from '../../events/event-hub.ts'
import {
  findLogBounds,
  findReadBlock,
  findSequenceBefore,
  isKnownPlace,
  type LogBounds,
} from '../../events/read-events.queries.ts'
import { type EventReader, readEvents } from '../../events/read-events.ts'
import { parseEventId, toEvent, toEventId } from '../../events/render-event.ts'
import { invalidRequest } from '../../http/parse.ts'
import { queryInteger, queryIntegerOr } from '../../http/query.ts'
import { address, bytes32 } from '../../http/request-schemas.ts'
import { eventStream, takesEventStream } from '../../http/stream-response.ts'
import { callerOf, findStreamEnd } from '../../identity/caller.ts'
import type { Read } from '../../read-model/replicas/public-reads.ts'
import { findPositionText } from '../../read-model/replicas/read-position.ts'
import { defineRoute } from '../define-route.ts'
import { toTaskCondition } from '../task-condition.ts'
import { filterSchemas } from '../task-filters.ts'
import { eventKind, eventPageOut } from './events.schemas.ts'

const idMessage = 'must be an id of an event, such as `next` of the page before'

const kindMessage = 'must be a kind of docs/build/events.md, such as task.created'

const query = z.object({
  after: z
    .string(idMessage)
    .max(40, idMessage)
    .transform((text, context) => {
      const id = parseEventId(text)
      if (id !== null) return id
      context.addIssue({ code: 'custom', message: idMessage })
      return z.NEVER
    })
    .optional()
    .meta({
      override: { type: 'string', maxLength: 40 },
      description: 'Only entries behind this one. Without it, and without `fromBlock`, the oldest that are kept.',
    }),
  fromBlock: queryInteger(0, Number.MAX_SAFE_INTEGER)
    .optional()
    .meta({ description: 'Begins with the first entry of this block or a later one: where to go on after a 410.' }),
  limit: queryIntegerOr(100, { min: 1, max: 500 }),
  kind: z
    .union([eventKind.transform((kind) => [kind]), z.array(eventKind)], kindMessage)
    .optional()
    .meta({
      override: { type: 'array', items: { type: 'string', enum: eventKind.options }, anyOf: undefined },
      description: 'Repeated for several.',
    }),
  taskId: bytes32.optional(),
  mode: filterSchemas.mode.meta({ description: 'Entries of tasks of this mode.' }),
  tag: filterSchemas.tags.meta({
    description: 'Entries of tasks with all of these tags; as `tags` of `GET /api/tasks`.',
  }),
  minReward: filterSchemas.minReward.meta({
    description: 'Entries of tasks that pay at least so much, USDC base units.',
  }),
  q: filterSchemas.q.meta({
    description: 'Entries of tasks that these words, or this reference code, find; as in `GET /api/tasks`.',
  }),
  address: address.optional().meta({
    description:
      'Entries that concern this account. With its read identity also those of which no other caller may know that they do.',
  }),
  actions: address.optional().meta({
    description:
      'Streams alone: the action queue of this wallet comes too, first as a whole (`actions`), then what became available ' +
      'or closed (`action.available`, `action.closed`). As in `GET /api/agents/action-queue`.',
  }),
})

/**
 * Returns entries of the event log, as a page or as a stream of server-sent events. See the interface specification,
 * "Events and webhooks".
 *
 * Example: `GET /api/events` answers `{"events": [{..}], "next": "de1553a2dc97-1", "finalizedUpTo": 12}`.
 */
export const listLogEvents = defineRoute({
  operationId: 'listEvents',
  method: 'get',
  path: '/events',
  tag: 'events',
  summary: 'Read what changed, in order',
  description:
    'The log of changes in the order of blocks. Ask again with `next` as `after`: nothing is missed, and nothing comes twice. A ' +
    'reorg adds `reverted` entries, which name the entries that it took back, and then what is there now. Without read-identity ' +
    'headers public entries; with them also what the caller may see. A page can have fewer entries than `limit`, or none, ' +
    'and others can still follow: the end is reached when `next` stays the same. With `Accept: text/event-stream` entries come ' +
    'as they happen, behind the `Last-Event-ID` header where there is one. They are kept for 30 days. `docs/build/events.md` has all kinds.',
  query,
  audience: 'caller',
  isMadeOfRows: () => true,
  responses: {
    200: { description: 'A page; with `Accept: text/event-stream` a stream.', schema: eventPageOut },
    429: { description: 'Too many open streams of this client, or too many requests.' },
    410: {
      description:
        'The place is not kept any more, or ids were begun anew (detail `events_gone`): begin with `fromBlock`, the last ' +
        '`finalizedUpTo` that you read. Entries may come twice then, none is missed that is kept.',
    },
  },
  handler: async (deps, { query: request }, context) => {
    const {
      after,
      fromBlock,
      limit,
      kind: kinds,
      taskId,
      address: party,
      actions,
      mode,
      tag: tags,
      minReward,
      q,
    } = request
    if (after !== undefined && fromBlock !== undefined) {
      throw invalidRequest([{ path: 'fromBlock', message: 'must be left out where after is given' }])
    }
    const caller = await callerOf(context, deps)
    const filters = { kinds, taskId, address: party, ofTask: toTaskCondition({ mode, tags, minReward, q }) }
    if (takesEventStream(context))
      return await startStream(deps, context, { after, fromBlock, filters, caller, actions })
    if (actions !== undefined) {
      throw invalidRequest([
        { path: 'actions', message: 'needs Accept: text/event-stream; pages have no action queue' },
      ])
    }
    const reader = { caller, now: (await deps.chain.head()).timestamp, filters }
    const readEvents = (sql: Database) => readPage(sql, reader, { after, fromBlock, limit })
    // A replica may answer public pages; the primary decides about a place that the replica lacks.
    const page =
      (caller === null ? await deps.publicReads.read(readEvents) : null) ?? (await readEvents(deps.sql)).value
    if (page === null) throw await gone(deps.sql, 'after')
    return page
  },
})

/**
 * Reads a page of the log from one snapshot of the database. A page begins after a given entry. The returned `value` is
 * null if the snapshot does not have that entry.
 */
async function readPage(
  sql: Database,
  reader: EventReader,
  { limit, ...begin }: Begin & { limit: number },
): Promise<Read<object | null>> {
  return await sql.begin('isolation level repeatable read read only', async (tx) => {
    const position = await findPositionText(tx)
    const bounds = await findLogBounds(tx)
    if (bounds === null) return { position, value: { events: [], next: null, finalizedUpTo: null } }
    const after = await findBegin(tx, bounds, begin)
    if (after === null) return { position, value: null }
    const { events, last } = await readEvents(tx, reader, { after, limit, end: bounds.lastSequence })
    const finalizedUpTo = Number(await findReadBlock(tx, last, bounds.finalBlock))
    const shownEvents = events.map((event) => toEvent(event, bounds.epoch))
    return { position, value: { events: shownEvents, next: toEventId(bounds.epoch, last), finalizedUpTo } }
  })
}

type Begin = Pick<z.output<typeof query>, 'after' | 'fromBlock'>

/**
 * Answers with a stream of server-sent events. The stream begins after the entry that `Last-Event-ID` or the query
 * names. If neither names an entry, the stream begins with the next new entry.
 */
async function startStream(
  deps: Deps,
  context: Context,
  { filters, caller, actions, ...begin }: Begin & Pick<StreamReader, 'filters' | 'caller' | 'actions'>,
): Promise<Response> {
  const client = context.get('clientIp')(context)
  const refusal = deps.events.findRefusal({ client, caller, actions })
  if (refusal !== null) throw tooManyStreams(refusal)
  const lastId = context.req.header('last-event-id')?.trim()
  const resumedId = lastId === undefined || lastId === '' ? null : parseEventId(lastId)
  if (lastId && resumedId === null) throw invalidRequest([{ path: 'Last-Event-ID', message: idMessage }])
  const bounds = await findLogBounds(deps.sql)
  if (bounds === null) throw notBegun()
  const isFromEnd = resumedId === null && begin.after === undefined && begin.fromBlock === undefined
  const place = resumedId === null ? begin : { after: resumedId, fromBlock: undefined }
  const after = isFromEnd ? bounds.lastSequence : await findBegin(deps.sql, bounds, place)
  if (after === null) throw await gone(deps.sql, resumedId === null ? 'after' : 'Last-Event-ID')
  const { epoch } = bounds
  const end = await findStreamEnd(context, deps)
  return eventStream(context, (out) => deps.events.open({ client, caller, end, filters, actions, after, epoch }, out))
}

function notBegun(): ServiceError {
  const message = 'The log of changes has no entry yet; ask again in a few seconds.'
  return new ServiceError(503, 'unclassified', message, {
    detail: 'not_ready',
    headers: { 'Retry-After': '5' },
    isRefusal: true,
  })
}

function tooManyStreams(refusal: 'client' | 'process'): ServiceError {
  const headers = { 'Retry-After': '15' }
  return refusal === 'client'
    ? new ServiceError(
        429,
        'unclassified',
        'This client has as many open streams as one may have (20, 5 of them with actions): close one, or read pages.',
        { detail: 'stream_limit', headers },
      )
    : new ServiceError(503, 'unclassified', 'This process takes no more streams: ask again, or read pages.', {
        detail: 'overloaded',
        headers,
        isRefusal: true,
      })
}

/**
 * Returns the sequence number of the entry after which a page begins. Returns null if the log does not have the
 * requested entry.
 */
async function findBegin(sql: Queryable, bounds: LogBounds, { after, fromBlock }: Begin): Promise<bigint | null> {
  if (after !== undefined) return isKnownPlace(bounds, after) ? after.sequence : null
  if (fromBlock === undefined) return bounds.firstSequence - 1n
  return (await findSequenceBefore(sql, BigInt(fromBlock))) ?? bounds.lastSequence
}

async function gone(sql: Queryable, field: 'after' | 'Last-Event-ID'): Promise<ServiceError> {
  const bounds = await findLogBounds(sql)
  if (bounds === null) return notBegun()
  const message =
    `${field}: this place of the log is not known any more. Begin with fromBlock, the last finalizedUpTo that you read, or ` +
    `with after=${toEventId(bounds.epoch, bounds.firstSequence - 1n)}, the oldest place that is kept.`
  return new ServiceError(410, 'unclassified', message, {
    detail: 'events_gone',
    issues: [{ path: field, message: 'is no place of the log any more' }],
  })
}
