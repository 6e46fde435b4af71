import { z } from 'zod'

/**
 * The position of a movement in the list of movements. The newest movement is first in the list. A cursor encodes the
 * position of the last movement on a page.
 */
export interface MovementPlace {
  blockNumber: bigint
  logIndex: number
  id: string
}

/**
 * The largest length of a cursor in characters. The id of a movement can contain a vault, a task and a kind; the cursor
 * of such a movement is the longest.
 */
const MAX_CURSOR_LENGTH = 400

const message = 'must be the nextCursor of the page before'

/** The schema of a cursor. The parsed value is the position of the last movement on the previous page. */
export const movementCursor = z
  .string(message)
  .max(MAX_CURSOR_LENGTH, message)
  .transform((text, context): MovementPlace => {
    const place = parseMovementCursor(text)
    if (place !== null) return place
    context.addIssue({ code: 'custom', message })
    return z.NEVER
  })
  .meta({ override: { type: 'string', minLength: 1, maxLength: MAX_CURSOR_LENGTH } })

/**
 * Returns the cursor of a movement. Example: `{ blockNumber: 12n, logIndex: 3, id: '0x…:0:funded' }` becomes
 * `MTIgMyAw…`.
 */
export function toMovementCursor({ blockNumber, logIndex, id }: MovementPlace): string {
  return Buffer.from(`${blockNumber} ${logIndex} ${id}`).toString('base64url')
}

/** Parses a cursor. Returns null if the text is not a cursor. */
function parseMovementCursor(cursor: string): MovementPlace | null {
  if (!/^[\w-]+$/.test(cursor)) return null
  const text = Buffer.from(cursor, 'base64url').toString()
  const [, block = '', log = '', id = ''] = /^([0-9]{1,18}) ([0-9]{1,9}) ([0-9a-z_:]{1,250})$/.exec(text) ?? []
  return id === '' ? null : { blockNumber: BigInt(block), logIndex: Number(log), id }
}
