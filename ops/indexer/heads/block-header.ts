import { z } from 'zod'

const quantity = z.string().regex(/^0x[0-9a-f]{1,16}$/i)
const hash = z.string().regex(/^0x[0-9a-f]{64}$/i)

/** What Ponder requires of a header. Other fields pass through. */
const headerSchema = z.looseObject({
  number: quantity,
  hash,
  parentHash: hash,
  timestamp: quantity,
  logsBloom: z.string().regex(/^0x[0-9a-f]{512}$/i),
})

/** Header of a block as JSON-RPC has it. */
export type BlockHeader = z.infer<typeof headerSchema>

/** A header of a node's answer; null where it is none. */
export function parseHeader(value: unknown): BlockHeader | null {
  return headerSchema.safeParse(value).data ?? null
}

export function heightOf({ number }: BlockHeader): bigint {
  return BigInt(number)
}
