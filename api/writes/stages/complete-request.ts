import { randomBytes } from 'node:crypto'
import { toHex } from 'viem'
import type { ChoiceName, Choices } from '../../../protocol/operation.ts'
import { toTimestamp } from '../../http/response-schemas.ts'
import type { AnyWrite, WriteInput } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'

type Request = WriteInput

/** A normalised request. */
interface CompletedRequest {
  /** The input with every choice, from which the call is built. */
  input: Request
  /** The input without the service's choices, from which the fingerprint is computed, so that a retry has the same. */
  asSent: Request
}

/** Makes the choices that the body of a request lacks, in stage 2. Example: `{ documentSalt: '0x5a..' }`. */
export async function chooseMissing(
  { chain }: Pick<WriteDeps, 'chain'>,
  { choices = [] }: Pick<AnyWrite, 'choices'>,
  { body }: Request,
): Promise<Partial<Choices>> {
  const isMissing = (name: ChoiceName) => choices.includes(name) && fieldsOf(body)[name] === undefined
  return {
    ...(isMissing('documentSalt') && { documentSalt: toHex(randomBytes(32)) }),
    ...(isMissing('createdAt') && { createdAt: await readTime(chain) }),
  }
}

/** Adds the service's choices to a request and normalises it, in stage 2. */
export function completeRequest(
  { normalise }: Pick<AnyWrite, 'normalise'>,
  request: Request,
  chosen: Partial<Choices>,
): CompletedRequest {
  const complete = { ...request, body: { ...fieldsOf(request.body), ...chosen } }
  const input = normalise?.(complete) ?? complete
  const sentFields = Object.entries(fieldsOf(input.body)).filter(([name]) => !Object.hasOwn(chosen, name))
  return { input, asSent: { ...input, body: Object.fromEntries(sentFields) } }
}

/** Reads the time of the head. Without a node the write is refused later, unless its key has an outcome. */
async function readTime(chain: WriteDeps['chain']): Promise<string> {
  try {
    return toTimestamp((await chain.latestClocks()).head.timestamp)
  } catch {
    return new Date().toISOString()
  }
}

/** Returns the fields of a body, which is an object in every write. */
function fieldsOf(body: unknown): Record<string, unknown> {
  return body as Record<string, unknown>
}
