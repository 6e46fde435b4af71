import type { Context } from 'hono'
import { z } from 'zod'
import type { Deps } from '../../deps.ts'
import { ServiceError } from '../../errors/service-error.ts'
import { parseRange } from '../../http/byte-range.ts'
import { type Conditions, readConditions } from '../../http/conditions.ts'
import { queryInteger } from '../../http/query.ts'
import { uuid } from '../../http/request-schemas.ts'
import { defineRoute } from '../define-route.ts'
import { type ArtifactFile, findArtifactFile } from './artifacts.queries.ts'
import { harmlessHeaders } from './served-file.ts'

/**
 * Serves the bytes of a file to any holder of a signed URL of the file, until the URL expires.
 *
 * Example: `GET /api/artifacts/8f0c..?expires=1795475941&signature=Qm9y..` answers the bytes of `haiku.txt`.
 */
export const getArtifactBytes = defineRoute({
  operationId: 'getArtifactBytes',
  method: 'get',
  path: '/artifacts/{id}',
  tag: 'submissions',
  summary: "Get a file's bytes by a signed URL",
  description: 'The URL comes from a submission list or a preview. Single byte ranges are served.',
  params: z.object({ id: uuid }),
  query: z.object({
    expires: queryInteger(0, 999_999_999_999_999),
    signature: z.string().max(200),
  }),
  cacheControl: 'private, max-age=900, immutable',
  responses: {
    200: {
      description: 'The file, as an attachment.',
      contentType: '*/*',
      headers: {
        'Content-Disposition': 'Attachment with the file name as the worker gave it.',
        ETag: 'The sha-256 of the bytes, in hex.',
      },
    },
    304: { description: 'The client has these bytes: their entity tag is that of its `If-None-Match`.' },
    206: { description: 'The part asked for with `Range`.', contentType: '*/*' },
    403: { description: 'The URL is not genuine, or has expired.' },
    404: { description: 'The file is gone.' },
  },
  handler: async (deps, { params, query }, context) => {
    const { timestamp: now } = await deps.chain.head()
    const link = { expiresAt: query.expires, signature: query.signature }
    if (!deps.links.opensArtifact(params.id, link, Number(now))) {
      throw new ServiceError(403, 'unclassified', 'This file URL is not valid any more; ask for a new one.', {
        detail: 'link_expired',
      })
    }
    const file = await findArtifactFile(deps.sql, params.id)
    if (file === null) throw goneFile()
    const { method } = context.req
    const conditions = readConditions((name) => context.req.header(name), tagOf(file))
    if (conditions.isKnown) return context.body(null, 304, commonHeaders(file))
    return method === 'HEAD'
      ? await answerHead(deps, context, file)
      : await answerBytes(deps, context, file, conditions)
  },
})

/** Answers a HEAD request for the bytes of an artifact. The size is read without opening the file. */
async function answerHead({ storage }: Pick<Deps, 'storage'>, context: Context, file: ArtifactFile): Promise<Response> {
  const storedObject = await storage.stat({ area: 'artifacts', id: file.id })
  if (storedObject === null) throw goneFile()
  return context.body(null, 200, { ...commonHeaders(file), 'Content-Length': String(file.sizeBytes) })
}

async function answerBytes(
  { storage }: Pick<Deps, 'storage'>,
  context: Context,
  file: ArtifactFile,
  { rangeHeader }: Conditions,
): Promise<Response> {
  const size = Number(file.sizeBytes)
  const range = parseRange(rangeHeader, size)
  const bytes = await storage.open({ area: 'artifacts', id: file.id }, range ?? undefined)
  if (bytes === null) throw goneFile()
  if (range === null) return context.body(bytes, 200, { ...commonHeaders(file), 'Content-Length': String(size) })
  return context.body(bytes, 206, {
    ...commonHeaders(file),
    'Content-Length': String(range.end - range.start + 1),
    'Content-Range': `bytes ${range.start}-${range.end}/${size}`,
  })
}

function commonHeaders(file: ArtifactFile) {
  return {
    ...harmlessHeaders(file),
    'Accept-Ranges': 'bytes',
    ETag: tagOf(file),
  }
}

function tagOf({ sha256Hash }: ArtifactFile): string {
  return `"${sha256Hash}"`
}

function goneFile(): ServiceError {
  return new ServiceError(404, 'unclassified', 'This file is gone.', { detail: 'file_not_found' })
}
