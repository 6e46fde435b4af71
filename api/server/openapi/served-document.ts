import type { oas31 } from 'zod-openapi'
import { routes, writes } from '../routes.ts'
import { openApiDocument } from './document.ts'
import { readExamples } from './examples.ts'

const made = new Map<string, oas31.OpenAPIObject>()

/** The document of every route and write, with the recorded examples; made once a service name and chain, which takes 50 ms. */
export function servedDocument(serviceName: string, chainId: number): oas31.OpenAPIObject {
  const key = `${chainId} ${serviceName}`
  const document = made.get(key) ?? openApiDocument({ routes, writes, serviceName, chainId, examples: readExamples() })
  made.set(key, document)
  return document
}
