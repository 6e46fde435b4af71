import { escapeHidden } from '../api/text/escape-hidden.ts'
import { limits } from './limits.ts'
import { refuse } from './request-error.ts'

/**
 * Returns the JSON of an answer. Characters that a reader cannot see are escaped. @throws RequestError if the JSON is
 * longer than `limits.responseBytes`
 */
export function toAnswerJson(data: unknown): string {
  const body = escapeHidden(JSON.stringify({ data }))
  if (Buffer.byteLength(body) <= limits.responseBytes) return body
  return refuse(
    'RESPONSE_TOO_LARGE',
    `The answer is larger than ${limits.responseBytes} bytes: ask for fewer rows or fields.`,
  )
}
