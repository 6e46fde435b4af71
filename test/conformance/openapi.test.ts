import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import type { PublishedDocument, PublishedOperation } from '../support/conformance-contract.ts'
import { inlineReferences } from '../support/inline-references.ts'

const environment = openEnvironment()

/** Spec, "Errors": all there are. */
const reasons = [
  'intent_in_flight',
  'idempotency_key_reused',
  'idempotency_key_required',
  'idempotency_key_conflict',
  'idempotency_key_payload_mismatch',
  'payment_already_spent',
  'intent_not_found',
  'intent_completion_deferred',
  'payment_rejected',
  'payment_preflight_rejected',
  'payment_payer_mismatch',
  'idempotency_check_unavailable',
  'unclassified',
]

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

/** Every reason that a value of the document lists, directly or through references. */
function listReasons(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, field]) => {
    if (name === '$ref') return listReasons(document.components.schemas[String(field).split('/').at(-1) ?? ''])
    return name === 'reason' && field?.enum !== undefined ? field.enum : listReasons(field)
  })
}

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

  test('gives every operation an id of its own, a summary and a tag', () => {
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(operations.length)
    for (const { name, operation } of operations) {
      expect(operation, name).toMatchObject({
        operationId: expect.stringMatching(/^[a-z][A-Za-z]+$/),
        summary: expect.stringMatching(/./),
        tags: [expect.any(String)],
      })
    }
  })

  test('gives every answer a body with a schema, but for 304', () => {
    for (const { name, operation } of operations) {
      expect(
        Object.keys(operation.responses).some((status) => status.startsWith('2')),
        name,
      ).toBe(true)
      for (const [status, { content }] of Object.entries(operation.responses)) {
        // A 304 has no body.
        if (status === '304') continue
        const schemas = Object.values(content ?? {}).map(({ schema }) => schema)
        expect(schemas, `${name} ${status}`).not.toEqual([])
        for (const schema of schemas) expect(schema, `${name} ${status}`).toEqual(expect.any(Object))
      }
    }
  })

  test('lists the reasons with which an operation can fail', () => {
    for (const { name, operation } of operations) {
      const failures = Object.entries(operation.responses).filter(([status]) => Number(status) >= 400)
      const own = new Set(listReasons(Object.fromEntries(failures)))
      expect(reasons, name).toEqual(expect.arrayContaining([...own]))
      expect([...own], name).toContain('unclassified')
    }
    expect(listReasons(document.paths['/api/intents']?.get?.responses)).toContain('intent_not_found')
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

describe('The documentation page', () => {
  test('loads nothing from other hosts, and all its files exist', async () => {
    const response = await fetch(`${environment.baseUrl}/docs`)
    const html = await response.text()
    expect(response.status).toBe(200)
    expect(response.headers.get('content-type')).toMatch(/^text\/html/)
    const links = [...html.matchAll(/(?:src|href)="([^"]+)"/g)].flatMap(([, link]) => link ?? [])
    expect(links.length).toBeGreaterThan(0)
    for (const link of links) {
      const url = new URL(link, response.url)
      expect(url.origin).toBe(environment.baseUrl)
      expect((await fetch(url)).status, link).toBe(200)
    }
    // The content security policy forbids all other sources.
    expect(response.headers.get('content-security-policy')).toMatch(/default-src '(none|self)'/)
    expect(response.headers.get('content-security-policy')).not.toMatch(/https?:/)
  })
})
