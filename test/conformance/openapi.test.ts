import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import type { PublishedDocument, PublishedOperation } from '../support/conformance-contract.ts'
import { inlineReferences } from '../support/inline-references.ts'

const environment = openEnvironment()

const writes = [
  '/api/tasks',
  '/api/tasks/{taskId}/cancel',
  '/api/tasks/{taskId}/refund-expired',
  '/api/tasks/{taskId}/update',
  '/api/tasks/{taskId}/accept',
  '/api/tasks/{taskId}/accept-submissions',
  '/api/tasks/{taskId}/reject-submission',
  '/api/tasks/{taskId}/rate',
  '/api/tasks/{taskId}/submissions',
  '/api/tasks/{taskId}/claim',
  '/api/tasks/{taskId}/forfeit',
  '/api/tasks/{taskId}/object',
]
const reads = [
  '/api/health',
  '/api/tasks/stats',
  '/api/tasks',
  '/api/tasks/{taskId}',
  '/api/tasks/{taskId}/submissions',
  '/api/tasks/{taskId}/claim',
  '/api/tasks/{taskId}/submissions/{submissionId}/manifest',
  '/api/tasks/{taskId}/feedbacks',
  '/api/tasks/{taskId}/artifacts/{artifactId}/preview',
  '/api/feedback/{id}',
  '/api/intents',
]

let document: PublishedDocument
let operations: { name: string; operation: PublishedOperation }[]

beforeAll(async () => {
  const response = await fetch(`${environment.baseUrl}/openapi.json`)
  document = inlineReferences((await response.json()) as PublishedDocument)
  operations = Object.entries(document.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  )
})

describe('Versioning: /openapi.json', () => {
  test('is a valid OpenAPI 3.1 document of a task-marketplace API, version 1.0.0', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) })
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(document.info.title).toMatch(/task-marketplace/)
    expect(document.info.version).toBe('1.0.0')
  })

  test('has every main endpoint', () => {
    const names = operations.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining([...reads.map((path) => `get ${path}`), ...writes.map((path) => `post ${path}`)]),
    )
  })

  test('declares the key on every relayed write, payment and 402 on those that may be paid', () => {
    for (const path of writes) {
      const operation = document.paths[path]?.post
      const headers = operation?.parameters?.filter((parameter) => parameter.in === 'header').map(({ name }) => name)
      expect(headers).toContain('X-Service-Idempotency-Key')
      const isPaid = !path.endsWith('/forfeit')
      expect(headers?.includes('PAYMENT-SIGNATURE'), path).toBe(isPaid)
      expect('402' in (operation?.responses ?? {}), path).toBe(isPaid)
    }
  })
})
