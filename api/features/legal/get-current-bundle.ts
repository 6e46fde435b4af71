import { defineRoute } from '../define-route.ts'
import { toBundleView } from './legal.mapper.ts'
import { bundleSchema } from './legal.schemas.ts'

/** Spec, "Legal acceptance": `GET /legal/current`. */
export const getCurrentBundle = defineRoute({
  operationId: 'getCurrentLegalBundle',
  method: 'get',
  path: '/legal/current',
  tag: 'legal',
  summary: 'Get the current policies and the digest that stands for them',
  responses: { 200: { description: 'The current bundle.', schema: bundleSchema } },
  handler: async (deps) => toBundleView(deps),
})
