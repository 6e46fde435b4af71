import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { listOperations, valuesOf } from '../../support/fuzz/operations.ts'
import { publishedDocument } from '../../support/fuzz/published-document.ts'

const document = publishedDocument()
const formats = { uuid: true, 'date-time': true, uri: true } as const
const ajv = new Ajv2020({ strict: false, validateSchema: false, formats })
const values = valuesOf(document, () => [])

const schemas = listOperations(document).flatMap(({ id, body, parameters }) => [
  ...(body === null ? [] : [[`the body of ${id}`, body] as const]),
  ...parameters.map(({ name, schema }) => [`${name} of ${id}`, schema] as const),
])

describe('values made from a schema', () => {
  test.each(schemas)('given %s, then the schema admits them', (name, schema) => {
    const admits = ajv.compile(schema)
    fc.assert(
      fc.property(values(schema), (value) => {
        if (!admits(value)) throw new Error(`${name}: ${JSON.stringify(value)}: ${JSON.stringify(admits.errors)}`)
      }),
      { numRuns: 30, seed: 1 },
    )
  })

  test('given known texts for a field, then they are used, and others too', () => {
    const text = valuesOf(document, (name) => (name === 'q' ? ['known'] : []))({ type: 'string' }, 'q')
    const made = fc.sample(text, { numRuns: 100, seed: 1 })
    expect(made.filter((each) => each === 'known').length).toBeGreaterThan(50)
    expect(new Set(made).size).toBeGreaterThan(5)
  })
})
