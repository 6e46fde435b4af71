import { Validator } from '@seriousme/openapi-schema-validator'
import type { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { queries, routes, writes } from '../../../api/server/routes.ts'
import { type ErrorStatus, type Reason, reasons } from '../../../protocol/reasons.ts'
import { startTestApi, type TestApi } from '../../support/api.ts'
import { inlineReferences } from '../../support/inline-references.ts'
import { getPage, withPages } from '../../support/pages.ts'

// biome-ignore lint/suspicious/noExplicitAny: the document is looked at as the JSON it is.
type Json = any

let api: TestApi
let document: Json
let pages: Hono
let operations: { name: string; operation: Json }[]
beforeAll(async () => {
  api = await startTestApi()
  pages = withPages(api.deps)
  document = (await api.get('/openapi.json')).body
  operations = Object.entries<Json>(inlineReferences(document).paths).flatMap(([path, item]) =>
    Object.entries<Json>(item).map(([method, operation]) => ({ name: `${method} ${path}`, operation })),
  )
})
afterAll(() => api.stop())

test('is a valid OpenAPI 3.1 document of the task-marketplace API', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document))
  expect(errors).toBeUndefined()
  expect(valid).toBe(true)
  expect(document.openapi).toMatch(/^3\.1\./)
  expect(document.info).toMatchObject({ title: 'task-marketplace API', version: '1.0.0' })
})

test('describes every route and write once, by an id of its own', () => {
  const mounted = [
    ...routes.map(({ method, path }) => `${method} /api${path}`),
    ...writes.map(({ path }) => `post /api${path}`),
  ]
  expect(operations.map(({ name }) => name).sort()).toEqual(mounted.sort())
  const ids = operations.map(({ operation }) => operation.operationId)
  expect(new Set(ids).size).toBe(ids.length)
})

test('every tag in use is described, once', () => {
  const described = document.tags.map(({ name }: { name: string }) => name)
  const used = new Set<string>(operations.flatMap(({ operation }) => operation.tags))
  expect([...described].sort()).toEqual([...used].sort())
})

test('names every procedure, where an unknown one is told to look', () => {
  for (const name of Object.keys(queries)) expect(document.info.description).toContain(`\`${name}\``)
  for (const { operation, path } of writes) {
    expect(document.paths[`/api${path}`].post.description).toContain(`\`POST /trpc/${operation}\``)
  }
})

test('what many operations answer alike is written once', () => {
  const answers = Object.values<Json>(document.paths).flatMap((item) =>
    Object.values<Json>(item).flatMap(({ responses }) => Object.values<Json>(responses)),
  )
  const texts = answers.filter(({ $ref }) => $ref === undefined).map((answer) => JSON.stringify(answer))
  const repeated = texts.filter((text, at) => texts.indexOf(text) !== at && text.includes('#/components/schemas/Error'))
  expect(repeated).toEqual([])
})

test('what many operations take alike is written once, and says what it is for once', () => {
  const parameters = Object.values<Json>(document.paths).flatMap((item) =>
    Object.values<Json>(item).flatMap((operation) => operation.parameters ?? []),
  )
  const counts = new Map<string, number>()
  for (const parameter of parameters.filter(({ $ref }) => $ref === undefined)) {
    expect(parameter.schema?.description, parameter.name).toBeUndefined()
    const text = JSON.stringify(parameter)
    counts.set(text, (counts.get(text) ?? 0) + 1)
  }
  expect([...counts].filter(([, count]) => count >= 5)).toEqual([])
  expect(document.components.parameters.XServiceIdempotencyKey).toMatchObject({ in: 'header', required: true })
})

test('the body of every write is a component with the name of its operation', () => {
  for (const { path, operationId, bodyless } of writes) {
    const { requestBody } = document.paths[`/api${path}`].post
    const reference = `#/components/schemas/${operationId.charAt(0).toUpperCase()}${operationId.slice(1)}Request`
    expect(requestBody?.content['application/json'].schema, operationId).toEqual(
      bodyless ? undefined : { $ref: reference },
    )
  }
})

test('every reference leads somewhere', () => {
  for (const reference of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
    const target = (reference[1] ?? '').split('/').reduce((node: Json, key) => node?.[key], document)
    expect(target, reference[1]).toBeDefined()
  }
})

test('every operation has summary, tag, a described answer and its ways to fail', () => {
  for (const { name, operation } of operations) {
    expect(operation.summary, name).toMatch(/\S/)
    expect(operation.tags, name).not.toEqual([])
    const answers = Object.entries<Json>(operation.responses).filter(([status]) => status < '300')
    expect(answers.length, name).toBeGreaterThan(0)
    const types = ['post /api/sql', 'get /api/sql/answers/{answerId}/{page}'].includes(name) ? 5 : 1
    for (const [, answer] of answers) expect(Object.keys(answer.content), name).toHaveLength(types)
    for (const status of ['429', '500', '503']) expect(operation.responses[status], name).toBeDefined()
  }
})

test('every error names the reasons it can carry, each allowed with its status', () => {
  for (const { name, operation } of operations) {
    for (const [status, answer] of Object.entries<Json>(operation.responses)) {
      if (status < '400' || status === '402') continue
      const schema = resolve(answer.content['application/json'].schema)
      const named: Reason[] = schema.allOf[1].properties.service.properties.reason.enum
      expect(named.length, `${name} ${status}`).toBeGreaterThan(0)
      for (const reason of named) {
        expect(reasons[reason] as readonly ErrorStatus[], `${name} ${reason}`).toContain(Number(status))
      }
    }
  }
})

