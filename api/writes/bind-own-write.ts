import { createHash, randomUUID } from 'node:crypto'
import type { Address, Hex } from 'viem'
import { isForwarded } from '../../protocol/relay.ts'
import type { Transaction } from '../db/client.ts'
import type { Refusal } from '../domain/refusal.ts'
import { reserveIntent } from '../intents/intents.queries.ts'
import type { Operation } from '../intents/operations.ts'
import { kindOf } from '../intents/operations.ts'
import { findRelayTerms } from '../intents/relay-terms.ts'
import { bind } from './stages/bind.ts'
import { requireFundedRelayer } from './stages/require-funded-relayer.ts'
import { simulateRelay } from './stages/simulate-relay.ts'
import type { WriteDeps } from './write-deps.ts'

/**
 * A call that the service itself starts. No account signs or pays for the call. The call runs only code of the
 * deployment.
 */
export interface OwnWrite {
  operation: Operation
  target: Address
  data: Hex
  /** The id of the HTTP request that caused this call. It is stored for support. */
  requestId: string
  /** Checks the rules again inside the transaction that records the write. A refusal rolls the transaction back. */
  guard: (tx: Transaction, intentId: string) => Promise<Refusal | null>
}

/**
 * Records a call that the service itself starts. A relayer sends the call in the mode `open`, which names no account.
 * @returns the intent's id
 * @throws ServiceError when no relayer has funds, the call would revert, or the guard refuses
 * @throws ServiceError `intent_in_flight` when it is unknown whether the write was recorded
 */
export async function bindOwnWrite(deps: WriteDeps, write: OwnWrite): Promise<string> {
  const { operation, target, data, requestId, guard } = write
  const kind = kindOf(operation)
  if (!isForwarded(kind)) throw new Error(`${operation} is submitted as its owner signed it`)
  const key = randomUUID()
  await requireFundedRelayer(deps, key)
  const intentId = await reserveIntent(deps.sql, {
    id: randomUUID(),
    idempotencyKey: key,
    operation,
    fingerprint: createHash('sha256').update(data).digest(),
    requestId,
  })
  if (intentId === null) throw new Error('a fresh key was taken')
  const origin = {
    operation,
    actor: null,
    callsMarket: false,
    taskId: null,
    bringsHooks: false,
    awards: 0,
    registryGas: 0n,
    foreignCode: null,
  }
  const [head, terms] = await Promise.all([deps.chain.head(), findRelayTerms(deps, origin)])
  const binding = {
    id: intentId,
    kind,
    relay: { mode: 'open' as const },
    chainIntentId: deps.writes.nextChainIntentId(),
    initiator: null,
    target,
    calldata: data,
    escrowAmount: 0n,
    paymentAsset: null,
    facts: {},
    boundAtBlock: head.number,
    terms,
  }
  const facts = { intentId, intentStatus: 'reserved', operation, idempotencyKey: key }
  await simulateRelay(deps, binding, { intent: facts })
  const direct = null
  await bind(deps, { key, binding, content: {}, direct, guard: (tx) => guard(tx, intentId), confirm: async () => {} })
  return intentId
}
