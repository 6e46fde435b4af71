import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'oxc-parser'
import { expect, test } from 'vitest'
import type { operations } from '../../../client/src/api/openapi.ts'
import type { ErrorDetail } from '../../../client/src/writes/outcome.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'
import { type Detail, detailNames, details } from '../../../protocol/details.ts'

type Invalid = operations['getTask']['responses'][400]['content']['application/json']
/** Compiles while the generated types have the details of the table, and require one. */
const detailOf = ({ service }: Invalid): ErrorDetail => service.detail
const toDetail = (detail: ErrorDetail): Detail => detail

const document = JSON.parse(readFileSync(join(repositoryRoot, 'docs', 'openapi.json'), 'utf8'))

interface Operation {
  operationId: string
  responses: Record<string, object>
}

interface Narrowed {
  properties: { service: { required?: string[] } }
  required?: string[]
}

test('given the details of the table, then the document and the client have them, and require one', () => {
  const { required, properties } = document.components.schemas.Error.properties.service
  expect(properties.detail.enum).toEqual(detailNames)
  expect(required).toEqual(['reason', 'detail', 'docs'])
  const service = { reason: 'unclassified' as const, docs: 'https://market.example/docs/errors/wrong_state' }
  const [detail = 'wrong_state']: ErrorDetail[] = detailNames
  expect(detailOf({ error: 'x', code: 'BAD_REQUEST', service: { ...service, detail } })).toBe(toDetail(detail))
})

test('given each detail, then its condition is named by code of the service', () => {
  const paths = globSync(['{api,protocol,src}/**/*.ts'], { cwd: repositoryRoot, exclude: ['protocol/details.ts'] })
  const texts = paths.map((path) => readFileSync(join(repositoryRoot, path), 'utf8'))
  const naming = texts.filter((text) => detailNames.some((name) => text.includes(`'${name}'`)))
  const raised = new Set(naming.flatMap(stringsOf))
  expect(detailNames.filter((name) => !raised.has(name))).toEqual([])
})

test('given each route that a page of a detail names, then the document has it', () => {
  const texts = Object.values(details).flatMap((page) => Object.values(page))
  const named = texts.flatMap((text) => [...text.matchAll(/`(GET|POST|PUT|DELETE) (\/api[^`]*)`/g)])
  expect(named.length).toBeGreaterThan(20)
  const missing = named.filter(
    ([, method = '', path = '']) => document.paths[path]?.[method.toLowerCase()] === undefined,
  )
  expect(missing.map(([route]) => route)).toEqual([])
})

test('given each operation, then it can refuse a field that it does not have', () => {
  const operations = Object.values<object>(document.paths).flatMap((item) => Object.values<Operation>({ ...item }))
  expect(operations.length).toBeGreaterThan(100)
  expect(operations.filter(({ responses }) => !('400' in responses))).toEqual([])
})

test('given each error of the document, then its `service.reason` is required', () => {
  const narrowed: Narrowed[] = []
  JSON.stringify(document, (_, value) => {
    const [base, more] = value?.allOf ?? []
    if (base?.$ref === '#/components/schemas/Error') narrowed.push(more)
    return value
  })
  expect(narrowed.length).toBeGreaterThan(10)
  for (const { required, properties } of narrowed) {
    expect([required, properties.service.required]).toEqual([['service'], ['reason']])
  }
})

/** The strings that code has as values; those of types are no values. */
function stringsOf(text: string): string[] {
  const strings: string[] = []
  let types = 0
  new Visitor({
    TSLiteralType: () => {
      types++
    },
    'TSLiteralType:exit': () => {
      types--
    },
    Literal: ({ value }) => {
      if (types === 0 && typeof value === 'string') strings.push(value)
    },
  }).visit(parseSync('file.ts', text).program)
  return strings
}
