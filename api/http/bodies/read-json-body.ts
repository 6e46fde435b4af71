import type { Context } from 'hono'
import { ServiceError } from '../../errors/service-error.ts'
import { arrivingBody, DEFAULT_BODY_LIMIT_BYTES, tooLarge } from './arriving-body.ts'
import { findNestingFault } from './json-nesting.ts'
import { putFiles } from './put-files.ts'
import { readSplitBody } from './read-split-body.ts'

const NOT_JSON = 'The body is not valid JSON in UTF-8.'

/**
 * Reads a request's JSON body; an empty body is `{}`. On routes with a higher limit, each text longer than
 * `LONG_TEXT_BYTES` becomes a `SpooledFile`. A large body waits for one of few slots.
 * @throws ServiceError 413 if the body is too long, 415 if it is compressed, 400 if it is not JSON or nested too deeply
 * @throws ServiceError for large bodies: 408 if the body is too slow while others wait, 503 if too many bodies wait
 * @throws StorageFullError
 */
export async function readJsonBody(c: Context, limitBytes = DEFAULT_BODY_LIMIT_BYTES): Promise<unknown> {
  const encoding = c.req.header('content-encoding')
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new ServiceError(415, 'unclassified', 'Send the body without Content-Encoding: it is not decoded here.', {
      detail: 'unsupported_encoding',
    })
  }
  // Sizes beyond 2^53 compare correctly too; a value that is no number is counted on arrival.
  const promisedBytes = Number(c.req.header('content-length') ?? 0)
  if (promisedBytes > limitBytes) throw tooLarge(limitBytes)
  if (limitBytes <= DEFAULT_BODY_LIMIT_BYTES) return parseJson(await readBytes(c, limitBytes))
  const { skeleton, files, isBroken } = await readSplitBody(c, { limitBytes, promisedBytes })
  if (isBroken) throw notJson(NOT_JSON)
  return putFiles(parseJson(skeleton), files)
}

async function readBytes(c: Context, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of arrivingBody(c, { limitBytes })) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function parseJson(bytes: Buffer): unknown {
  if (bytes.length === 0) return {}
  const fault = findNestingFault(bytes)
  if (fault !== null) throw notJson(fault)
  try {
    return JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes))
  } catch (error) {
    throw notJson(NOT_JSON, error)
  }
}

function notJson(sentence: string, cause?: unknown): ServiceError {
  return new ServiceError(400, 'unclassified', sentence, { detail: 'malformed_json', cause })
}
