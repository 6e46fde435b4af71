import { setTimeout as pause } from 'node:timers/promises'
import type { Address, Hex } from 'viem'
import type { CallDeployment } from '../../../protocol/operation.ts'
import { expiringReadHeadersOf, type ReadScope } from '../../support/actors.ts'
import { createPayingClient, type Reply } from '../../support/paying-client.ts'
import type { Payment } from '../../support/payment.ts'
import type { WriteEntry } from '../environment/evidence-log.ts'
import type { Replica } from '../environment/replica.ts'
import type { PreparedWrite } from './operations.ts'
import type { Outcome } from './outcome.ts'

/** A client's connection to the service, and its time. */
export interface Service {
  deployment: CallDeployment
  /** One that is up; waits for one until `signal` aborts. */
  choose(signal: AbortSignal): Promise<Replica>
  fetchOf(replica: Replica): typeof globalThis.fetch
  /** Unix seconds of the chain's head, which dates payments. */
  now(): Promise<bigint>
}

/** Deadline of a client for one write, milliseconds. */
const TIMEOUT_MS = 90_000
/** Time between two requests about the same write, milliseconds. */
const ASK_EVERY_MS = 50

type Step = Outcome | 'repeat' | 'look up'

/**
 * A client that follows the interface: the same key again without an answer or with an undecided one, the intents route
 * when the write exists, and never a new key.
 */
export async function perform(service: Service, write: PreparedWrite, entry: WriteEntry): Promise<Outcome> {
  const deadline = AbortSignal.timeout(TIMEOUT_MS)
  try {
    return await pursue(service, write, { entry, deadline })
  } catch (error) {
    if (deadline.aborted) return { kind: 'undecided', last: 'no API process was up in the end' }
    throw error
  }
}

async function pursue(
  service: Service,
  write: PreparedWrite,
  { entry, deadline }: { entry: WriteEntry; deadline: AbortSignal },
): Promise<Outcome> {
  let payment: Payment | null = null
  let last = 'nothing was answered'
  while (!deadline.aborted) {
    const reply = await ask(service, write, { payment, deadline })
    last = describe(reply)
    if (reply?.status === 402 && payment === null && write.mode === 'paid') {
      payment = await sign(service, write, reply)
      entry.nonces.push(payment.authorization.nonce)
      continue
    }
    const step = stepAfter(reply)
    if (step === 'repeat') await pause(ASK_EVERY_MS)
    else if (step !== 'look up') return step
    else {
      const found = await lookUp(service, write, { payment, deadline })
      if (found !== null) return found
    }
  }
  return { kind: 'undecided', last }
}

interface Asking {
  payment: Payment | null
  deadline: AbortSignal
}

/** The write's request, once; null without an answer. */
async function ask(service: Service, write: PreparedWrite, { payment, deadline }: Asking): Promise<Reply | null> {
  const { client } = await reach(service, write, deadline)
  try {
    return payment === null ? await client.send(write.call) : await client.sendPaid(write.call, payment)
  } catch {
    return null
  }
}

/** The final state at /intents; null when the write must be sent again (it is reserved or not found). */
export async function lookUp(service: Service, write: PreparedWrite, asking: Asking): Promise<Outcome | null> {
  while (!asking.deadline.aborted) {
    const reply = await readIntent(service, write, asking)
    if (reply?.status === 404) return null
    if (reply?.status === 200) {
      const { status, txHash, taskId, terminalReason } = reply.body
      if (status === 'completed') return { kind: 'completed', txHash, taskId }
      if (status === 'failed') return { kind: 'failed', reason: terminalReason }
      if (status === 'held') return { kind: 'held' }
      if (status === 'reserved') return null
    }
    await pause(ASK_EVERY_MS)
  }
  return null
}

/** GET /intents by key, as its initiator. */
export async function readIntent(service: Service, write: PreparedWrite, asking: Asking): Promise<Reply | null> {
  const { replica, client } = await reach(service, write, asking.deadline)
  try {
    return await client.get(
      `/intents?idempotencyKey=${write.call.key}`,
      await initiatorHeaders(write, { payment: asking.payment, baseUrl: replica.url, now: await service.now() }),
    )
  } catch {
    return null
  }
}

/** A payer authenticates with the payment; another initiator with its read signature. */
async function initiatorHeaders(
  { account }: PreparedWrite,
  { payment, ...scope }: ReadScope & { payment: Payment | null },
): Promise<Record<string, string>> {
  if (payment !== null) return { 'PAYMENT-SIGNATURE': payment.header }
  const reader = { account, address: account.address.toLowerCase() as Address }
  return await expiringReadHeadersOf(reader, scope)
}

async function reach(service: Service, write: PreparedWrite, deadline: AbortSignal) {
  const replica = await service.choose(deadline)
  const fetch = service.fetchOf(replica)
  return { replica, client: createPayingClient({ baseUrl: replica.url, account: write.account, fetch }) }
}

async function sign(service: Service, write: PreparedWrite, challenge: Reply): Promise<Payment> {
  const requirement = challenge.body.accepts[0]
  if (BigInt(requirement.amount) !== write.charge) {
    throw new Error(`${write.id} is asked for ${requirement.amount} instead of ${write.charge}`)
  }
  const client = createPayingClient({ baseUrl: '', account: write.account })
  const validBefore = (await service.now()) + BigInt(requirement.maxTimeoutSeconds)
  const changes = { validBefore: String(validBefore) }
  if (write.boundCall === undefined) return await client.sign(requirement, changes)
  return await client.signBound(write.call, { requirement, boundTo: write.boundCall(service.deployment), changes })
}

/** Spec, "Errors": the next step of a client after each answer. */
function stepAfter(reply: Reply | null): Step {
  if (reply === null) return 'repeat'
  const { status, body } = reply
  if (status === 200) {
    return { kind: 'completed', txHash: hashIn(reply), taskId: body.taskId ?? null }
  }
  const reason: string = body?.service?.reason ?? 'none'
  switch (reason) {
    case 'intent_in_flight':
    case 'intent_completion_deferred':
    case 'idempotency_key_reused':
      return 'look up'
    case 'payment_preflight_rejected':
      if (body.service.intentStatus === 'failed') return 'look up'
  }
  if (isPutOff(reply)) return { kind: 'refused', status, reason }
  if (status >= 500 || status === 429) return 'repeat'
  return { kind: 'refused', status, reason }
}

/** The service asks for a retry after the client's deadline. */
function isPutOff({ status, headers }: Reply): boolean {
  return status === 503 && Number(headers.get('retry-after') ?? 0) * 1000 > TIMEOUT_MS
}

function hashIn({ body, headers }: Reply): Hex | null {
  if (typeof body.txHash === 'string') return body.txHash as Hex
  const header = headers.get('payment-response')
  if (header === null) return null
  return JSON.parse(Buffer.from(header, 'base64').toString('utf8')).transaction ?? null
}

function describe(reply: Reply | null): string {
  if (reply === null) return 'no answer'
  return `${reply.status} ${JSON.stringify(reply.body?.service ?? null)}`
}
