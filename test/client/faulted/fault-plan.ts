import type { Random } from '../../chain/indexer/random.ts'

/** Where a stream of bytes is cut: every class of boundary that one message has. */
export const boundaries = ['nothing', 'first byte', 'in the head', 'head', 'in the body', 'last byte', 'whole'] as const
export type Boundary = (typeof boundaries)[number]

export const actions = ['drop', 'truncate', 'delay', 'duplicate'] as const

/** What happens to one exchange. Of a duplicate, the second copy follows `delayMs` after the first. */
export interface Fault {
  action: (typeof actions)[number]
  direction: 'request' | 'response'
  boundary: Boundary
  delayMs: number
}

/** The faults of one run, by the number of the exchange from 0 on. */
export type FaultPlan = Map<number, Fault>

/** One to three faults within the first six exchanges. */
export function planFaults(random: Random): FaultPlan {
  const plan: FaultPlan = new Map()
  const count = 1 + random.below(3)
  for (let fault = 0; fault < count; fault++) {
    plan.set(random.below(6), {
      action: random.pick(actions),
      direction: random.pick(['request', 'response'] as const),
      boundary: random.pick(boundaries),
      delayMs: random.pick([20, 200, 1_500, 4_000]),
    })
  }
  return plan
}

/** How many bytes of a message pass a boundary. `headLength` counts the empty line after the head. */
export function bytesAt(boundary: Boundary, message: Buffer, headLength: number): number {
  switch (boundary) {
    case 'nothing':
      return 0
    case 'first byte':
      return 1
    case 'in the head':
      return Math.floor(headLength / 2)
    case 'head':
      return headLength
    case 'in the body':
      return headLength + Math.floor((message.length - headLength) / 2)
    case 'last byte':
      return message.length - 1
    case 'whole':
      return message.length
  }
}
