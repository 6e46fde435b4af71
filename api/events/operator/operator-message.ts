import { z } from 'zod'

/**
 * The kinds of states that the operator's webhook reports. A state is a condition that the operator should know, such
 * as a low balance of a relayer.
 */
export const operatorKinds = ['relayer.balance_low', 'intent.held', 'books.differ'] as const
export type OperatorKind = (typeof operatorKinds)[number]

const amount = z.string().regex(/^-?\d+$/)
const commonFields = {
  /** The value of the HTTP header `webhook-id`. All attempts to send the message have the same id. */
  id: z.string(),
  /** The reported change of a state. `began`: the state began at `at`. `over`: the state ended at `at`. */
  state: z.enum(['began', 'over']),
  at: z.iso.datetime(),
  network: z.strictObject({ chainId: z.int(), url: z.url() }),
}

/**
 * The body of a message to the operator's webhook (docs/operate/operator-webhooks.md). A message reports that a state,
 * such as a low balance of a relayer, began or is over. `data` contains the facts that were found when the state began,
 * in both messages.
 */
export const operatorMessage = z.discriminatedUnion('kind', [
  z.strictObject({
    ...commonFields,
    kind: z.literal('relayer.balance_low'),
    data: z.strictObject({ relayer: z.string(), balanceWei: amount, runwayDays: z.number().nullable() }),
  }),
  z.strictObject({
    ...commonFields,
    kind: z.literal('intent.held'),
    data: z.strictObject({ intentId: z.uuid(), operation: z.string(), heldAt: z.iso.datetime() }),
  }),
  z.strictObject({
    ...commonFields,
    kind: z.literal('books.differ'),
    data: z.strictObject({
      sum: z.string(),
      differences: z.array(z.strictObject({ of: z.string().nullable(), amount })),
    }),
  }),
])

export type OperatorMessage = z.output<typeof operatorMessage>

/** A state that exists now. `subject` is the object in the state: a relayer's account, a write or a sum. */
export type OperatorState = {
  [Kind in OperatorKind]: { kind: Kind; subject: string; data: DataOf<Kind> }
}[OperatorKind]

type DataOf<Kind extends OperatorKind> = Extract<OperatorMessage, { kind: Kind }>['data']

/** The states of one kind that a check found. Example: for the kind `intent.held`, each write that is held now. */
export interface FoundStates {
  kind: OperatorKind
  states: readonly OperatorState[]
  /**
   * Returns true if a subject is certainly no longer in the state. Returns false if this is not known. Example: a
   * process does not know the balances of another process's relayers. Called only for subjects that are not in
   * `states`.
   */
  isOver(subject: string): boolean
}
