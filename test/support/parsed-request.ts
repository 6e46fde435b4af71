import type { AnyWrite, WriteInput } from '../../api/writes/define-write.ts'

/** Parses and normalises a request as the pipeline does. */
export function parsedRequest(
  write: Pick<AnyWrite, 'params' | 'body' | 'normalise'>,
  { params = {}, body = {} }: { params?: unknown; body?: unknown },
): WriteInput<unknown, unknown> {
  const parsed = { params: write.params.parse(params), body: write.body.parse(body) }
  return write.normalise?.(parsed) ?? parsed
}
