import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import { joinBytes } from './join-bytes.ts'

const compress = promisify(gzip)

/** The length in bytes below which bodies are not compressed. Such bodies fit into one packet. */
const LEAST_BYTES = 1024

/**
 * The uncompressed bytes of an answer. Pass the same object for each request that gets this answer: it is the key of
 * the cached gzip bytes.
 */
interface Compressible {
  bytes: Buffer
}

/** The compressed bytes of each answer object, computed once for all clients that receive the answer. */
const compressedBodies = new WeakMap<Compressible, Promise<Buffer>>()

/** Returns true if the body is long enough for compression and the client accepts gzip. */
export function isCompressed({ bytes }: Compressible, acceptEncoding: string | undefined): boolean {
  return bytes.length >= LEAST_BYTES && acceptsGzip(acceptEncoding)
}

/** Returns the answer's gzip bytes. They are computed in a thread pool and do not block other requests. */
export function compressedText(answer: Compressible): Promise<Buffer> {
  const cachedBytes = compressedBodies.get(answer)
  if (cachedBytes !== undefined) return cachedBytes
  const newBytes = compress(answer.bytes).then((bytes) => joinBytes([bytes]))
  compressedBodies.set(answer, newBytes)
  return newBytes
}

/**
 * Returns true if `Accept-Encoding` (RFC 9110) accepts gzip with a weight above zero. If the header does not name gzip,
 * the weight of `*` counts. Example: `acceptsGzip('br, gzip;q=0.5')` returns true.
 */
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
