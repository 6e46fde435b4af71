import { servedDocument } from '../../../api/server/openapi/describe-routes.ts'
import type { PublishedDocument } from '../conformance-contract.ts'

/** `/openapi.json` as a service of the default name serves it. */
export function publishedDocument(): PublishedDocument {
  return JSON.parse(JSON.stringify(servedDocument('service', 8453)))
}
