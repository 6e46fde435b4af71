import type { Address, Hex } from 'viem'
import type { IntentStatus } from '../../protocol/intent-statuses.ts'
import { type CallKind, isForwarded, type Payment, type Relay, type RelayMode } from '../../protocol/relay.ts'
import type { BoundIntent, Intent, RelayClass } from './intent.ts'
import type { Operation } from './operations.ts'

/** A row of `service.intents`. While the status is `reserved`, the fields that `bindReservation` sets are null. */
export interface IntentRow {
  id: string
  idempotencyKey: string
  operation: Operation
  fingerprint: Buffer
  status: IntentStatus
  kind: CallKind | null
  /**
   * The relay mode. Null in two cases: the intent is only reserved, or its call goes directly to the called contract
   * (`SubmittedIntent`).
   */
  relayMode: RelayMode | null
  chainIntentId: Hex | null
  initiator: Address | null
  target: Address | null
  calldata: Hex | null
  escrowAmount: bigint | null
  actorSignature: Hex | null
  suffix: string | null
  paymentNonce: Hex | null
  paymentValue: bigint | null
  paymentValidAfter: bigint | null
  paymentValidBefore: bigint | null
  paymentSignature: Hex | null
  /** The salt of a payment whose nonce commits to one request (a bound payment). Null for any other payment. */
  paymentSalt: Hex | null
  /**
   * The digest of the payment's asset, payer and nonce. It is set when the unneeded fields of an old write are cleared.
   * Null before that.
   */
  paymentDigest: string | null
  facts: Record<string, string> | null
  boundAtBlock: bigint | null
  relayClass: RelayClass
  gasLimit: bigint | null
  txHash: Hex | null
  blockNumber: bigint | null
  blockHash: Hex | null
  undoneBlock: bigint | null
  undonePosition: number | null
  taskId: Hex | null
  result: Record<string, unknown> | null
  terminalReason: string | null
  refundStatus: Intent['refundStatus']
  refundTxHash: Hex | null
  refundBlockHash: Hex | null
  refundAttemptsLeft: number
  refundGasLimit: bigint | null
  refundSignature: Hex | null
  /** The time from which an announced refund can be paid, in Unix seconds. Null if no refund was announced. */
  refundNotBefore: bigint | null
  looks: number
  version: bigint
}

export function toIntent(row: IntentRow): Intent {
  const { id, idempotencyKey, operation, status, initiator, txHash, taskId, terminalReason } = row
  const { refundStatus, refundTxHash, refundNotBefore } = row
  return {
    id,
    idempotencyKey,
    operation,
    status,
    initiator,
    txHash,
    taskId,
    terminalReason,
    refundStatus,
    refundTxHash,
    refundNotBefore,
  }
}

/**
 * Returns the bound intent of a row.
 * @throws when the row is not bound, which is only possible in the status `reserved`
 */
export function toBoundIntent(row: IntentRow): BoundIntent {
  const { kind, chainIntentId, target, calldata } = row
  if (kind === null || chainIntentId === null || target === null || calldata === null) throw neverBound(row)
  const fields = {
    ...toIntent(row),
    chainIntentId,
    target,
    calldata,
    facts: row.facts ?? {},
    boundAtBlock: row.boundAtBlock ?? 0n,
    blockNumber: row.blockNumber,
    blockHash: row.blockHash,
    undone: row.undoneBlock === null ? null : { blockNumber: row.undoneBlock, index: row.undonePosition ?? 0 },
    result: row.result,
    refundBlockHash: row.refundBlockHash,
    relayClass: row.relayClass,
    gasLimit: row.gasLimit,
    refundAttemptsLeft: row.refundAttemptsLeft,
    refundGasLimit: row.refundGasLimit,
    refundSignature: row.refundSignature,
    looks: row.looks,
    version: row.version,
  }
  if (isForwarded(kind)) return { ...fields, kind, relay: toRelay(row), escrowAmount: row.escrowAmount ?? 0n }
  if (row.paymentValidBefore === null) throw neverBound(row)
  return { ...fields, kind, validBefore: row.paymentValidBefore }
}

function toRelay(row: IntentRow): Relay {
  switch (row.relayMode) {
    case 'paid':
    case 'prepaid':
      return { mode: row.relayMode, payment: toPayment(row) }
    case 'bound': {
      if (row.paymentSalt === null) throw neverBound(row)
      return { mode: 'bound', payment: { ...toPayment(row), salt: row.paymentSalt } }
    }
    case 'signed': {
      const { initiator: actor, actorSignature: signature, suffix } = row
      if (actor === null || signature === null) throw neverBound(row)
      return { mode: 'signed', actor, signature, suffix: suffix ?? '' }
    }
    case 'open':
      return { mode: 'open' }
    case null:
      throw neverBound(row)
  }
}

/**
 * The placeholder values in the payment of a write whose unneeded fields were cleared. The payment is used up, so no
 * code needs the real nonce or times.
 */
const FOLDED_AUTHORIZATION = { nonce: '0x', validAfter: 0n, validBefore: 0n } as const

function toPayment(row: IntentRow): Payment {
  const { initiator: from, paymentNonce: nonce, paymentValue: value, paymentSignature: signature } = row
  const { paymentValidAfter: validAfter, paymentValidBefore: validBefore, paymentDigest } = row
  if (paymentDigest !== null && from !== null && value !== null && signature !== null) {
    return { from, value, signature, ...FOLDED_AUTHORIZATION }
  }
  const isWhole = from !== null && nonce !== null && value !== null && signature !== null
  if (!isWhole || validAfter === null || validBefore === null) throw neverBound(row)
  return { from, value, validAfter, validBefore, nonce, signature }
}

function neverBound({ id, status }: IntentRow): Error {
  return new Error(`intent ${id} is ${status} but was never bound`)
}
