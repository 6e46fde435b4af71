import type { IntentStatus } from '../../../protocol/intent-statuses.ts'
import { readLimit } from '../context.ts'
import { sendRequest } from '../http/send.ts'
import { intentShape } from '../http/shapes.ts'
import { signSamePayment } from '../payments/authorization.ts'
import { isBound, type Run } from './run.ts'

/** The service's record of a write. */
export interface IntentRecord {
  status: IntentStatus
  txHash: string | null
  taskId: string | null
  terminalReason: string | null
  refund: { status: 'pending' | 'refunding' | 'refunded' | 'failed' } | null
}

/**
 * The result of searching for the service's record of a write. `absent`: the service returned no record. Either the
 * service has no write under the key, or it hides the record from the caller. `isProven`: true if it is certain that
 * the service has no write under the key, for example because the caller proved to be the payer.
 *
 * `serviceHost`: the service's own host, if the answer names another host than the client's URL.
 */
export type FoundIntent =
  | { kind: 'intent'; intent: IntentRecord }
  | { kind: 'absent'; isProven: boolean; serviceHost: string | null }
  | { kind: 'unreadable' }

/**
 * Reads the service's record of a run's write. The request must show which wallet reads. If the run has signed a
 * payment, the request contains this payment. Otherwise the request contains the signed read identity. If a read with
 * the read identity returns no record, the client signs the journal's payment again as a proof (see `signProof`), and
 * reads once more.
 *
 * The read identity is valid only for the service's own host. Behind a proxy with another host name, the service
 * refuses the read identity.
 * @throws SigningError
 */
export async function readIntent(run: Run): Promise<FoundIntent> {
  const header = run.payment?.header ?? run.proof
  if (header !== null) return await ask(run, { 'PAYMENT-SIGNATURE': header }, true)
  const intentReading = await ask(run, await run.context.identity(), false)
  if (intentReading.kind !== 'absent') return intentReading
  run.proof = await signProof(run)
  return run.proof === null ? intentReading : await ask(run, { 'PAYMENT-SIGNATURE': run.proof }, true)
}

/**
 * Signs the journal's payment again as a proof of who paid. Returns null if there is no payment. Also returns null
 * while the new signature could make the write: the payment has not expired, and the service has not confirmed that the
 * write is stored.
 */
async function signProof(run: Run): Promise<string | null> {
  const { context, entry } = run
  // An authorization inside a body has no nonce in the journal.
  if (entry.payment === null || entry.payment.nonce === '0x') return null
  if (!isBound(run) && entry.payment.validBefore >= (await context.now())) return null
  const { nonce, value, validBefore, salt } = entry.payment
  const proof = { nonce, value, validBefore, ...(salt !== undefined && { salt }) }
  return await signSamePayment(context.account, context.deployment, proof)
}

async function ask(
  { context: { url, fetch, timing }, key }: Run,
  headers: Record<string, string>,
  isProven: boolean,
): Promise<FoundIntent> {
  const request = { method: 'GET', url: `${url}/api/intents?idempotencyKey=${key}`, headers } as const
  const answer = await sendRequest(fetch, request, readLimit(timing))
  if (answer.kind === 'none') return { kind: 'unreadable' }
  const body = answer.body as (Partial<IntentRecord> & { service?: ErrorFacts | null }) | null
  if (answer.status === 404 && body?.service?.reason === 'intent_not_found') {
    return { kind: 'absent', isProven, serviceHost: otherHostIn(body.service.docs, url) }
  }
  if (answer.status !== 200 || !intentShape.accepts(body) || body?.status === undefined) return { kind: 'unreadable' }
  if (body.status === 'reserved') return { kind: 'absent', isProven: true, serviceHost: null }
  const { status, txHash = null, taskId = null, terminalReason = null, refund = null } = body
  return { kind: 'intent', intent: { status, txHash, taskId, terminalReason, refund } }
}

interface ErrorFacts {
  reason?: unknown
  docs?: unknown
}

/**
 * Returns the host of the link in the service's error answer if that host differs from the host of the client's URL.
 * Returns null if both hosts are the same, or if the answer has no link.
 */
function otherHostIn(docs: unknown, url: string): string | null {
  if (typeof docs !== 'string' || !URL.canParse(docs)) return null
  const { host } = new URL(docs)
  return host === new URL(url).host ? null : host
}

/**
 * Returns the sentence about a write whose record the service hides from this wallet.
 * @param serviceHost the host that the service itself names; null if it names none
 */
export function describeHidden({ context, lastStatus }: Run, serviceHost: string | null): string {
  const { host } = new URL(context.url)
  const subject = lastStatus === null ? 'The service may have this write' : `The service has this write (${lastStatus})`
  const hostClause = serviceHost === null ? 'may have another host' : `has the host ${serviceHost}`
  return (
    `${subject} and does not show its record: this client reads as its wallet at ${host} only, and the service ${hostClause}. ` +
    'Repeat the call with the URL that the service itself names; nothing is paid twice.'
  )
}
