import type { Hex } from 'viem'
import type { Deployment } from '../../chain/deployment.ts'
import type { Database, Queryable, Transaction } from '../../db/client.ts'
import { type ChainCall, callOf, refundCallOf } from '../../intents/encode-relay.ts'
import type { BoundIntent } from '../../intents/intent.ts'
import { lockBroadcastIntent, markBroadcast, requeueIntent } from '../../intents/outbox.queries.ts'
import { refundPaymentOf } from '../../intents/refund-payment.ts'
import { lockRefunding, markRefunding, requeueRefund } from '../../intents/refunds.queries.ts'
import type { RelayLeg } from '../../intents/relay-mode.ts'

/** What a transaction of ours is on its way for: an intent's own call, or giving its payment back. */
export interface RelayJob {
  intent: BoundIntent
  leg: RelayLeg | 'refund'
  call: ChainCall
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
    leg: intent.leg,
    call: callOf(intent, deployment),
    lock: (tx) => lockBroadcastIntent(tx, intent),
    noteSigned: (tx, hash) => markBroadcast(tx, intent, hash),
    requeue: (sql) => requeueIntent(sql, intent, intent.leg),
  }
}

/** Giving back a payment that lies in the forwarder. */
export function refundJob(intent: BoundIntent, deployment: Pick<Deployment, 'forwarder'>): RelayJob {
  return {
    intent,
    leg: 'refund',
    call: refundCallOf(refundPaymentOf(intent), deployment),
    lock: (tx) => lockRefunding(tx, intent),
    noteSigned: (tx, hash) => markRefunding(tx, intent, hash),
    requeue: (sql) => requeueRefund(sql, intent),
  }
}
