import { sendRequest } from '../http/send.ts'
import { intentShape } from '../http/shapes.ts'
import type { IntentStatus } from './outcome.ts'
import type { Run } from './run.ts'

/** What the service has recorded of a write. */
export interface IntentRecord {
  status: IntentStatus
  txHash: string | null
  taskId: string | null
  terminalReason: string | null
  refund: { status: 'pending' | 'refunding' | 'refunded' | 'failed' } | null
}

/** `absent`: no write is bound to the key, or this caller may not read it. */
export type FoundIntent = { kind: 'intent'; intent: IntentRecord } | { kind: 'absent' } | { kind: 'unreadable' }

/** Asks for the outcome of a run's key, as its payer or signer. */
export async function readIntent({ context, key, payment }: Run): Promise<FoundIntent> {
  const { url, fetch, identity, timing } = context
  const headers = payment === null ? await identity() : { 'PAYMENT-SIGNATURE': payment.header }
  const request = { method: 'GET', url: `${url}/api/intents?idempotencyKey=${key}`, headers } as const
  const answer = await sendRequest(fetch, request, timing.requestMs)
  if (answer.kind === 'none') return { kind: 'unreadable' }
  const body = answer.body as (Partial<IntentRecord> & { service?: { reason?: unknown } | null }) | null
  if (answer.status === 404 && body?.service?.reason === 'intent_not_found') return { kind: 'absent' }
  if (answer.status !== 200 || !intentShape.accepts(body) || body?.status === undefined) return { kind: 'unreadable' }
  if (body.status === 'reserved') return { kind: 'absent' }
  const { status, txHash = null, taskId = null, terminalReason = null, refund = null } = body
  return { kind: 'intent', intent: { status, txHash, taskId, terminalReason, refund } }
}
