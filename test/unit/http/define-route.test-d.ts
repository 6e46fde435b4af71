import { defineRoute } from '../../../api/features/define-route.ts'

const route = {
  operationId: 'example',
  method: 'get',
  path: '/example',
  tag: 'tasks',
  summary: 'Get an example',
  responses: {},
} as const

/** Never called: the compiler is the test. */
export function misuse(): void {
  defineRoute({ ...route, audience: 'viewers', handler: async () => ({}) })
  defineRoute({ ...route, caching: 'head', handler: async () => ({}) })
  // @ts-expect-error kept, of one caller
  defineRoute({ ...route, audience: 'caller', caching: 'head', handler: async () => ({}) })
  // @ts-expect-error bytes are not kept
  defineRoute({ ...route, caching: 'stated', handler: async () => new Response() })
}
