import { defineRoute } from '../define-route.ts'
import { toBundleView } from './legal.mapper.ts'
import { bundleSchema } from './legal.schemas.ts'

/**
 * Returns the current policies and the digest that identifies them. See the specification, "Legal acceptance".
 *
 * Example: `GET /api/legal/current` answers `{"version": "0.1.0-template", "status": "draft", "effectiveAt": null,
 * "publishedAt": "2025-01-01T00:00:00.000Z", ..}`.
 */
export const getCurrentBundle = defineRoute({
  operationId: 'getCurrentLegalBundle',
  method: 'get',
  path: '/legal/current',
  tag: 'legal',
  summary: 'Get the current policies and the digest that stands for them',
  responses: { 200: { description: 'The current bundle.', schema: bundleSchema } },
  handler: async (deps) => toBundleView(deps),
})
