import { z } from 'zod'
import type { ZodOpenApiOperationObject, ZodOpenApiResponseObject } from 'zod-openapi'
import { type ErrorStatus, errorCodes } from '../../../protocol/reasons.ts'
import { type ResponseContract, type RouteContract, readsCredential } from '../../features/define-route.ts'
import { serviceHeaderNames } from '../../http/header-names.ts'
import { cacheControlOf } from '../shared-caches.ts'
import { errorResponses } from './error-responses.ts'
import { securityOf } from './security.ts'

/** Returns a route as an OpenAPI operation. */
export function routeOperation(route: RouteContract, serviceName: string): ZodOpenApiOperationObject {
  const { operationId, tag, summary, description, params, query, body, rawBody } = route
  const header = headerParameters(route, serviceName)
  return {
    operationId,
    tags: [tag],
    summary,
    ...(description !== undefined && { description }),
    security: securityOf(route.needs),
    requestParams: {
      ...(params instanceof z.ZodObject && { path: params }),
      ...(query instanceof z.ZodObject && { query }),
      ...(header && { header }),
    },
    ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
    ...(rawBody !== undefined && {
      requestBody: { required: true, description: rawBody, content: { '*/*': { schema: {} } } },
    }),
    responses: { ...successResponses(route), ...routeErrors(route) },
  }
}

function headerParameters(route: RouteContract, serviceName: string) {
  const names = serviceHeaderNames(serviceName)
  const headerTexts = {
    ...(readsCredential(route, 'identity') && {
      [names.callerAddress]: 'Who reads; without it, or with a wrong signature, the caller is anonymous.',
      [names.readExpires]: 'When the read identity ends: Unix seconds, at most 24 hours ahead.',
      [names.callerSignature]: 'EIP-191 signature of that address; the security scheme `ReadIdentity` has its text.',
    }),
    ...(readsCredential(route, 'grant') && { [names.taskAccessGrant]: 'Opens one private task for viewing.' }),
    ...(readsCredential(route, 'device') && {
      [names.apiToken]: 'Token of the device, when it does not stand elsewhere in the request.',
    }),
    ...route.headers,
  }
  const entries = Object.entries(headerTexts)
  if (entries.length === 0) return null
  return z.object(
    Object.fromEntries(entries.map(([name, text]) => [name, z.string().optional().meta({ description: text })])),
  )
}

function successResponses(route: RouteContract): Record<`${number}`, ZodOpenApiResponseObject> {
  const entries = Object.entries(route.responses).filter(([status]) => Number(status) < 400)
  const responses = Object.fromEntries(entries.map(([status, response]) => [status, toResponse(response)]))
  if (route.method !== 'get') return responses
  const { 200: ok, ...others } = responses
  return {
    200: { description: '', ...ok, headers: { ...cachingHeaders(route), ...ok?.headers } },
    304: { description: '`If-None-Match` names the entity tag of the answer.' },
    ...others,
  }
}

function cachingHeaders(route: RouteContract) {
  return {
    ETag: { schema: { type: 'string' as const } },
    'Cache-Control': { schema: { type: 'string' as const, const: cacheControlOf(route) } },
  }
}

/** Returns the schema of a body with this media type: a text, or binary data. */
function bodyOfType(type: string) {
  const isText = type.startsWith('text/') || type.endsWith('json')
  return { type: 'string' as const, ...(!isText && { format: 'binary' }) }
}

/** Returns the OpenAPI response of one answer: JSON with its schema, or raw bytes with their media type. */
export function toResponse(contract: ResponseContract): ZodOpenApiResponseObject {
  const { description, schema, contentType, otherTypes = [], headers } = contract
  const headerObjects = Object.entries(headers ?? {}).map(([name, text]) => [
    name,
    { description: text, schema: { type: 'string' as const } },
  ])
  return {
    description,
    ...(schema && {
      content: {
        'application/json': { schema },
        ...Object.fromEntries(otherTypes.map((type) => [type, { schema: bodyOfType(type) }])),
      },
    }),
    ...(contentType !== undefined && { content: { [contentType]: { schema: {} } } }),
    ...(headerObjects.length > 0 && { headers: Object.fromEntries(headerObjects) }),
  }
}

function routeErrors(route: RouteContract) {
  const errorContracts = Object.entries(route.responses).filter(([status]) => isErrorStatus(Number(status)))
  const descriptions = Object.fromEntries(errorContracts.map(([status, { description }]) => [status, description]))
  // A route without parameters refuses unknown ones under strict handling.
  const statuses = new Set<ErrorStatus>([400, 429, 500, 503])
  if (route.body) for (const status of [408, 413, 415] as const) statuses.add(status)
  // 401: the end of a read identity is past or too far ahead.
  if (readsCredential(route, 'identity')) statuses.add(401)
  for (const [status] of errorContracts) statuses.add(Number(status) as ErrorStatus)
  return errorResponses(
    [...statuses].sort((a, b) => a - b),
    [...(route.reasons ?? []), ...(route.inputReason ? [route.inputReason] : []), 'unclassified'],
    { family: 'Error', descriptions },
  )
}

function isErrorStatus(status: number): status is ErrorStatus {
  return status in errorCodes
}
