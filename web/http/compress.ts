import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const asBrotli = promisify(brotliCompress)
const asGzip = promisify(gzip)

/** Shorter texts fit into one packet either way. */
const LEAST_CHARACTERS = 1_024

/** A body in the best coding that a client takes. */
export interface EncodedBody {
  body: Uint8Array<ArrayBuffer> | string
  encoding: 'br' | 'gzip' | null
}

/**
 * Compresses a text for a client with this `Accept-Encoding`.
 * Example: `compress(page, 'gzip, br', 4)` is in Brotli.
 * @param quality of Brotli, 0 to 11
 */
export async function compress(text: string, accepted: string | undefined, quality: number): Promise<EncodedBody> {
  if (text.length < LEAST_CHARACTERS) return { body: text, encoding: null }
  if (accepts(accepted, 'br')) {
    const params = { [constants.BROTLI_PARAM_QUALITY]: quality }
    return { body: new Uint8Array(await asBrotli(text, { params })), encoding: 'br' }
  }
  if (accepts(accepted, 'gzip')) return { body: new Uint8Array(await asGzip(text)), encoding: 'gzip' }
  return { body: text, encoding: null }
}

/** RFC 9110, "Accept-Encoding": named and not with a weight of zero. */
function accepts(header: string | undefined, coding: string): boolean {
  return (header ?? '').split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })
}
