import type { Actor } from '../actors.ts'
import { createPayingClient } from '../paying-client.ts'
import type { Authorization, Requirement } from '../payment.ts'

/** The fault of a payment; `good`: none. */
export const paymentKinds = [
  ...(['good', 'good', 'good', 'short', 'late', 'early', 'forever', 'misdirected', 'foreign', 'garbage'] as const),
  ...(['repeated', 'tampered'] as const),
] as const
export type PaymentKind = (typeof paymentKinds)[number]

/** Signs the payment of a challenge, or a faulty one; remembers the last payment, to present it again. */
export function createPayer({ now, strangers }: { now: () => bigint; strangers: readonly Actor[] }) {
  let last: string | null = null
  return async (payer: Actor, requirement: Requirement, kind: PaymentKind): Promise<string> => {
    if (kind === 'garbage') return Buffer.from(`{"x402Version":2,"payload":${payer.key}}`).toString('base64')
    if (kind === 'repeated' && last !== null) return last
    const { account } = kind === 'foreign' ? (strangers[0] ?? payer) : payer
    const client = createPayingClient({ baseUrl: '', account, now })
    const { header } = await client.sign(requirement, changesOf(kind, { payer, requirement, now: now() }))
    last = kind === 'tampered' ? raiseAmount(header) : header
    return last
  }
}

interface Signed {
  payer: Actor
  requirement: Requirement
  now: bigint
}

function changesOf(kind: PaymentKind, { payer, requirement, now }: Signed): Partial<Authorization> {
  switch (kind) {
    case 'short':
      return { value: String(BigInt(requirement.amount) - 1n) }
    case 'late':
      return { validBefore: String(now) }
    case 'early':
      return { validAfter: String(now + 1000n) }
    case 'forever':
      return { validBefore: String(2n ** 256n - 1n) }
    case 'misdirected':
      return { to: payer.address }
    case 'foreign':
      return { from: payer.address }
    default:
      return {}
  }
}

/** One more base unit than was signed. */
function raiseAmount(header: string): string {
  const { payload, ...rest } = JSON.parse(Buffer.from(header, 'base64').toString())
  const value = String(BigInt(payload.authorization.value) + 1n)
  const raised = { ...rest, payload: { ...payload, authorization: { ...payload.authorization, value } } }
  return Buffer.from(JSON.stringify(raised)).toString('base64')
}
