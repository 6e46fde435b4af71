import type { Address, Hex } from 'viem'
import type { PaymentAuthorization, SubmittableTransfer } from '../payments/authorization.ts'
import type { BoundIntent, Intent, IntentStatus, RelayClass } from './intent.ts'
import type { Operation } from './operations.ts'
import type { RelayLeg } from './relay-mode.ts'

/** A row of `service.intents`. What bind sets is null while the status is `reserved`. */
export interface IntentRow {
  id: string
  idempotencyKey: string
  operation: Operation
  fingerprint: Buffer
  status: IntentStatus
  leg: RelayLeg | null
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
  looks: number
  version: bigint
}

export function toIntent(row: IntentRow): Intent {
  const { id, idempotencyKey, operation, status, initiator, txHash, taskId, terminalReason } = row
  const { refundStatus, refundTxHash } = row
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
  }
}

/** @throws when the row was never bound: the table's own constraint forbids it for every status but `reserved` */
export function toBoundIntent(row: IntentRow): BoundIntent {
  const { leg, chainIntentId, target, calldata } = row
  if (leg === null || chainIntentId === null || target === null || calldata === null) {
    throw new Error(`intent ${row.id} is ${row.status} but was never bound`)
  }
  return {
    ...toIntent(row),
    leg,
    chainIntentId,
    target,
    calldata,
    escrowAmount: row.escrowAmount ?? 0n,
    actorSignature: row.actorSignature,
    suffix: row.suffix,
    payment: leg === 'transfer' ? null : toAuthorization(row),
    transfer: leg === 'transfer' ? toTransferOf(row) : null,
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
}

/** The facts have the receiver, as the calldata does. */
function toTransferOf(row: IntentRow): SubmittableTransfer {
  const authorization = toAuthorization(row)
  const to = row.facts?.to
  if (authorization === null || row.target === null || row.calldata === null || to === undefined)
    throw new Error(`intent ${row.id} is a transfer without its terms`)
  return { ...authorization, to: to as Address, contract: row.target, data: row.calldata }
}

function toAuthorization(row: IntentRow): PaymentAuthorization | null {
  const { initiator, paymentNonce, paymentValue, paymentValidAfter, paymentValidBefore, paymentSignature } = row
  if (initiator === null || paymentNonce === null || paymentSignature === null) return null
  if (paymentValue === null || paymentValidAfter === null || paymentValidBefore === null) return null
  return {
    from: initiator,
    value: paymentValue,
    validAfter: paymentValidAfter,
    validBefore: paymentValidBefore,
    nonce: paymentNonce,
    signature: paymentSignature,
  }
}
