import type { oas31 } from 'zod-openapi'
import { routes, writes } from '../routes.ts'
import { openApiDocument } from './document.ts'
import { readExamples } from './examples.ts'

const byServiceName = new Map<string, oas31.OpenAPIObject>()

/** The document of every route and write, with the recorded examples; made once a service name, which takes 50 ms. */
export function servedDocument(serviceName: string): oas31.OpenAPIObject {
  const document =
    byServiceName.get(serviceName) ?? openApiDocument({ routes, writes, serviceName, examples: readExamples() })
  byServiceName.set(serviceName, document)
  return document
}
