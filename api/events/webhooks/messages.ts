import { randomBytes, randomUUID } from 'node:crypto'
import type { StoredEvent } from '../read-events.queries.ts'
import { toEvent, toEventId } from '../render-event.ts'

/** A message to a webhook's receiver, before it is signed. */
export interface WebhookMessage {
  /** The id of the message; all attempts to send the message have the same id. */
  id: string
  kind: string
  body: string
}

/** The length in bytes of the random challenge in a test message. */
const CHALLENGE_BYTES = 24

/** Creates a test message. The receiver agrees to get further messages by answering with the challenge. */
export function makeTest(webhookId: string): WebhookMessage & { challenge: string } {
  const challenge = randomBytes(CHALLENGE_BYTES).toString('base64url')
  const body = JSON.stringify({ kind: 'test', webhookId, challenge })
  return { id: `test-${randomUUID()}`, kind: 'test', body, challenge }
}

/**
 * Returns true if an answer contains the challenge. The answer is the challenge, or a JSON object with the challenge in
 * the field `challenge`. Example: `isChallengeIn('{"challenge":"x"}', 'x')` returns true.
 */
export function isChallengeIn(answer: string, challenge: string): boolean {
  if (answer.trim() === challenge) return true
  try {
    const json: unknown = JSON.parse(answer)
    return typeof json === 'object' && json !== null && 'challenge' in json && json.challenge === challenge
  } catch {
    return false
  }
}

/** Returns the message for an event log entry. The body has the same form as in `GET /api/events`. */
export function toEventMessage(event: StoredEvent, epoch: string): WebhookMessage {
  const renderedEvent = toEvent(event, epoch)
  return { id: renderedEvent.id, kind: event.kind, body: JSON.stringify(renderedEvent) }
}

/**
 * Returns the message about a gap: entries were deleted before they were delivered. The delivery continues after the
 * entry `to`.
 */
export function toGapMessage(
  webhookId: string,
  { from, to, epoch }: { from: bigint; to: bigint; epoch: string },
): WebhookMessage {
  const body = JSON.stringify({ kind: 'gap', webhookId, data: { next: toEventId(epoch, to) } })
  return { id: `gap-${webhookId}-${from}`, kind: 'gap', body }
}
