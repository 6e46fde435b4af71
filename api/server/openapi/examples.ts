import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { oas31 } from 'zod-openapi'

/** The recorded examples of one operation. */
export interface OperationExamples {
  /** The request body by media type; absent for an operation without a body. */
  request?: Record<string, unknown>
  /** The bodies of successful responses by status, then by media type. */
  responses: Record<string, Record<string, unknown>>
}

/** The examples of all operations by operation id. */
export type Examples = Readonly<Record<string, OperationExamples>>

/**
 * The folder with one file of examples for each tag of the document. `scripts/openapi-examples.ts` writes the files.
 */
export const examplesDirectory = join(import.meta.dirname, 'examples')

/** Reads all recorded examples. */
export function readExamples(): Examples {
  const files = readdirSync(examplesDirectory).filter((name) => name.endsWith('.json'))
  const fileExamples = files.map((name) => JSON.parse(readFileSync(join(examplesDirectory, name), 'utf8')) as Examples)
  return Object.assign({}, ...fileExamples) as Examples
}

/** Adds the examples to the media types of the document's operations, in place. */
export function addExamples(document: oas31.OpenAPIObject, examples: Examples): void {
  // The field is `examples`: type generators copy `example` into comments, which makes their output a third larger.
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of Object.values(item) as oas31.OperationObject[]) {
      const { request = {}, responses = {} } = examples[operation.operationId ?? ''] ?? {}
      addToContent(operation.requestBody, request)
      for (const [status, bodies] of Object.entries(responses)) addToContent(operation.responses?.[status], bodies)
    }
  }
}

/** Adds examples to the media types of a body. Examples for other media types are ignored; a test reports them. */
function addToContent(
  body: oas31.RequestBodyObject | oas31.ResponseObject | oas31.ReferenceObject | undefined,
  values: Readonly<Record<string, unknown>>,
): void {
  if (body === undefined || '$ref' in body) return
  for (const [type, value] of Object.entries(values)) {
    const media = body.content?.[type]
    if (media !== undefined && !('$ref' in media)) media.examples = { recorded: { value } }
  }
}
