import { Validator } from '@seriousme/openapi-schema-validator'
import { beforeAll, describe, expect, test } from 'vitest'
import { openEnvironment } from '../support/conformance.ts'
import type { PublishedDocument } from '../support/conformance-contract.ts'
import { inlineReferences } from '../support/inline-references.ts'

const environment = openEnvironment()

let document: PublishedDocument

beforeAll(async () => {
  const response = await fetch(`${environment.baseUrl}/openapi.json`)
  document = inlineReferences((await response.json()) as PublishedDocument)
})

describe('Versioning: /openapi.json', () => {
  test('is a valid OpenAPI 3.1 document of a task-marketplace API, version 1.0.0', async () => {
    const { valid, errors } = await new Validator().validate({ ...structuredClone(document) })
    expect({ valid, errors }).toEqual({ valid: true, errors: undefined })
    expect(document.openapi).toMatch(/^3\.1\./)
    expect(document.info.title).toMatch(/task-marketplace/)
    expect(document.info.version).toBe('1.0.0')
  })
})
