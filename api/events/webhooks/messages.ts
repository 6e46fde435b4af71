import { randomBytes, randomUUID } from 'node:crypto'
import type { StoredEvent } from '../read-events.queries.ts'
import { toEvent, toEventId } from '../render-event.ts'

/** A message to a receiver, before it is signed. */
export interface WebhookMessage {
  /** Stays the same when it is sent again. */
  id: string
  kind: string
  body: string
}

/** Bytes of a challenge. */
const CHALLENGE_BYTES = 24

/** A message that asks whether the receiver wants others: it must answer with the challenge. */
export function makeTest(webhookId: string): WebhookMessage & { challenge: string } {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const body = JSON.stringify({ kind: 'test', webhookId, challenge })
  return { id: `test-${randomUUID()}`, kind: 'test', body, challenge }
}

/** Says whether an answer repeats a challenge: alone, or as the field of a JSON object. */
export function isChallengeIn(answer: string, challenge: string): boolean {
  if (answer.trim() === challenge) return true
  try {
    const parsed: unknown = JSON.parse(answer)
    return typeof parsed === 'object' && parsed !== null && 'challenge' in parsed && parsed.challenge === challenge
  } catch {
    return false
  }
}

/** An entry of the log, as `GET /api/events` has it. */
export function toEventMessage(event: StoredEvent, epoch: string): WebhookMessage {
  const rendered = toEvent(event, epoch)
  return { id: rendered.id, kind: event.kind, body: JSON.stringify(rendered) }
}

/** The news that entries were removed before they could be delivered: deliveries go on behind `to`. */
export function toGapMessage(
  webhookId: string,
  { from, to, epoch }: { from: bigint; to: bigint; epoch: string },
): WebhookMessage {
  const body = JSON.stringify({ kind: 'gap', webhookId, data: { next: toEventId(epoch, to) } })
  return { id: `gap-${webhookId}-${from}`, kind: 'gap', body }
}
