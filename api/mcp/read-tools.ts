import type { Tool } from '@modelcontextprotocol/server'
import type { oas31 } from 'zod-openapi'
import { envelopeSchema } from '../../mcp/envelope.ts'
import type { ReadOperation } from '../../mcp/read-request.ts'
import type { RouteContract } from '../features/define-route.ts'
import { takeSchema } from './tool-schema.ts'

/**
 * A tool, and the GET route that the tool calls. The service sends the output schema only to clients that request
 * structured answers.
 */
export interface ReadTool {
  tool: Tool & { outputSchema: NonNullable<Tool['outputSchema']> }
  operation: ReadOperation
}

type Document = oas31.OpenAPIObject
type Parameter = oas31.ParameterObject

/**
 * Returns a tool for each public read route, with the route's operation id as the name. A public read is a GET route
 * that answers JSON, needs no credential and reads no request headers. The schemas are those of the OpenAPI document.
 */
export function readTools(routes: readonly RouteContract[], document: Document): ReadTool[] {
  const openOperations = new Set(routes.filter(isOpenRead).map(({ operationId }) => operationId))
  return Object.entries(document.paths ?? {}).flatMap(([path, { get: operation }]) =>
    operation?.operationId !== undefined && openOperations.has(operation.operationId)
      ? [toTool(document, { path, operationId: operation.operationId, operation })]
      : [],
  )
}

/**
 * Returns true for a public read route that is not an alias. An alias serves the answer of another route under an
 * earlier path, so its tool would be a duplicate.
 */
function isOpenRead({ method, responses, needs, headers, operationId }: RouteContract): boolean {
  const isJson = responses[200]?.schema !== undefined
  return method === 'get' && isJson && needs === undefined && headers === undefined && !operationId.endsWith('Alias')
}

/** Returns the tool for an operation of the OpenAPI document. */
export function toTool(
  document: Document,
  { path, operationId, operation }: { path: string; operationId: string; operation: oas31.OperationObject },
): ReadTool {
  const parameters = (operation.parameters ?? [])
    .map((parameter) => resolveParameter(document, parameter))
    .filter((parameter) => parameter.in === 'path' || (parameter.in === 'query' && !isOfTransport(parameter)))
  const inPath = parameters.filter((parameter) => parameter.in === 'path').map(({ name }) => name)
  const inputSchema = toInputSchema(document, parameters)
  const { schema, definitions } = takeSchema(document, answerSchema(operation))
  return {
    operation: { path, pathArguments: inPath, inputSchema },
    tool: {
      name: operationId,
      title: operation.summary ?? operationId,
      description: describe(path, operation),
      inputSchema,
      outputSchema: envelopeSchema(schema, definitions),
      annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    },
  }
}

function describe(path: string, { summary, description }: oas31.OperationObject): string {
  return [`${summary}.`, description, `The same as GET ${path}, without a caller.`].filter(Boolean).join(' ')
}

function toInputSchema(document: Document, parameters: readonly Parameter[]): Tool['inputSchema'] {
  const properties = Object.fromEntries(
    parameters.map(({ name, schema, description }) => [
      name,
      { ...takeSchema(document, schema ?? {}).schema, ...(description !== undefined && { description }) },
    ]),
  )
  const requiredNames = parameters.filter((parameter) => parameter.required === true).map(({ name }) => name)
  return {
    type: 'object',
    properties,
    ...(requiredNames.length > 0 && { required: requiredNames }),
    additionalProperties: false,
  }
}

/** Returns true for a parameter that only HTTP uses. Such a parameter is not an argument of the tool. */
function isOfTransport({ schema }: Parameter): boolean {
  return schema !== undefined && 'x-transport' in schema
}

function answerSchema({ responses }: oas31.OperationObject): oas31.SchemaObject {
  const answer = responses?.['200']
  const media = answer !== undefined && !('$ref' in answer) ? answer.content?.['application/json'] : undefined
  if (media === undefined || '$ref' in media || media.schema === undefined) {
    throw new Error('the document has no schema of an answer that its route has')
  }
  return media.schema
}

function resolveParameter(document: Document, parameter: Parameter | oas31.ReferenceObject): Parameter {
  if (!('$ref' in parameter)) return parameter
  const name = parameter.$ref.split('/').at(-1) ?? ''
  const sharedParameter = document.components?.parameters?.[name]
  if (sharedParameter === undefined || '$ref' in sharedParameter)
    throw new Error(`the document has no parameter ${name}`)
  return sharedParameter
}
