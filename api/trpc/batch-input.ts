/**
 * Returns the input of the only call in a request. This is the body, or the body's field "0" if the call is sent as a
 * batch of one. Example: `inputOf({ 0: { id: 1 } }, { isBatch: true })` returns `{ id: 1 }`.
 */
export function inputOf(body: unknown, { isBatch }: { isBatch: boolean }): unknown {
  if (!isBatch) return body
  const isRecord = typeof body === 'object' && body !== null && Object.hasOwn(body, '0')
  return isRecord ? (body as Record<string, unknown>)['0'] : {}
}