test('answers may gain fields, dates are formats, and requests say what they take', () => {
  expect(JSON.stringify(document)).not.toContain('"additionalProperties":false')
  const { createdAt, claimedBy } = document.components.schemas.Task.properties
  expect(createdAt).toMatchObject({ type: 'string', format: 'date-time' })
  expect(createdAt).not.toHaveProperty('pattern')
  expect(claimedBy.anyOf.map(({ type }: { type: string }) => type)).toEqual(['string', 'null'])
  const list = document.paths['/api/tasks'].get.parameters
  const limit = list.find(({ name }: { name: string }) => name === 'limit')
  expect(limit.schema).toEqual({ type: 'integer', minimum: 1, maximum: 100, default: 20 })
})

test('every write tells of its key, its payment in two rounds and its receipt', () => {
  const ids = new Set<string>(writes.map(({ operationId }) => operationId))
  const paid = new Set<string>(writes.flatMap(({ operationId, modes }) => (modes.includes('paid') ? operationId : [])))
  const relayed = operations.filter(({ operation }) => ids.has(operation.operationId))
  expect(relayed).toHaveLength(writes.length)
  for (const { name, operation } of relayed) {
    const headers = new Map<string, Json>(
      operation.parameters
        .filter((parameter: Json) => parameter.in === 'header')
        .map((parameter: Json) => [parameter.name, parameter]),
    )
    expect(headers.get('X-Service-Idempotency-Key')?.required, name).toBe(true)
    const isPaid = paid.has(operation.operationId)
    expect(headers.has('PAYMENT-SIGNATURE'), name).toBe(isPaid)
    expect('402' in operation.responses, name).toBe(isPaid)
    if (!isPaid) continue
    expect(operation.responses['402'].headers['PAYMENT-REQUIRED'].required, name).toBe(true)
    expect(operation.responses['200'].headers, name).toHaveProperty('PAYMENT-RESPONSE')
  }
})

test('the page and everything it loads come from this host, and nothing is inline', async () => {
  const page = await api.get('/docs/api')
  expect(page.headers.get('content-type')).toMatch(/^text\/html/)
  const policy = page.headers.get('content-security-policy') ?? ''
  expect(policy).toContain("default-src 'none'")
  expect(policy).not.toMatch(/unsafe|https?:|\*/)
  const links = [...String(page.body).matchAll(/(?:src|href)="([^"]+)"/g)].map(([, link]) => link ?? '')
  expect(links.length).toBeGreaterThan(3)
  for (const link of links) {
    expect(link).toMatch(/^\/[^/]/)
    const { status, headers } = await api.get(link)
    expect([link, status]).toEqual([link, 200])
    expect(headers.get('x-content-type-options')).toBe('nosniff')
  }
  // Whether the document is valid is asked of no other host either.
  expect((await api.get('/docs/api/start.js')).body).toContain('validatorUrl: null')
  expect(page.body).not.toMatch(/<script(?![^>]*src=)|<style|style="|onload=/)
})

test('the description begins with three calls, which work as they stand, and ends with the procedures', async () => {
  const { description } = (await api.get('/openapi.json')).body.info
  const headings = [...description.matchAll(/^## (.+)$/gm)].map(([, heading]: string[]) => heading)
  expect(headings).toEqual(['Start', 'Rules', 'Procedures'])
  expect(description.split('## Procedures')[0]).not.toContain('/trpc/')
  const calls = [...description.matchAll(/^ *curl .*?(?=^ *```)/gms)].map(([call]: string[]) => call ?? '')
  const answers = await Promise.all(
    calls.map(async (call) => {
      const path = `/api${/"\$API([^"]*)"/.exec(call)?.[1]}`
      const body = /-d '([^']*)'/.exec(call)?.[1]
      const headers = { 'X-Service-Idempotency-Key': crypto.randomUUID() }
      return body === undefined ? await api.get(path) : await api.post(path, JSON.parse(body), headers)
    }),
  )
  expect(answers.map(({ status }) => status)).toEqual([200, 402, 200])
  expect(answers.map(({ body }) => Object.keys(body)[0])).toEqual(['tasks', 'x402Version', 'items'])
  for (const [, link = ''] of description.matchAll(/\]\((\/[^)]*)\)/g)) {
    expect([link, (await getPage(pages, link)).status]).toEqual([link, 200])
  }
})

test('only the files of the page are served', async () => {
  for (const path of ['/docs/api/package.json', '/docs/api/..%2fapp.ts', '/docs/api/swagger-ui-bundle.js.map']) {
    expect((await api.get(path)).status).toBe(404)
  }
})

test('the root says where everything is, and a service without pages leads from there to the API reference', async () => {
  const { body } = await api.get('/')
  expect(body).toMatchObject({ name: 'task-marketplace API', version: '1.0.0' })
  for (const path of [body.openapi, body.reference, body.health]) expect((await api.get(path)).status).toBe(200)
  expect((await getPage(pages, body.docs)).status).toBe(200)
  expect((await api.get(body.docs)).headers.get('location')).toBe(body.reference)
})

function resolve(schema: Json): Json {
  return schema.$ref === undefined ? schema : document.components.schemas[schema.$ref.split('/').at(-1)]
}
