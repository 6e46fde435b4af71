import type { AnyWrite } from '../../writes/relayed-write.ts'
import type { Examples } from '../openapi/examples.ts'

/** Adds the document's example bodies to the writes, so that their challenges show them too. */
export function withExampleBodies(writes: readonly AnyWrite[], examples: Examples): AnyWrite[] {
  return writes.map((write) => {
    const body = examples[write.operationId]?.request?.['application/json']
    return body === undefined ? write : { ...write, exampleBody: body }
  })
}
