/**
 * Returns the input of a request's only call: its body, which a batch of one carries under "0". Example: `inputOf({ 0:
 * { id: 1 } }, { isBatch: true })` returns `{ id: 1 }`.
 */
export function inputOf(body: unknown, { isBatch }: { isBatch: boolean }): unknown {
  if (!isBatch) return body
  const isRecord = typeof body === 'object' && body !== null && Object.hasOwn(body, '0')
  return isRecord ? (body as Record<string, unknown>)['0'] : {}
}
