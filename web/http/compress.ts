import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

const asBrotli = promisify(brotliCompress)
const asGzip = promisify(gzip)

/** Shorter texts fit into one packet either way. */
const LEAST_CHARACTERS = 1_024

/** How a text is sent; null: as it is. */
export type Coding = 'br' | 'gzip' | null

/** A body with its coding. */
export interface EncodedBody {
  body: Uint8Array<ArrayBuffer> | string
  encoding: Coding
}

/** The best coding that a client takes, by its `Accept-Encoding`. Example: `br` of `gzip, br`. */
export function codingOf(accepted: string | undefined): Coding {
  return (['br', 'gzip'] as const).find((coding) => accepts(accepted, coding)) ?? null
}

/**
 * Compresses a text, if it is long enough for that. Example: `compress(page, 'br', 4)`.
 * @param quality of Brotli, 0 to 11
 */
export async function compress(text: string, coding: Coding, quality: number): Promise<EncodedBody> {
  if (coding === null || text.length < LEAST_CHARACTERS) return { body: text, encoding: null }
  // A window that holds the text: a larger one is made and cleared for nothing.
  const window = Math.min(constants.BROTLI_MAX_WINDOW_BITS, Math.ceil(Math.log2(text.length)) + 1)
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: quality,
    [constants.BROTLI_PARAM_LGWIN]: window,
    [constants.BROTLI_PARAM_SIZE_HINT]: text.length,
  }
  const body = coding === 'br' ? await asBrotli(text, { params }) : await asGzip(text)
  return { body: new Uint8Array(body), encoding: coding }
}

/** RFC 9110, "Accept-Encoding": named and not with a weight of zero. */
function accepts(header: string | undefined, coding: string): boolean {
  return (header ?? '').split(',').some((part) => {
    const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase())
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter))
  })
}
