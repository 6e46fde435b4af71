import { type Hex, parseTransaction } from 'viem'
import {
  decodeRefundExecution,
  refundExecutionOf,
  refundTransactionOf,
  type TransactionCall,
} from '../../../protocol/relay.ts'
import type { Deployment } from '../../chain/deployment.ts'
import type { Database, Queryable, Transaction } from '../../db/client.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { lockBroadcastIntent, markBroadcast, requeueIntent } from '../../intents/outbox.queries.ts'
import { refundPaymentOf } from '../../intents/refund-payment.ts'
import { lockRefunding, markRefunding, requeueRefund } from '../../intents/refunds.queries.ts'
import { relayModeOfIntent, transactionOfIntent } from '../../intents/relayed-call.ts'
import type { Attempt } from './attempts.queries.ts'

/** The job of a transaction: an intent's call, or its payment's refund. */
export interface RelayJob {
  intent: BoundIntent
  purpose: 'call' | 'refund' | 'announcement'
  call: TransactionCall
  /** Returns the same job for its intent in another version. */
  withVersion(version: bigint): RelayJob
  /** Locks it for this transaction; false when it changed since it was read, or another process has it. */
  lock(tx: Transaction): Promise<boolean>
  /** Records a signature: `hash` may be on chain from the next moment on. False when it changed since it was read. */
  noteSigned(tx: Queryable, hash: Hex): Promise<boolean>
  /**
   * Returns it to the outbox for a new nonce, or because it is not needed any more. False when it changed since it was
   * read.
   */
  requeue(sql: Database): Promise<boolean>
}

/** Returns the job of the intent's own call. */
export function actionJob(intent: BoundIntent, deployment: Pick<Deployment, 'forwarder'>): RelayJob {
  return {
    intent,
    purpose: 'call',
    call: transactionOfIntent(intent, deployment),
    withVersion: (version) => actionJob({ ...intent, version }, deployment),
    lock: (tx) => lockBroadcastIntent(tx, intent),
    noteSigned: (tx, hash) => markBroadcast(tx, intent, hash),
    requeue: (sql) => requeueIntent(sql, intent, relayModeOfIntent(intent)),
  }
}

/**
 * The next transaction of a refund. `return`: the payment returns at once. `announce`: it is above the day's limit of
 * prepaid money, and returns a day later. `execute`: an announced refund is due.
 */
export type RefundStep = { step: 'return' } | { step: 'announce' } | { step: 'execute'; refundId: Hex }

/** Returns the job that refunds a payment in the forwarder. */
export function refundJob(
  intent: BoundIntent,
  deployment: Pick<Deployment, 'forwarder'>,
  refundStep: RefundStep,
): RelayJob {
  return {
    intent,
    purpose: refundStep.step === 'announce' ? 'announcement' : 'refund',
    call: refundCall(intent, deployment, refundStep),
    withVersion: (version) => refundJob({ ...intent, version }, deployment, refundStep),
    lock: (tx) => lockRefunding(tx, intent),
    noteSigned: (tx, hash) => markRefunding(tx, intent, hash),
    requeue: (sql) => requeueRefund(sql, intent),
  }
}

function refundCall(
  intent: BoundIntent,
  deployment: Pick<Deployment, 'forwarder'>,
  refundStep: RefundStep,
): TransactionCall {
  if (refundStep.step === 'execute') return refundExecutionOf(refundStep.refundId, deployment)
  const functionName = refundStep.step === 'announce' ? 'announceRefund' : 'refundPrepaid'
  return refundTransactionOf(refundPaymentOf(intent), deployment, functionName)
}

/** Returns the step of a refund's transaction by its bytes, which are repeated with higher fees. */
export function refundStepOf({ purpose, raw }: Pick<Attempt, 'purpose' | 'raw'>): RefundStep {
  if (purpose === 'announcement') return { step: 'announce' }
  const { data = '0x' } = parseTransaction(raw)
  const refundId = decodeRefundExecution(data)
  return refundId === null ? { step: 'return' } : { step: 'execute', refundId }
}
