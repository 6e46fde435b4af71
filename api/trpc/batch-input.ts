/** The input of the one call of a request: its body, which a batch of one carries under "0". */
export function inputOf(body: unknown, { isBatch }: { isBatch: boolean }): unknown {
  if (!isBatch) return body
  const isRecord = typeof body === 'object' && body !== null && Object.hasOwn(body, '0')
  return isRecord ? (body as Record<string, unknown>)['0'] : {}
}
