import { openApiDocument } from '../../../api/http/openapi/document.ts'
import { readExamples } from '../../../api/http/openapi/examples.ts'
import { routes, writes } from '../../../api/routes.ts'
import type { PublishedDocument } from '../conformance-contract.ts'

/** `/openapi.json` as a service of the default name serves it. */
export function publishedDocument(): PublishedDocument {
  return JSON.parse(
    JSON.stringify(openApiDocument({ routes, writes, serviceName: 'service', examples: readExamples() })),
  )
}
