import { z } from 'zod'

/** The kinds of states that an operator is notified of. */
export const operatorKinds = ['relayer.balance_low', 'intent.held', 'books.differ'] as const
export type OperatorKind = (typeof operatorKinds)[number]

const amount = z.string().regex(/^-?\d+$/)
const common = {
  /** The header `webhook-id`, equal in all attempts of a message. */
  id: z.string(),
  /** `began`: the state began at `at`; `over`: it ended. */
  state: z.enum(['began', 'over']),
  at: z.iso.datetime(),
  network: z.strictObject({ chainId: z.int(), url: z.url() }),
}

/**
 * The body of a message to the operator's webhook (docs/operate/operator-webhooks.md). `data` has the facts of the
 * beginning.
 */
export const operatorMessage = z.discriminatedUnion('kind', [
  z.strictObject({
    ...common,
    kind: z.literal('relayer.balance_low'),
    data: z.strictObject({ relayer: z.string(), balanceWei: amount, runwayDays: z.number().nullable() }),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('intent.held'),
    data: z.strictObject({ intentId: z.uuid(), operation: z.string(), heldAt: z.iso.datetime() }),
  }),
  z.strictObject({
    ...common,
    kind: z.literal('books.differ'),
    data: z.strictObject({
      sum: z.string(),
      differences: z.array(z.strictObject({ of: z.string().nullable(), amount })),
    }),
  }),
])

export type OperatorMessage = z.output<typeof operatorMessage>

/** A present state. `subject` is its account, write or sum, and its key within its kind. */
export type OperatorState = {
  [Kind in OperatorKind]: { kind: Kind; subject: string; data: DataOf<Kind> }
}[OperatorKind]

type DataOf<Kind extends OperatorKind> = Extract<OperatorMessage, { kind: Kind }>['data']

/** The present states of one kind. */
export interface FoundStates {
  kind: OperatorKind
  states: readonly OperatorState[]
  /** Returns true if the state of an absent subject is over; false: unknown. */
  isOver(subject: string): boolean
}
