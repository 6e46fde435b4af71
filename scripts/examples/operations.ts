import type { oas31 } from 'zod-openapi'

/** The parts of an operation that a recorder uses. */
export interface Operation {
  id: string
  /** Upper case. */
  method: string
  /** With braces. */
  path: string
  tag: string
  /** Media types of the request body; none: the operation takes no body. */
  requestTypes: readonly string[]
  /** Media types of the successful responses, by status. */
  responseTypes: ReadonlyMap<string, readonly string[]>
}

/** Every operation of a document. */
export function listOperations(document: oas31.OpenAPIObject): Operation[] {
  return Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
    Object.entries(item as Record<string, oas31.OperationObject>).map(([method, operation]) => ({
      id: operation.operationId ?? '',
      method: method.toUpperCase(),
      path,
      tag: operation.tags?.[0] ?? '',
      requestTypes: typesOf(operation.requestBody),
      responseTypes: new Map(
        Object.entries(operation.responses ?? {})
          .filter(([status]) => status.startsWith('2'))
          .map(([status, response]) => [status, typesOf(response)]),
      ),
    })),
  )
}

/** Bytes have no example in a document. */
function typesOf(body: oas31.OperationObject['requestBody'] | oas31.ResponseObject): string[] {
  if (body === undefined || '$ref' in body) return []
  return Object.entries(body.content ?? {}).flatMap(([type, { schema }]) =>
    schema !== undefined && 'format' in schema && schema.format === 'binary' ? [] : [type],
  )
}
