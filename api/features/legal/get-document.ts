import { z } from 'zod'
import { ServiceError } from '../../errors/service-error.ts'
import { answerTagged } from '../../http/tagged-answer.ts'
import { defineRoute } from '../define-route.ts'
import { findDocument } from './documents.queries.ts'

const contentHash = z
  .string()
  .regex(/^(?:sha256:)?[0-9a-fA-F]{64}$/, { error: 'must be a sha-256 of 64 hex digits, with or without "sha256:"' })
  .transform((text) => text.slice(-64).toLowerCase())

/**
 * Serves the Markdown text of the policy with the given hash. The policy may belong to the current bundle or to a past
 * bundle. See the specification, "Legal acceptance".
 *
 * Example: `GET /api/legal/documents/1369..` answers `text/markdown`.
 */
export const getDocument = defineRoute({
  operationId: 'getLegalDocument',
  method: 'get',
  path: '/legal/documents/{contentHash}',
  tag: 'legal',
  summary: 'Get the Markdown of a policy by its hash',
  description: 'sha-256 of the raw body equals `contentHash`. What was ever published stays readable.',
  params: z.object({ contentHash }),
  // The name is the hash of the bytes, so they cannot change.
  cacheControl: 'public, max-age=31536000, immutable',
  responses: {
    200: { description: 'The policy.', contentType: 'text/markdown' },
    404: { description: 'No policy with this hash was ever published here.' },
  },
  handler: async ({ sql }, { params }, context) => {
    const body = await findDocument(sql, params.contentHash)
    if (body === null) {
      throw new ServiceError(
        404,
        'unclassified',
        'No policy with this hash was ever published here; GET /api/legal/current lists the current ones.',
        { detail: 'document_not_found' },
      )
    }
    return answerTagged(context, new Uint8Array(body), {
      'Content-Type': 'text/markdown; charset=utf-8',
      'Content-Length': String(body.length),
    })
  },
})
