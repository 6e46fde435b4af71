import { randomBytes } from 'node:crypto'
import { toHex } from 'viem'
import type { AnyWrite, WriteInput } from '../../api/writes/relayed-write.ts'
import { completeRequest } from '../../api/writes/stages/complete-request.ts'

/** Choices of the service, as it adds them to a request without them. */
const choices = { documentSalt: `0x${'5a'.repeat(32)}`, createdAt: '2030-01-01T00:00:00.000Z' }

/** Parses and normalises a request as the pipeline does. `asSent`: what its fingerprint is made of. */
export function completedRequest(
  write: Pick<AnyWrite, 'params' | 'body' | 'normalise' | 'choices'>,
  { params = {}, body = {} }: { params?: unknown; body?: unknown },
): { input: WriteInput; asSent: WriteInput } {
  const parsed = { params: write.params.parse(params), body: write.body.parse(body) }
  const missing = (write.choices ?? []).filter((name) => !Object.hasOwn(parsed.body as object, name))
  return completeRequest(write, parsed, Object.fromEntries(missing.map((name) => [name, choices[name]])))
}

/** Parses and normalises a request as the pipeline does; with a salt of its own where it takes one and has none. */
export function parsedWithOwnSalt(
  write: Pick<AnyWrite, 'params' | 'body' | 'normalise' | 'choices'>,
  body: object,
): WriteInput {
  return parsedRequest(write, { body: { documentSalt: toHex(randomBytes(32)), ...body } })
}

/** Parses and normalises a request as the pipeline does. */
export function parsedRequest(
  write: Pick<AnyWrite, 'params' | 'body' | 'normalise' | 'choices'>,
  request: { params?: unknown; body?: unknown },
): WriteInput {
  return completedRequest(write, request).input
}
