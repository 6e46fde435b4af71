import type { Context } from 'hono'
import { z } from 'zod'
import { ObjectExistsError, SizeMismatchError } from '../../artifacts/storage/object-store.ts'
import { beginReceiving, findUpload, keepReceiving } from '../../artifacts/uploads.queries.ts'
import type { Deps } from '../../deps.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { allowSlowBody, arriveSteadily } from '../../http/bodies/minimum-rate.ts'
import { queryInteger } from '../../http/query.ts'
import { uuid } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'

/**
 * The number of bytes that a client must send in each period of `UPLOAD_STALL_MS`. The service ends a slower upload. A
 * period includes only the time in which the service waits for the client.
 */
const STALL_BYTES = 64 * 1024

/**
 * The length in seconds of a lease, which gives one request the sole right to receive an upload. The request renews the
 * lease while it runs.
 */
const LEASE_SECONDS = 15

const uploadQuery = z.object({
  expires: queryInteger(0, 999_999_999_999_999),
  size: queryInteger(0, 999_999_999_999_999),
  type: z.string().max(200),
  signature: z.string().max(200),
})

/**
 * Receives the file of a signed upload URL. Any holder of the URL may send the file once, with exactly the announced
 * number of bytes.
 *
 * Example: `PUT /api/uploads/8f0c..?expires=1795478644&size=20&type=text/plain&signature=Qm9y..` answers `{"sizeBytes":
 * 20}`.
 */
export const putUpload = defineRoute({
  operationId: 'putUpload',
  method: 'put',
  path: '/uploads/{id}',
  tag: 'submissions',
  summary: "Upload a file's bytes to a signed URL",
  description:
    'The URL comes from a request for one, as it is, and takes exactly the bytes that were announced, once. Where the ' +
    'service keeps files elsewhere, the URL leads there and this operation is not used.',
  rawBody:
    'The exact bytes of the file, without `Content-Encoding`. `Content-Type` is the announced one, or left out; so is ' +
    '`Content-Length`.',
  params: z.object({ id: uuid }),
  query: uploadQuery,
  responses: {
    200: {
      description: 'The bytes are stored, and can be submitted.',
      schema: z.object({ sizeBytes: z.int().min(0) }),
    },
    400: { description: 'The bytes are not those that were announced; nothing was kept.' },
    403: { description: 'The URL is not genuine, or has expired.' },
    404: { description: 'The upload is gone.' },
    408: { description: 'The bytes came too slowly; nothing was kept.' },
    409: { description: 'The bytes are there already, or coming in another request.' },
    415: { description: 'The body is encoded.' },
    507: { description: 'The service has no room for the file now; nothing was kept.' },
  },
  handler: async (deps, { params: { id }, query }, c) => {
    const uploadPromise = { sizeBytes: query.size, mimeType: query.type, expiresAt: query.expires }
    if (!deps.links.isUpload(id, { ...uploadPromise, signature: query.signature })) throw notGenuine()
    requireAnnounced(c, uploadPromise)
    await requireOpen(deps, id)
    allowSlowBody(c, deps.config.UPLOAD_LIMIT_MS)
    await aloneFor(deps, id, () => store(deps, c, { id, sizeBytes: uploadPromise.sizeBytes }))
    return { sizeBytes: uploadPromise.sizeBytes }
  },
})

/** Requires that the request headers match the announced size and type. Absent headers are allowed. */
function requireAnnounced(c: Context, { sizeBytes, mimeType }: { sizeBytes: number; mimeType: string }): void {
  const [encoding, length, type] = ['content-encoding', 'content-length', 'content-type'].map((n) => c.req.header(n))
  if (encoding !== undefined && encoding.trim().toLowerCase() !== 'identity') {
    throw new ServiceError(
      415,
      'unclassified',
      'Send the bytes without Content-Encoding: they are stored as they come.',
      { detail: 'unsupported_encoding' },
    )
  }
  if (length !== undefined && Number(length) !== sizeBytes) {
    throw invalid(`The body has ${Number(length)} bytes, and ${sizeBytes} were announced: send exactly those.`)
  }
  if (type !== undefined && plainType(type) !== plainType(mimeType)) {
    throw invalid('The Content-Type is not the one that was announced: send that (`type` in the URL), or none.')
  }
}

