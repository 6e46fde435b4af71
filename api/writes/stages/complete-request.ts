import { randomBytes } from 'node:crypto'
import { toHex } from 'viem'
import type { ChoiceName, Choices } from '../../../protocol/operation.ts'
import { toTimestamp } from '../../http/response-schemas.ts'
import type { AnyWrite, WriteInput } from '../relayed-write.ts'
import type { WriteDeps } from '../write-deps.ts'

type Request = WriteInput

/** A normalised request, with and without the values that the service chose. */
interface CompletedRequest {
  /** The input with the values that the service chose. The call is built from this input. */
  input: Request
  /**
   * The input without the values that the service chose. The fingerprint uses this input, so a retry has the same
   * fingerprint.
   */
  asSent: Request
}

/** Chooses, in stage 2, values for the optional fields that the body lacks. Example: `{ documentSalt: '0x5a..' }`. */
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

/** Completes a request with the values that the service chose, and normalises the result, in stage 2. */
export function completeRequest(
  { normalise }: Pick<AnyWrite, 'normalise'>,
  request: Request,
  choices: Partial<Choices>,
): CompletedRequest {
  const completedRequest = { ...request, body: { ...fieldsOf(request.body), ...choices } }
  const input = normalise?.(completedRequest) ?? completedRequest
  const sentFields = Object.entries(fieldsOf(input.body)).filter(([name]) => !Object.hasOwn(choices, name))
  return { input, asSent: { ...input, body: Object.fromEntries(sentFields) } }
}

/** Returns the timestamp of the latest block, or the host's time if no node answers. */
async function readTime(chain: WriteDeps['chain']): Promise<string> {
  // Without a node the write is refused later, unless its key has an outcome.
  try {
    return toTimestamp((await chain.latestClocks()).head.timestamp)
  } catch {
    return new Date().toISOString()
  }
}

/** Returns the fields of a body. The body of every write is an object. */
function fieldsOf(body: unknown): Record<string, unknown> {
  return body as Record<string, unknown>
}
