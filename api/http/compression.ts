import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const compress = promisify(gzip)

/** Shorter bodies are sent as they are: they fit into one packet either way. */
const LEAST_CHARACTERS = 1024

/** An answer that may be sent many times. */
interface Compressible {
  text: string
}

/** Compressed once for all who are sent the same answer, for as long as that is kept. */
const compressed = new WeakMap<Compressible, Promise<Buffer>>()

/** Whether a body is worth to be compressed for a client with this `Accept-Encoding`. */
export function isCompressed({ text }: Compressible, acceptEncoding: string | undefined): boolean {
  return text.length >= LEAST_CHARACTERS && acceptsGzip(acceptEncoding)
}

/** The text as gzip has it; in a thread of the pool, so other requests go on. */
export function compressedText(answer: Compressible): Promise<Buffer> {
  const known = compressed.get(answer)
  if (known !== undefined) return known
  const made = compress(answer.text)
  compressed.set(answer, made)
  return made
}

/** RFC 9110, "Accept-Encoding": named, or covered by `*`, and not with a weight of zero. */
export function acceptsGzip(header: string | undefined): boolean {
  if (header === undefined) return false
  const weights = new Map(
    header.split(',').map((part) => {
      const [coding = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
      const weight = parameters.find((parameter) => parameter.startsWith('q='))
      return [coding, weight === undefined ? 1 : Number(weight.slice(2))]
    }),
  )
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0
}
