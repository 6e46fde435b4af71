import { zeroAddress } from 'viem'
import type { Transaction } from '../../db/client.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { type IntentFacts, ServiceError } from '../../errors/service-error.ts'
import type { ClientRateLimits } from '../../http/client-rate-limits.ts'
import type { DirectRelay } from '../../intents/direct-relay.ts'
import type { CallTerms } from '../../intents/intent.ts'
import { type Binding, fundsOf } from '../../intents/intents.queries.ts'
import { kindOf } from '../../intents/operations.ts'
import { type CallOrigin, findRelayTerms } from '../../intents/relay-terms.ts'
import { transactionOfIntent } from '../../intents/relayed-call.ts'
import { isDocumentRepeated } from '../../intents/repeated-document.queries.ts'
import { isAuthorizationUsed } from '../../payments/verify.ts'
import { type PreparedCall, taskIdIn } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'
import { explainUsedPayment } from './accept-payment.ts'
import { refused } from './admit.ts'
import { bind } from './bind.ts'
import { type AdmittedCall, callOf, findOtherCall } from './call-of.ts'
import { type Consent, keepConsent } from './check-consent.ts'
import { documentRepeated } from './document-repeated.ts'
import { drawFreeGas, type ReturnGas } from './draw-free-gas.ts'
import { simulateRelay } from './simulate-relay.ts'

/** A write that the rules admitted and that is not bound yet. */
export interface AdmittedWrite extends AdmittedCall {
  /** The rate limits of the client that sent the request. */
  rateLimits: Pick<ClientRateLimits, 'require' | 'consume' | 'refund'>
  key: string
  intentId: string
  /**
   * True if a relayer has already sent the call that the payment pays for. The service then does not simulate the call,
   * because the payment is already spent.
   */
  isRelayed: boolean
  consent: Consent | null
  /** Called immediately before the write is bound, that is, before the write's call and payment are stored. */
  onBind: () => void
}

/**
 * Prepares the call and its content, simulates the transaction and binds the write, in stages 8 and 9. If the write is
 * certainly not bound, the files that were stored for the call are deleted.
 * @returns `isTypical`: true if the call's gas is at most the usual gas of its operation
 * @throws ServiceError with the error of the stage that failed
 */
export async function bindCall(deps: WriteDeps, admission: AdmittedWrite): Promise<{ isTypical: boolean }> {
  const { write, input, subject, address, key } = admission
  const call = await write.prepare(deps, subject, input, address ?? zeroAddress, admission.payment)
  const intent = {
    intentId: admission.intentId,
    intentStatus: 'reserved',
    operation: write.operation,
    idempotencyKey: key,
  }
  if ('failure' in call) throw refused(call, intent)
  const changeError = findOtherCall(deps, admission, { prepared: call, intent })
  if (changeError !== null) {
    await discard(deps, call)
    throw changeError
  }
  const { bringsHooks = false, awards = 1, registryGas = 0n, foreignCode = null } = call
  const origin = {
    operation: write.operation,
    actor: address,
    taskId: taskIdIn(input.params),
    callsMarket: kindOf(write.operation) === 'market',
    bringsHooks,
    awards,
    registryGas,
    foreignCode,
  }
  const simulationContext = { intent, ...(write.describeRevert && { describeRevert: write.describeRevert }) }
  let returnGas: ReturnGas | null = null
  const explainRevert = async (error: unknown): Promise<never> => {
    throw (await explainSettled(deps, admission, intent)) ?? error
  }
  try {
    const [isRepeated, terms] = await Promise.all([
      isDocumentRepeated(deps.sql, call.content),
      findLimitedTerms(deps, admission, origin),
    ])
    if (isRepeated) throw refused(documentRepeated(), intent)
    const binding = { id: admission.intentId, ...callOf(deps, admission, call), terms }
    const simulatedAt = performance.now()
    const simulation = admission.isRelayed
      ? null
      : deps.observe.stage('simulate', () => simulateRelay(deps, binding, simulationContext)).catch(explainRevert)
    const [simulatedGas, relay] = await Promise.all([simulation, simulation && planRelay(deps, binding)])
    const gas = simulatedGas ?? 0n
    if (admission.mode !== 'paid') {
      const freeCall = { operation: write.operation, actor: address, gas, target: call.target, intent }
      returnGas = await drawFreeGas(deps, admission.rateLimits, freeCall)
    }
    deps.reach('after-simulate')
    const request = {
      key,
      binding,
      content: call.content,
      direct: relay && { relay, gas, simulatedAt },
      guard: (tx: Transaction) => guardOf(admission, tx),
      confirm: (tx: Transaction) => confirm(admission, tx),
    }
    admission.onBind()
    await deps.observe.stage('bind', () => bind(deps, request))
    return { isTypical: gas <= terms.typicalGas }
  } catch (error) {
    if (!mayBeBound(error)) {
      await returnGas?.()
      await discard(deps, call)
    }
    throw error
  }
}

/**
 * Returns the terms of a call. Refuses a paid call that runs only the deployment's code if too many paid calls of the
 * client have reverted, because reverted calls cost the service gas. This function does not limit free calls and calls
 * that run code of other accounts.
 * @throws ServiceError 429 when too many of the client's paid writes have reverted; nothing was charged
 */
async function findLimitedTerms(
  deps: WriteDeps,
  { rateLimits, payment }: AdmittedWrite,
  origin: CallOrigin,
): Promise<CallTerms> {
  const limitCheck = payment === null ? null : rateLimits.require('revertedWrites')
  const [terms, [limitOutcome]] = await Promise.all([findRelayTerms(deps, origin), Promise.allSettled([limitCheck])])
  if (limitOutcome.status === 'rejected' && terms.relayClass === 'plain') throw limitOutcome.reason
  return terms
}

/**
 * Returns the error for a simulation that reverted because the payment was already used on chain, for example by
 * another account. Returns null if the payment is unused, or if its use does not explain the revert.
 */
async function explainSettled(
  deps: WriteDeps,
  admission: AdmittedWrite,
  intent: IntentFacts,
): Promise<ServiceError | null> {
  const { payment, head, write } = admission
  if (payment === null || !(await isAuthorizationUsed(deps, payment))) return null
  return await explainUsedPayment(deps, payment, { head, intent, operation: write.operation })
}

/**
 * Plans a direct relay: the call is signed in the transaction that binds the write. Returns null if the outbox must
 * sign the call later. The outbox signs every call that runs code of other accounts.
 */
async function planRelay({ writes, deployment }: WriteDeps, binding: Binding): Promise<DirectRelay | null> {
  const { id: intentId, terms } = binding
  if (terms.relayClass !== 'plain') return null
  const validBefore = fundsOf(binding)?.validBefore ?? null
  const call = transactionOfIntent(binding, deployment)
  return await writes.relayer.plan({ intentId, call, gasLimit: terms.gasLimit, validBefore })
}

function mayBeBound(error: unknown): boolean {
  return error instanceof ServiceError && error.reason === 'intent_in_flight'
}

async function discard(deps: WriteDeps, call: PreparedCall): Promise<void> {
  try {
    await call.discard?.()
  } catch (error) {
    deps.log.warn({ err: error }, 'refused files left behind')
  }
}

async function guardOf({ write, subject, input }: AdmittedWrite, tx: Transaction): Promise<Refusal | null> {
  return (await write.guard?.(tx, subject, input)) ?? null
}

/** Checks the payer's consent again inside the binding transaction. An exception undoes the bind. */
async function confirm({ consent, intentId }: AdmittedWrite, tx: Transaction): Promise<void> {
  if (consent !== null) await keepConsent(tx, consent, intentId)
}
