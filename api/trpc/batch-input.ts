/**
 * Returns the input of the only call in a request. The input is the body. In a batch of one call, the input is the
 * body's field "0". Example: `inputOf({ 0: { id: 1 } }, { isBatch: true })` returns `{ id: 1 }`.
 */
export function inputOf(body: unknown, { isBatch }: { isBatch: boolean }): unknown {
  if (!isBatch) return body
  const isRecord = typeof body === 'object' && body !== null && Object.hasOwn(body, '0')
  return isRecord ? (body as Record<string, unknown>)['0'] : {}
}
