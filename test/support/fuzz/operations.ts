import type { PublishedDocument, PublishedOperation } from '../conformance-contract.ts'
import { inlineReferences } from '../inline-references.ts'
import type { KnownTexts, Schema } from './schema-arbitrary.ts'
import { schemaArbitrary } from './schema-arbitrary.ts'

/** A parameter of the document. */
interface Parameter {
  name: string
  in: string
  required?: boolean
  schema: Schema
}

/** The parts of an operation that requests are made from. */
export interface Operation {
  id: string
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** With braces. */
  path: string
  parameters: readonly Parameter[]
  /** Null: it has no body. */
  body: Schema | null
  /** It relays a write under an idempotency key. */
  takesKey: boolean
}

interface Described extends Omit<PublishedOperation, 'parameters'> {
  parameters?: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}

export function listOperations(document: PublishedDocument): Operation[] {
  const { paths } = inlineReferences(document)
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => {
      const { operationId = '', parameters = [], requestBody } = operation as Described
      return {
        id: operationId,
        method: method.toUpperCase() as Operation['method'],
        path,
        parameters,
        takesKey: parameters.some(({ name }) => name.endsWith('-Idempotency-Key')),
        body: requestBody?.content['application/json']?.schema ?? null,
      }
    }),
  )
}

/** Generators of values for the schemas of a document. */
export function valuesOf(document: PublishedDocument, known: KnownTexts) {
  const resolve = (reference: string): Schema => {
    const schema = document.components.schemas[reference.split('/').at(-1) ?? '']
    if (schema === undefined) throw new Error(`${reference} leads nowhere`)
    return schema
  }
  return (schema: Schema, name?: string) => schemaArbitrary(schema, { known, resolve }, name)
}
