import type { Logger } from 'pino'
import type { Database } from '../../db/client.ts'
import { pauseAfter } from '../webhooks/backoff.ts'
import { type Network, postMessage } from '../webhooks/post-message.ts'
import { signWith } from '../webhooks/webhook-secret.ts'
import type { FoundStates, OperatorMessage } from './operator-message.ts'
import {
  deleteOldMessages,
  endMessage,
  findNextMessage,
  postponeMessage,
  recordStates,
  releaseLease,
  takeLease,
  type WaitingMessage,
} from './operator-messages.queries.ts'

/** The pause between two checks of the states that the webhook reports, in milliseconds. */
const POLL_MS = 5_000
/**
 * The largest number of messages that one run sends. A message takes up to ten seconds, and a run must end before the
 * lease of its process ends.
 */
const MESSAGES_AT_ONCE = 4

export interface OperatorWebhookDeps {
  sql: Database
  log: Pick<Logger, 'info' | 'warn'>
  network: Network
  url: string
  /** The Standard Webhooks secret: `whsec_` and the key as base64. */
  secret: string
  /** The value of the field `network` in every message. */
  origin: OperatorMessage['network']
  /**
   * The functions that return the states, one for each kind. If a function rejects, the stored states of the kind do
   * not change.
   */
  findStates: readonly (() => Promise<FoundStates>)[]
}

/**
 * A webhook that tells the operator's URL about states, such as a low balance of a relayer. The URL gets one message
 * when a state begins, and one message when the state ends.
 */
export interface OperatorWebhook {
  /**
   * Checks the states that the webhook reports, and sends the due messages. @returns the pause until the next call, in
   * milliseconds
   */
  run(stopping: AbortSignal): Promise<number>
  /** Releases the lease of this process, so another process can send the operator's messages at once. */
  stop(): Promise<void>
}

/**
 * Creates the operator's webhook of a process. Only the process with the lease sends messages. When the lease ends,
 * another process can continue.
 * @param lease identifies this process. Example: `createOperatorWebhook(deps, randomUUID()).run(signal)`
 */
export function createOperatorWebhook(deps: OperatorWebhookDeps, lease: string): OperatorWebhook {
  const { sql } = deps
  return {
    run: async (stopping) => {
      if (!(await takeLease(sql, lease))) return POLL_MS
      const readings = await Promise.allSettled(deps.findStates.map((find) => find()))
      for (const reading of readings) {
        if (reading.status === 'fulfilled') await recordStates(sql, reading.value, deps.origin)
      }
      for (let sentCount = 0; sentCount < MESSAGES_AT_ONCE && !stopping.aborted; sentCount += 1) {
        const message = await findNextMessage(sql)
        if (message === null || message.waitsSeconds > 0) break
        if (!(await deliver(deps, message, stopping))) break
      }
      await deleteOldMessages(sql)
      const failedReading = readings.find((reading) => reading.status === 'rejected')
      if (failedReading !== undefined) throw failedReading.reason
      return POLL_MS
    },
    stop: () => releaseLease(sql, lease),
  }
}

/**
 * Tries once to deliver a message. If the attempt fails, plans the next attempt or gives the message up.
 * @returns true if the message was delivered or given up; false if it must be sent again before any later message
 */
async function deliver(
  { sql, log, network, url, secret }: OperatorWebhookDeps,
  { sequence, id, body, attempts, failingSeconds }: WaitingMessage,
  stopping: AbortSignal,
): Promise<boolean> {
  const timestamp = Math.floor(Date.now() / 1000)
  const message = signWith([secret], { id, timestamp, body: JSON.stringify(body) })
  const { status, error } = await postMessage({ url, isTrusted: true, stopping }, message, network)
  if (status !== null && status >= 200 && status < 300) {
    await endMessage(sql, sequence, null)
    return true
  }
  if (stopping.aborted) return false
  const reason = error ?? `status ${status}`
  const pauseSeconds = pauseAfter({ attempts: attempts + 1, failingSeconds })
  log.warn({ messageId: id, status, error: reason }, 'operator webhook delivery failed')
  if (pauseSeconds === null) {
    await endMessage(sql, sequence, reason)
    return true
  }
  await postponeMessage(sql, sequence, { error: reason, pauseSeconds })
  return false
}
