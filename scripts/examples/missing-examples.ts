import type { Examples } from '../../api/server/openapi/examples.ts'
import type { Operation } from './operations.ts'

/**
 * Lists the bodies without an example, as `<operation> request <media type>` and `<operation> <status> <media type>`.
 * Every request body and every successful response needs an example for its media type.
 */
export function listMissingExamples(operations: readonly Operation[], examples: Examples): string[] {
  return operations.flatMap(({ id, requestTypes, responseTypes }) => {
    const { request = {}, responses = {} } = examples[id] ?? {}
    const missingRequests = requestTypes.filter((type) => request[type] === undefined)
    const missingResponses = [...responseTypes].flatMap(([status, types]) =>
      types.filter((type) => responses[status]?.[type] === undefined).map((type) => `${status} ${type}`),
    )
    return [...missingRequests.map((type) => `request ${type}`), ...missingResponses].map((body) => `${id} ${body}`)
  })
}

/**
 * Lists the examples whose operation or media type the document no longer contains, in the format of
 * `listMissingExamples`.
 */
export function listOutdatedExamples(operations: readonly Operation[], examples: Examples): string[] {
  const operationById = new Map(operations.map((operation) => [operation.id, operation]))
  return Object.entries(examples).flatMap(([id, { request = {}, responses }]) => {
    const operation = operationById.get(id)
    if (operation === undefined) return [id]
    const { requestTypes, responseTypes } = operation
    const outdatedRequests = Object.keys(request).filter((type) => !requestTypes.includes(type))
    const outdatedResponses = Object.entries(responses).flatMap(([status, bodies]) =>
      Object.keys(bodies)
        .filter((type) => responseTypes.get(status)?.includes(type) !== true)
        .map((type) => `${status} ${type}`),
    )
    return [...outdatedRequests.map((type) => `request ${type}`), ...outdatedResponses].map((body) => `${id} ${body}`)
  })
}
