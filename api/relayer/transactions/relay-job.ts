import type { Hex } from 'viem'
import { refundTransactionOf, type TransactionCall } from '../../../protocol/relay.ts'
import type { Deployment } from '../../chain/deployment.ts'
import type { Database, Queryable, Transaction } from '../../db/client.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { lockBroadcastIntent, markBroadcast, requeueIntent } from '../../intents/outbox.queries.ts'
import { refundPaymentOf } from '../../intents/refund-payment.ts'
import { lockRefunding, markRefunding, requeueRefund } from '../../intents/refunds.queries.ts'
import { relayModeOfIntent, transactionOfIntent } from '../../intents/relayed-call.ts'

/** What a transaction of ours is on its way for: an intent's own call, or giving its payment back. */
export interface RelayJob {
  intent: BoundIntent
  purpose: 'call' | 'refund'
  call: TransactionCall
  /** Takes it for this transaction; false when it changed since it was read, or another process has it. */
  lock(tx: Transaction): Promise<boolean>
  /** It is signed: `hash` may be on chain from the next moment on. False when it changed since it was read. */
  noteSigned(tx: Queryable, hash: Hex): Promise<boolean>
  /** It needs a new nonce, or is not needed any more. False when it changed since it was read. */
  requeue(sql: Database): Promise<boolean>
}

/** The intent's own call. */
export function actionJob(intent: BoundIntent, deployment: Pick<Deployment, 'forwarder'>): RelayJob {
  return {
    intent,
    purpose: 'call',
    call: transactionOfIntent(intent, deployment),
    lock: (tx) => lockBroadcastIntent(tx, intent),
    noteSigned: (tx, hash) => markBroadcast(tx, intent, hash),
    requeue: (sql) => requeueIntent(sql, intent, relayModeOfIntent(intent)),
  }
}

/** Giving back a payment that lies in the forwarder. */
export function refundJob(intent: BoundIntent, deployment: Pick<Deployment, 'forwarder'>): RelayJob {
  return {
    intent,
    purpose: 'refund',
    call: refundTransactionOf(refundPaymentOf(intent), deployment),
    lock: (tx) => lockRefunding(tx, intent),
    noteSigned: (tx, hash) => markRefunding(tx, intent, hash),
    requeue: (sql) => requeueRefund(sql, intent),
  }
}
