import type { AnyWrite } from '../../writes/relayed-write.ts'
import type { Examples } from '../openapi/examples.ts'

/** Adds the recorded example bodies to the writes. Payment challenges show these examples. */
export function withExampleBodies(writes: readonly AnyWrite[], examples: Examples): AnyWrite[] {
  return writes.map((write) => {
    const body = examples[write.operationId]?.request?.['application/json']
    return body === undefined ? write : { ...write, exampleBody: body }
  })
}
