import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const asBrotli = promisify(brotliCompress)
const asGzip = promisify(gzip)

/** Minimum length for compression, in characters. A text below this length fits into one network packet. */
const LEAST_CHARACTERS = 1_024

/** Content coding of a body; null if the body is not compressed. */
export type Coding = 'br' | 'gzip' | null

/** A body, and the content coding that was applied to it. */
export interface EncodedBody {
  body: Uint8Array<ArrayBuffer> | string
  encoding: Coding
}

/**
 * Returns the best content coding that a client accepts; null if the client accepts neither Brotli nor gzip. Example:
 * `codingOf('gzip, br')` is `br`.
 * @param acceptHeader value of the header `Accept-Encoding`
 */
export function codingOf(acceptHeader: string | undefined): Coding {
  return (['br', 'gzip'] as const).find((coding) => accepts(acceptHeader, coding)) ?? null
}

/**
 * Compresses a text if the text is long enough to gain from compression. Example: `compress(page, 'br', 4)`.
 * @param quality compression level of Brotli, 0 to 11; not used for gzip
 */
export async function compress(text: string, coding: Coding, quality: number): Promise<EncodedBody> {
  if (coding === null || text.length < LEAST_CHARACTERS) return { body: text, encoding: null }
  // The smallest window that holds the text: a larger one costs time to allocate and clear.
  const window = Math.min(constants.BROTLI_MAX_WINDOW_BITS, Math.ceil(Math.log2(text.length)) + 1)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: window,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  }
  const body = coding === 'br' ? await asBrotli(text, { params }) : await asGzip(text)
  return { body: new Uint8Array(body), encoding: coding }
}

/** Returns true if the header contains the coding with a weight above zero (RFC 9110, "Accept-Encoding"). */
function accepts(header: string | undefined, coding: string): boolean {
  return (header ?? '').split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })
}
