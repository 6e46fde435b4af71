import { expect, test } from 'vitest'
import { z } from 'zod'
import { defineRoute } from '../../../../api/features/define-route.ts'
import { openApiDocument } from '../../../../api/server/openapi/document.ts'
import { readExamples } from '../../../../api/server/openapi/examples.ts'
import { routes, writes } from '../../../../api/server/routes.ts'
import { listMissingExamples, listOutdatedExamples } from '../../../../scripts/examples/missing-examples.ts'
import { listOperations } from '../../../../scripts/examples/operations.ts'
import { publishedDocument } from '../../../support/fuzz/published-document.ts'
import { listInvalidExamples } from './invalid-examples.ts'

const examples = readExamples()

/** A route without a recording. */
const addedRoute = defineRoute({
  operationId: 'addedRoute',
  method: 'post',
  path: '/added',
  tag: 'service',
  summary: 'Do something new',
  body: z.object({ name: z.string() }),
  responses: { 200: { description: 'Done.', schema: z.object({ success: z.boolean() }) } },
  handler: async () => ({ success: true }),
})

function operationsWith(added: readonly (typeof addedRoute)[]) {
  return listOperations(
    openApiDocument({ routes: [...routes, ...added], writes, serviceName: 'service', chainId: 8453, examples }),
  )
}

const operations = operationsWith([])
const operationsAfter = operationsWith([addedRoute])

test('given every request body and every successful response, then it has an example, of any media type', () => {
  expect(listMissingExamples(operations, examples)).toEqual([])
})

test('given a route that was added without a recording, then its bodies are reported', () => {
  expect(listMissingExamples(operationsAfter, examples)).toEqual([
    'addedRoute request application/json',
    'addedRoute 200 application/json',
  ])
})

test('given every example, then its operation and body are in the document', () => {
  expect(listOutdatedExamples(operations, examples)).toEqual([])
})

test('given a route that was removed or changed its media type, then its examples are reported', () => {
  const recorded = { request: { 'application/json': {} }, responses: { 200: { 'text/csv': '' }, 201: {} } }
  const outdated = { removedRoute: recorded, addedRoute: { ...recorded, request: { 'text/plain': '' } } }
  expect(listOutdatedExamples(operationsAfter, outdated)).toEqual([
    'removedRoute',
    'addedRoute request text/plain',
    'addedRoute 200 text/csv',
  ])
})

test('given every recorded body, then it is in the document', () => {
  const recorded = Object.values(examples).flatMap(({ request = {}, responses }) => [
    ...Object.values(request),
    ...Object.values(responses).flatMap((bodies) => Object.values(bodies)),
  ])
  const published = JSON.stringify(publishedDocument()).match(/"examples":\{"recorded":/g) ?? []
  expect(published).toHaveLength(recorded.length)
})

test('given every example, then it matches its schema', () => {
  expect(listInvalidExamples(publishedDocument())).toEqual([])
})
