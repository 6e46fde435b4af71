import { z } from 'zod'
import { uuid } from '../../http/primitives.ts'
import { queryInteger } from '../../http/query.ts'
import { defineRoute } from '../../http/route.ts'
import { ServiceError } from '../../http/service-error.ts'
import { findArtifactFile } from './artifacts.queries.ts'
import { parseRange } from './byte-range.ts'
import { attachmentDisposition, servedType } from './served-file.ts'

/** Delivered bytes are foreign code: a page made of them may do nothing at all. */
const SANDBOX = "sandbox; default-src 'none'; style-src 'none'; script-src 'none'"

/** The other end of signed URLs: whoever has one may GET the bytes until it expires. */
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
  responses: {
    200: {
      description: 'The file, as an attachment.',
      contentType: '*/*',
      headers: { 'Content-Disposition': 'Attachment with the file name as the worker gave it.' },
    },
    206: { description: 'The part asked for with `Range`.', contentType: '*/*' },
    403: { description: 'The URL is not genuine, or has expired.' },
    404: { description: 'The file is gone.' },
  },
  handler: async (deps, { params, query }, context) => {
    const { timestamp: now } = await deps.chain.head()
    const link = { expiresAt: query.expires, signature: query.signature }
    if (!deps.links.opensArtifact(params.id, link, Number(now))) {
      throw new ServiceError(403, 'unclassified', 'This file URL is not valid any more; ask for a new one.')
    }
    const file = await findArtifactFile(deps.sql, params.id)
    const size = Number(file?.sizeBytes ?? 0)
    const range = parseRange(context.req.header('range'), size)
    const bytes = file && (await deps.storage.open({ area: 'artifacts', id: file.id }, range ?? undefined))
    if (!file || !bytes) throw new ServiceError(404, 'unclassified', 'This file is gone.')
    // Nobody reads the body of a HEAD answer: an open file would stay open.
    const isHead = context.req.method === 'HEAD'
    if (isHead) await bytes.cancel()
    const headers = {
      'Content-Type': servedType(file.mimeType),
      'Content-Disposition': attachmentDisposition(file.fileName),
      'Content-Security-Policy': SANDBOX,
      'Cross-Origin-Resource-Policy': 'cross-origin',
      'Cache-Control': 'private, max-age=900, immutable',
      'Accept-Ranges': 'bytes',
      'Content-Length': String(range ? range.end - range.start + 1 : size),
      ...(range && { 'Content-Range': `bytes ${range.start}-${range.end}/${size}` }),
    }
    const status = range ? 206 : 200
    return isHead ? context.body(null, status, headers) : context.body(bytes, status, headers)
  },
})
