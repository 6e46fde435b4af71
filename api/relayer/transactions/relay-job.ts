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

/** The work of a transaction: the call of an intent, or a step in the refund of the intent's payment. */
export interface RelayJob {
  intent: BoundIntent
  purpose: 'call' | 'refund' | 'announcement'
  call: TransactionCall
  /**
   * Returns a copy of this job whose intent has the version `version`. Called after a change of the intent has
   * increased the version.
   */
  withVersion(version: bigint): RelayJob
  /**
   * Locks the intent for the database transaction. Returns false if the intent has changed since the job's intent was
   * read, or if another process has locked the intent.
   */
  lock(tx: Transaction): Promise<boolean>
  /**
   * Stores `hash`, the hash of the job's newly signed transaction, in the intent. Also sets the status of the call to
   * `broadcast`, or the status of the refund to `refunding`. Returns false if the intent has changed since the job's
   * intent was read.
   */
  noteSigned(tx: Queryable, hash: Hex): Promise<boolean>
  /**
   * Returns the call or the refund to the outbox. The outbox then sends a new transaction with a new nonce. Returns
   * false if the intent has changed since the job's intent was read.
   */
  requeue(sql: Database): Promise<boolean>
}

/** Returns the job that makes the intent's call. */
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
 * The next transaction of a refund. `return`: pays the money back at once. `announce`: announces the refund, because
 * the amount is above the daily limit for prepaid money. `execute`: pays a refund that was announced a day earlier.
 */
export type RefundStep = { step: 'return' } | { step: 'announce' } | { step: 'execute'; refundId: Hex }

/** Returns the relayer's job for one step of a refund. The forwarder holds the payment that is refunded. */
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

/**
 * Returns the refund step that a signed transaction performs, read from the transaction's bytes. A replacement with
 * higher fees must perform the same step.
 */
export function refundStepOf({ purpose, raw }: Pick<Attempt, 'purpose' | 'raw'>): RefundStep {
  if (purpose === 'announcement') return { step: 'announce' }
  const { data = '0x' } = parseTransaction(raw)
  const refundId = decodeRefundExecution(data)
  return refundId === null ? { step: 'return' } : { step: 'execute', refundId }
}
