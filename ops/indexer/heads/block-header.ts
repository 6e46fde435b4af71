import { z } from 'zod'

const quantity = z.string().regex(/^0x[0-9a-f]{1,16}$/i)
const hash = z.string().regex(/^0x[0-9a-f]{64}$/i)

/** The fields of a block header that Ponder requires. Other fields are kept unchanged. */
const headerSchema = z.looseObject({
  number: quantity,
  hash,
  parentHash: hash,
  timestamp: quantity,
  logsBloom: z.string().regex(/^0x[0-9a-f]{512}$/i),
})

/** Block header in the format of JSON-RPC. */
export type BlockHeader = z.infer<typeof headerSchema>

/** Parses a block header in a node's answer. Returns null if the value is not a header. */
export function parseHeader(value: unknown): BlockHeader | null {
  return headerSchema.safeParse(value).data ?? null
}

export function heightOf({ number }: BlockHeader): bigint {
  return BigInt(number)
}
