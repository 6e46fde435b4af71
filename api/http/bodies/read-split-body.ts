import type { Context } from 'hono'
import type { SpooledFile } from '../../artifacts/received-file.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { JsonSplitter } from '../json-parts/json-splitter.ts'
import { arrivingBody, DEFAULT_BODY_LIMIT_BYTES } from './arriving-body.ts'
import { largeBodiesOf } from './large-bodies.ts'
import { toFiles } from './put-files.ts'
import { ThroughputMeter } from './throughput-meter.ts'

/**
 * The limit in bytes for the skeleton: the body without its long texts. The skeleton is kept in memory and parsed in
 * one step.
 */
const SKELETON_LIMIT_BYTES = 2 * DEFAULT_BODY_LIMIT_BYTES

/**
 * The most bytes that are charged to the client before they arrive, if the headers contain no length. If more bytes
 * have arrived than are charged, the charge is raised to twice the received bytes. If this number is smaller than the
 * received bytes, the charge is only raised to the received bytes plus this number.
 */
const MOST_AHEAD_BYTES = 1024 * 1024

/** The number of bytes that are processed in one step. */
const PIECE_BYTES = 64 * 1024

/**
 * A JSON body in which a marker replaces each long text. `files` contains, for each marker, the file with the replaced
 * text.
 */
interface SplitBody {
  skeleton: Buffer
  files: ReadonlyMap<string, SpooledFile>
  isBroken: boolean
}

/**
 * Reads a JSON body, even a very large one, with little memory: each long text is decoded, hashed and written to disk.
 * If the body is above the default limit, the function waits for a slot of the semaphore for large bodies.
 * @param promisedBytes the length in the headers; 0 without a length
 * @throws ByteQuotaError if the body exceeds the client's daily quota of stored bytes
 * @throws ServiceError 413 if the body is too long, 408 if it is too slow while other bodies wait, 400 if it is
 * incomplete, 503 if too many bodies wait
 * @throws StorageFullError
 */
export async function readSplitBody(
  c: Context,
  { limitBytes, promisedBytes }: { limitBytes: number; promisedBytes: number },
): Promise<SplitBody> {
  const { semaphore, client, hasher, spool, arriving } = largeBodiesOf(c)
  const splitter = new JsonSplitter(spool)
  const meter = new ThroughputMeter()
  const cutOff = new AbortController()
  const enter = () =>
    semaphore.enter({
      client,
      meter,
      gone: c.req.raw.signal,
      cut: (reason: ServiceError) => cutOff.abort(reason),
    })
  let reservedBytes = promisedBytes || 0
  await arriving.reserve(reservedBytes)
  let leave = promisedBytes > DEFAULT_BODY_LIMIT_BYTES ? await enter() : null
  try {
    let length = 0
    for await (const chunk of arrivingBody(c, { limitBytes, meter, cut: cutOff.signal })) {
      length += chunk.length
      if (length > reservedBytes) {
        reservedBytes = length + Math.min(length, MOST_AHEAD_BYTES)
        await arriving.reserve(reservedBytes)
      }
      if (length > DEFAULT_BODY_LIMIT_BYTES) leave ??= await enter()
      for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
        splitter.push(chunk.subarray(start, start + PIECE_BYTES))
        if (splitter.skeletonBytes > SKELETON_LIMIT_BYTES) throw restTooLarge()
        await spool.flush()
      }
    }
    await spool.flush({ all: true })
    const { skeleton, texts, isBroken } = splitter.finish()
    const files = toFiles(spool, texts)
    for (const file of files.values()) if (file.isBase64) await file.hashWith(hasher)
    return { skeleton, files, isBroken }
  } finally {
    leave?.()
  }
}

function restTooLarge(): ServiceError {
  const limit = `${SKELETON_LIMIT_BYTES} bytes`
  return new ServiceError(413, 'unclassified', `The body apart from its files is larger than ${limit}.`, {
    detail: 'body_too_large',
  })
}
