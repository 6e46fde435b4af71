import { openApiDocument } from '../../../api/server/openapi/document.ts'
import { readExamples } from '../../../api/server/openapi/examples.ts'
import { routes, writes } from '../../../api/server/routes.ts'
import type { PublishedDocument } from '../conformance-contract.ts'

/** `/openapi.json` as a service of the default name serves it. */
export function publishedDocument(): PublishedDocument {
  return JSON.parse(
    JSON.stringify(openApiDocument({ routes, writes, serviceName: 'service', examples: readExamples() })),
  )
}