/** Returns a media type in lower case and without spaces around semicolons, for comparisons. */
function plainType(type: string): string {
  return type
    .trim()
    .replace(/\s*;\s*/g, ';')
    .toLowerCase()
}

async function requireOpen({ sql, storage }: Pick<Deps, 'sql' | 'storage'>, id: string): Promise<void> {
  const upload = await findUpload(sql, id)
  if (upload === null) throw gone()
  if (upload.isSubmitted) throw isThere('This upload has been submitted')
  if (!upload.isOpen) throw notGenuine()
  if ((await storage.stat({ area: 'uploads', id })) !== null) throw isThere('These bytes have been uploaded')
  if (upload.isReceiving) throw isReceived()
}

/**
 * Runs the function that receives an upload, under a lease. Only one request at a time receives the file of a URL.
 * After a crash of the process, the next request waits at most `LEASE_SECONDS`.
 */
async function aloneFor(
  { sql, log }: Pick<Deps, 'sql' | 'log'>,
  id: string,
  receive: () => Promise<void>,
): Promise<void> {
  if (!(await beginReceiving(sql, id, LEASE_SECONDS))) throw isReceived()
  const keep = (seconds: number) =>
    keepReceiving(sql, id, seconds).catch((error) => log.warn({ err: error }, 'upload lease update failed'))
  const renewal = setInterval(() => void keep(LEASE_SECONDS), (LEASE_SECONDS * 1000) / 3)
  try {
    await receive()
  } finally {
    clearInterval(renewal)
    await keep(0)
  }
}

/** Stores the bytes of an upload while they arrive. After a failure, none of the bytes remain stored. */
async function store(
  deps: Pick<Deps, 'config' | 'storage' | 'sql'>,
  c: Context,
  { id, sizeBytes }: { id: string; sizeBytes: number },
): Promise<void> {
  const { UPLOAD_STALL_MS, UPLOAD_LIMIT_MS } = deps.config
  const rate = { stallBytes: STALL_BYTES, stallMs: UPLOAD_STALL_MS, limitMs: UPLOAD_LIMIT_MS }
  try {
    await deps.storage.put({ area: 'uploads', id }, arriveSteadily(c.req.raw.body, rate), sizeBytes)
  } catch (error) {
    if (error instanceof ObjectExistsError) throw isThere('These bytes have been uploaded')
    if (error instanceof SizeMismatchError) {
      throw invalid(`The body has ${error.came} bytes than the ${sizeBytes} that were announced; nothing was kept.`)
    }
    throw error
  }
  await requireKnown(deps, id)
}

/**
 * Deletes the stored bytes if the upload was marked for deletion while the bytes arrived.
 * @throws ServiceError 404 if the upload was marked for deletion
 */
async function requireKnown({ sql, storage }: Pick<Deps, 'sql' | 'storage'>, id: string): Promise<void> {
  // The cleanup loop marks an upload before it deletes the bytes. So either the loop deletes the bytes, or this check
  // finds the mark.
  const takeBack = () => storage.remove({ area: 'uploads', id })
  try {
    if ((await findUpload(sql, id)) !== null) return
  } catch (error) {
    await takeBack()
    throw error
  }
  await takeBack()
  throw gone()
}

function invalid(sentence: string): ServiceError {
  return new ServiceError(400, 'unclassified', sentence, { detail: 'upload_differs' })
}

function notGenuine(): ServiceError {
  return new ServiceError(403, 'unclassified', 'This upload URL is not valid any more; ask for a new one.', {
    detail: 'link_expired',
  })
}

function gone(): ServiceError {
  return new ServiceError(404, 'unclassified', 'This upload is gone; ask for a new URL.', { detail: 'upload_gone' })
}

function isReceived(): ServiceError {
  return new ServiceError(
    409,
    'unclassified',
    'These bytes are coming in another request; wait for its end, or ask for a new URL.',
    { detail: 'upload_in_progress', headers: { 'Retry-After': String(LEASE_SECONDS) } },
  )
}

function isThere(fact: string): ServiceError {
  return new ServiceError(
    409,
    'unclassified',
    `${fact}, and an upload is written once; for others ask for a new URL.`,
    { detail: 'upload_written' },
  )
}
