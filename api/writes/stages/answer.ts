import { encodePaymentResponseHeader } from '@x402/core/http'
import type { Context } from 'hono'
import { getAddress, zeroAddress } from 'viem'
import { type IntentFacts, ServiceError } from '../../errors/service-error.ts'
import { answerJsonText } from '../../http/json-answer.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { findBoundIntent } from '../../intents/intents.queries.ts'
import { paymentOf } from '../../intents/relayed-call.ts'
import { networkOf } from '../../payments/challenge.ts'
import { returnUnit } from '../count-write.ts'
import { factsOf } from '../intent-facts.ts'
import type { AnyWrite, WriteInput } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'

export interface Awaited {
  write: AnyWrite
  input: WriteInput
  intent: IntentFacts & { intentId: string }
  /** The signal that aborts when the time for answering the request is over. */
  deadline: AbortSignal
}

/**
 * Waits for the write's outcome and answers with it, in stage 10. A completed write is answered once the read model
 * contains the write. If the outcome is unknown at the deadline, the answer is an error such as 409 `intent_in_flight`,
 * and the write continues. The answer is never 402, because the payment may already be sent.
 */
export async function answerOutcome(c: Context, deps: WriteDeps, request: Awaited): Promise<Response> {
  const intent = (await findOutcome(deps, request)) ?? (await findLastState(deps, request))
  switch (intent?.status) {
    case 'completed':
      await Promise.all([
        deps.observe.stage('indexed', () => waitUntilIndexed(deps, intent, request.deadline)),
        returnUnit(c, paymentOf(intent) !== null),
      ])
      return await answerResult(c, deps, intent, request)
    case 'failed':
      await countFailure(c, intent)
      throw new ServiceError(
        409,
        'payment_preflight_rejected',
        `The write failed: ${intent.terminalReason ?? 'no reason is known'}. Use a fresh key to try again.`,
        { detail: 'write_failed', intent: factsOf(intent) },
      )
    case 'held':
      throw new ServiceError(
        409,
        'intent_in_flight',
        'The payment was used on chain by another account and the write could not follow; an operator looks into it.',
        { detail: 'write_held', intent: factsOf(intent) },
      )
    default:
      throw unfinished(intent, request)
  }
}

/**
 * Updates the client's rate limits after a failed write. If the call ran code of other accounts and was free, the
 * client gets its unit of `freeRelays` back. If the call ran only the deployment's code, was paid and was mined, the
 * failure counts against the limit `revertedWrites`.
 */
async function countFailure(c: Context, intent: BoundIntent): Promise<void> {
  const { relayClass, blockNumber } = intent
  const payment = paymentOf(intent)
  const rateLimits = c.get('rateLimits')
  if (relayClass === 'foreign') {
    if (payment === null) await rateLimits.refund('freeRelays')
  } else if (payment !== null && blockNumber !== null) await rateLimits.count('revertedWrites')
}

/** Waits for the outcome of an intent. Returns null if the outcome is unknown, for example without a database. */
async function findOutcome(deps: WriteDeps, { intent, deadline }: Awaited): Promise<BoundIntent | null> {
  try {
    return await deps.writes.outcomes.wait(intent.intentId, deadline)
  } catch (error) {
    deps.log.warn({ err: error, intentId: intent.intentId }, 'intent outcome read failed')
    return null
  }
}

/** Reads the intent once more after the wait, because its outcome may have been stored just as the wait ended. */
function findLastState({ sql }: WriteDeps, { intent }: Awaited): Promise<BoundIntent | null> {
  return findBoundIntent(sql, intent.intentId).catch(() => null)
}

/**
 * Waits until the write is indexed, at most until the deadline. If the indexer is late, the write has still succeeded,
 * but the caller's next read may not show the write.
 */
async function waitUntilIndexed(
  deps: WriteDeps,
  { id, blockNumber }: BoundIntent,
  deadline: AbortSignal,
): Promise<void> {
  try {
    const isIndexed = blockNumber === null || (await deps.writes.indexedBlocks.wait(blockNumber, deadline))
    if (!isIndexed) deps.log.warn({ intentId: id, blockNumber: String(blockNumber) }, 'answer sent before indexing')
  } catch (error) {
    deps.log.warn({ err: error, intentId: id }, 'answer sent without indexer state')
  }
}

async function answerResult(c: Context, deps: WriteDeps, intent: BoundIntent, request: Awaited): Promise<Response> {
  const body = await makeBody(deps, intent, request)
  deps.reach('before-reply')
  return answerJsonText(c, body, 200, { 'Cache-Control': 'no-store', ...paymentResponse(deps, intent) })
}

async function makeBody(deps: WriteDeps, intent: BoundIntent, { write, input }: Awaited): Promise<unknown> {
  const result = { body: intent.result ?? {}, ...(intent.taskId !== null && { taskId: intent.taskId }) }
  if (write.respond === undefined) return result.body
  try {
    return await write.respond(deps, result, input, intent.initiator ?? zeroAddress)
  } catch (cause) {
    throw new ServiceError(
      500,
      'intent_completion_deferred',
      'The write is done; only its answer could not be made. Read its effect, and do not send it again.',
      { detail: 'answer_deferred', intent: factsOf(intent), cause },
    )
  }
}

/** Returns the response header with the settlement receipt of x402. The receipt names the write's transaction. */
function paymentResponse({ deployment }: WriteDeps, intent: BoundIntent): Record<string, string> {
  const { txHash } = intent
  const payment = paymentOf(intent)
  if (payment === null || txHash === null) return {}
  return {
    'PAYMENT-RESPONSE': encodePaymentResponseHeader({
      success: true,
      transaction: txHash,
      network: networkOf(deployment),
      payer: getAddress(payment.from),
      amount: payment.value.toString(),
    }),
  }
}

function unfinished(now: BoundIntent | null, { intent }: Awaited): ServiceError {
  const facts = now === null ? intent : factsOf(now)
  if (now !== null && now.status === 'broadcast' && now.blockNumber !== null) {
    return new ServiceError(
      500,
      'intent_completion_deferred',
      'The write is on chain, its result is still being recorded; look it up at /intents and do not send it again.',
      { detail: 'answer_deferred', intent: facts },
    )
  }
  return new ServiceError(
    409,
    'intent_in_flight',
    'The write is on its way and not decided yet; look it up at /intents and do not send it again.',
    { detail: 'write_undecided', intent: facts },
  )
}
