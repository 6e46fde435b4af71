import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { operations } from '../../../client/src/api/openapi.ts'
import { repositoryRoot } from '../../../ops/process/paths.ts'

type Invalid = operations['getTask']['responses'][400]['content']['application/json']
/** Does not compile while the generated types say that an error may have no `service`. */
const reasonOf = ({ service }: Invalid): string => service.reason

interface Narrowed {
  properties: { service: { required?: string[] } }
  required?: string[]
}

test('given each error of the document, then its `service.reason` is required', () => {
  const document = JSON.parse(readFileSync(join(repositoryRoot, 'docs', 'openapi.json'), 'utf8'))
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
  expect(reasonOf({ error: 'x', code: 'BAD_REQUEST', service: { reason: 'unclassified' } })).toBe('unclassified')
})
