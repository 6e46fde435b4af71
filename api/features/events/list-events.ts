import { z } from 'zod'
import type { Queryable } from '../../db/client.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { findLogBounds, findReadBlock, findSequenceBefore, type LogBounds } from '../../events/read-events.queries.ts'
import { readEvents } from '../../events/read-events.ts'
import { invalidRequest } from '../../http/parse.ts'
import { queryInteger, queryIntegerOr } from '../../http/query.ts'
import { address, bytes32 } from '../../http/request-schemas.ts'
import { callerOf } from '../../identity/caller.ts'
import { defineRoute } from '../define-route.ts'
import { parseEventId, toEvent, toEventId } from './events.mapper.ts'
import { eventKind, eventPageOut } from './events.schemas.ts'

const idMessage = 'must be an id of an event, such as `next` of the page before'

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
    .union([eventKind.transform((kind) => [kind]), z.array(eventKind)])
    .optional()
    .meta({
      override: { type: 'array', items: { type: 'string', enum: eventKind.options } },
      description: 'Repeated for several.',
    }),
  taskId: bytes32.optional(),
  address: address.optional().meta({
    description:
      'Entries that concern this account. With its read identity also those of which no other caller may know that they do.',
  }),
})

/** Interface, "Events and webhooks": the log of changes as pages. */
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
    'and others can still follow: the end is reached when `next` stays the same. Entries are kept for 30 days. `docs/events.md` has all kinds.',
  query,
  audience: 'caller',
  responses: {
    200: { description: 'A page.', schema: eventPageOut },
    410: {
      description:
        'The place is not kept any more, or ids were begun anew (detail `events_gone`): begin with `fromBlock`, the last ' +
        '`finalizedUpTo` that you read. Entries may come twice then, none is missed that is kept.',
    },
  },
  handler: async (deps, { query: asked }, context) => {
    const { after, fromBlock, limit, kind: kinds, taskId, address: concerns } = asked
    if (after !== undefined && fromBlock !== undefined) {
      throw invalidRequest([{ path: 'fromBlock', message: 'must be left out where after is given' }])
    }
    const caller = await callerOf(context, deps)
    const { timestamp: now } = await deps.chain.head()
    const reader = { caller, now, filters: { kinds, taskId, address: concerns } }
    return await deps.sql.begin('isolation level repeatable read read only', async (tx) => {
      const bounds = await findLogBounds(tx)
      if (bounds === null) return { events: [], next: null, finalizedUpTo: null }
      const begin = await findBegin(tx, bounds, { after, fromBlock })
      const { events, last } = await readEvents(tx, reader, { after: begin, limit })
      return {
        events: events.map((event) => toEvent(event, bounds.epoch)),
        next: toEventId(bounds.epoch, last),
        finalizedUpTo: Number(await findReadBlock(tx, last, bounds.finalBlock)),
      }
    })
  },
})

/** The entry behind which a page begins. */
async function findBegin(
  sql: Queryable,
  { epoch, firstSequence, lastSequence }: LogBounds,
  { after, fromBlock }: Pick<z.output<typeof query>, 'after' | 'fromBlock'>,
): Promise<bigint> {
  const oldest = firstSequence - 1n
  if (after !== undefined) {
    if (after.epoch !== epoch || after.sequence > lastSequence || after.sequence < oldest) {
      throw gone(toEventId(epoch, oldest))
    }
    return after.sequence
  }
  if (fromBlock === undefined) return oldest
  return (await findSequenceBefore(sql, BigInt(fromBlock))) ?? lastSequence
}

function gone(oldest: string): ServiceError {
  const message =
    'after: this place of the log is not known any more. Begin with fromBlock, the last finalizedUpTo that you read, or ' +
    `with after=${oldest}, the oldest place that is kept.`
  return new ServiceError(410, 'unclassified', message, {
    detail: 'events_gone',
    issues: [{ path: 'after', message: 'is no place of the log any more' }],
  })
}
