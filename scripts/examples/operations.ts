import type { oas31 } from 'zod-openapi'

/** The parts of an API operation that the recorder of examples uses. */
export interface Operation {
  id: string
  /** HTTP method in upper case. */
  method: string
  /** Path with its parameters in braces. Example: `/api/tasks/{taskId}`. */
  path: string
  tag: string
  /** Media types of the request body; empty if the operation takes no body. */
  requestTypes: readonly string[]
  /** Media types of the successful responses, by status. */
  responseTypes: ReadonlyMap<string, readonly string[]>
}

/** Lists every operation of an OpenAPI document. */
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

/**
 * Lists the media types of a body that need an example. Binary media types are left out, because a document contains no
 * example of bytes.
 */
function typesOf(body: oas31.OperationObject['requestBody'] | oas31.ResponseObject): string[] {
  if (body === undefined || '$ref' in body) return []
  return Object.entries(body.content ?? {}).flatMap(([type, { schema }]) =>
    schema !== undefined && 'format' in schema && schema.format === 'binary' ? [] : [type],
  )
}
