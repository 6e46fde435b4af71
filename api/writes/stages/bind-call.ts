import { type Hex, zeroAddress } from 'viem'
import type { Transaction } from '../../db/client.ts'
import type { Refusal } from '../../domain/refusal.ts'
import { type IntentFacts, ServiceError } from '../../errors/service-error.ts'
import type { ClientRateLimits } from '../../http/client-rate-limits.ts'
import type { RelayTerms } from '../../intents/intent.ts'
import { kindOf } from '../../intents/operations.ts'
import { findRelayTerms } from '../../intents/relay-terms.ts'
import { isDocumentRepeated } from '../../intents/repeated-document.queries.ts'
import { isAuthorizationUsed } from '../../payments/verify.ts'
import type { PreparedCall } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'
import { explainUsedPayment } from './accept-payment.ts'
import { refused } from './admit.ts'
import { bind } from './bind.ts'
import { type AdmittedCall, callOf, findOtherCall } from './call-of.ts'
import { type Consent, keepConsent } from './check-consent.ts'
import { documentRepeated } from './document-repeated.ts'
import { drawFreeGas, type ReturnGas } from './draw-free-gas.ts'
import { simulateRelay } from './simulate-relay.ts'

/** An admitted write on its way into the database. */
export interface AdmittedWrite extends AdmittedCall {
  /** Those of the client. */
  rateLimits: Pick<ClientRateLimits, 'require' | 'consume' | 'refund'>
  key: string
  intentId: string
  /** A relayer has relayed the call of the payment already: there is nothing to simulate. */
  isRelayed: boolean
  consent: Consent | null
}

/**
 * Stages 8 and 9: prepares the call and its content, simulates the whole transaction and binds it. What was stored for
 * a write that is not bound in the end is removed again.
 * @returns whether the call is a usual one by its gas
 * @throws ServiceError of each of the stages
 */
export async function bindCall(deps: WriteDeps, admitted: AdmittedWrite): Promise<{ isTypical: boolean }> {
  const { write, input, subject, address, key } = admitted
  const prepared = await write.prepare(deps, subject, input, address ?? zeroAddress, admitted.payment)
  const intent = {
    intentId: admitted.intentId,
    intentStatus: 'reserved',
    operation: write.operation,
    idempotencyKey: key,
  }
  if ('failure' in prepared) throw refused(prepared, intent)
  const changed = findOtherCall(deps, admitted, { prepared, intent })
  if (changed !== null) {
    await discard(deps, prepared)
    throw changed
  }
  const { bringsHooks = false, awards = 1, registryGas = 0n, foreignCode = null } = prepared
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
  const simulated = { intent, ...(write.describeRevert && { describeRevert: write.describeRevert }) }
  let returnGas: ReturnGas | null = null
  const explainRevert = async (error: unknown): Promise<never> => {
    throw (await explainSettled(deps, admitted, intent)) ?? error
  }
  try {
    const [isRepeated, terms] = await Promise.all([
      isDocumentRepeated(deps.sql, prepared.content),
      findRelayTerms(deps, origin),
    ])
    if (isRepeated) throw refused(documentRepeated(), intent)
    await limitReverts(admitted, terms)
    const binding = { id: admitted.intentId, ...callOf(deps, admitted, prepared), terms }
    const gas = admitted.isRelayed
      ? 0n
      : await deps.observe.stage('simulate', () => simulateRelay(deps, binding, simulated)).catch(explainRevert)
    if (admitted.mode !== 'paid') {
      const free = { operation: write.operation, actor: address, gas, target: prepared.target, intent }
      returnGas = await drawFreeGas(deps, admitted.rateLimits, free)
    }
    deps.reach('after-simulate')
    const request = {
      key,
      binding,
      content: prepared.content,
      guard: (tx: Transaction) => guardOf(admitted, tx),
      confirm: (tx: Transaction) => confirm(admitted, tx),
    }
    await deps.observe.stage('bind', () => bind(deps, request))
    return { isTypical: gas <= terms.typicalGas }
  } catch (error) {
    if (!mayBeBound(error)) {
      await returnGas?.()
      await discard(deps, prepared)
    }
    throw error
  }
}

/**
 * A paid call that reverts charges nothing, and costs gas: a wallet may sign more than it holds, or its task may change
 * meanwhile. Gas of foreign calls has a budget of its own, and free relays are counted before.
 * @throws ServiceError 429 when too many of the client's paid writes have reverted; nothing was charged
 */
async function limitReverts({ rateLimits, payment }: AdmittedWrite, { relayClass }: RelayTerms): Promise<void> {
  if (payment !== null && relayClass === 'plain') await rateLimits.require('revertedWrites')
}

/**
 * Another account may have settled the payment since it was verified: that is why the call reverts, and money has
 * moved.
 */
async function explainSettled(
  deps: WriteDeps,
  admitted: AdmittedWrite,
  intent: IntentFacts,
): Promise<ServiceError | null> {
  const { payment, head, write } = admitted
  if (payment === null || !(await isAuthorizationUsed(deps, payment))) return null
  return await explainUsedPayment(deps, payment, { head, intent, operation: write.operation })
}

/** The task that a path names. */
function taskIdIn(params: unknown): Hex | null {
  const { taskId } = (params ?? {}) as { taskId?: Hex }
  return taskId ?? null
}

function mayBeBound(error: unknown): boolean {
  return error instanceof ServiceError && error.reason === 'intent_in_flight'
}

async function discard(deps: WriteDeps, prepared: PreparedCall): Promise<void> {
  try {
    await prepared.discard?.()
  } catch (error) {
    deps.log.warn({ err: error }, 'files of a refused write were left behind')
  }
}

async function guardOf({ write, subject, input }: AdmittedWrite, tx: Transaction): Promise<Refusal | null> {
  return (await write.guard?.(tx, subject, input)) ?? null
}

/** Once the write is bound, and before anything else is stored with it. */
async function confirm({ consent, intentId }: AdmittedWrite, tx: Transaction): Promise<void> {
  if (consent !== null) await keepConsent(tx, consent, intentId)
}
