import { z } from 'zod'
import { eventKindNames, eventKinds } from '../../events/event-kinds.ts'
import { addressOut, hashOut, timestampOut } from '../../http/response-schemas.ts'

/** The schema of the id of an entry in the service's event log. Example: `9f2c4e7a10b3-42`. */
export const eventIdOut = z.string().regex(/^[0-9a-f]{12}-[0-9]{1,18}$/)

const envelope = {
  id: eventIdOut,
  block: z
    .object({ number: z.int(), timestamp: timestampOut })
    .meta({ description: 'Of `reverted`: that of the entry that it is about.' }),
  txHash: hashOut.nullable(),
  taskId: hashOut.nullable(),
  addresses: z.array(addressOut).meta({ description: 'The accounts that `data` names.' }),
}

const revertedOut = z
  .object({ eventId: eventIdOut })
  .meta({ description: 'The earlier entry, which a reorg took back; what is there now follows.' })

const revealedOut = z.object({ eventIds: z.array(eventIdOut) }).meta({
  description:
    'Earlier entries that have become visible to `addresses`; to everyone who sees the task where these are none.',
})

/** The schema of an entry in the service's event log. The kind of the entry determines its `data`. */
export const eventOut = z.discriminatedUnion('kind', [
  z.object({ ...envelope, kind: z.literal('reverted'), data: revertedOut }),
  z.object({ ...envelope, kind: z.literal('revealed'), data: revealedOut }),
  ...Object.entries(eventKinds).map(([kind, { fields, meaning }]) =>
    z
      .object({
        ...envelope,
        kind: z.literal(kind),
        data: z.object(
          Object.fromEntries(
            Object.entries(fields).map(([name, field]) => [name, field.out.meta({ description: field.meaning })]),
          ),
        ),
      })
      .meta({ description: meaning }),
  ),
])

/** The schema of a page of entries in the service's event log. */
export const eventPageOut = z.object({
  events: z.array(eventOut),
  next: eventIdOut.nullable().meta({
    description: 'What to send as `after` next: also where no entry was found. Null: there is no entry yet.',
  }),
  finalizedUpTo: z
    .int()
    .nullable()
    .meta({
      description:
        'Up to this block you have read everything, and nothing of it is taken back any more; -1: of no block. Null: there is no ' +
        'entry yet.',
    }),
})

/** The schema of a kind of log entry that a request may select. */
export const eventKind = z.enum(eventKindNames)
