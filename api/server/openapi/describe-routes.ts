import type { oas31 } from 'zod-openapi'
import { type ReadTool, readTools } from '../../mcp/read-tools.ts'
import { toJsonText } from '../../text/json-text.ts'
import { routes, writes } from '../routes.ts'
import { openApiDocument } from './document.ts'
import { readExamples } from './examples.ts'

/** The OpenAPI document and the MCP tools of all routes and writes. */
export interface RouteDescriptions {
  document: oas31.OpenAPIObject
  /** The OpenAPI document as JSON text. */
  text: string
  tools: readonly ReadTool[]
}

const descriptions = new Map<string, RouteDescriptions>()

/**
 * Describes every route and write with the recorded examples. The result is cached for each service name and chain,
 * because building it takes long (measured: 60 ms).
 */
export function describeRoutes(serviceName: string, chainId: number): RouteDescriptions {
  const key = `${chainId} ${serviceName}`
  const description = descriptions.get(key) ?? describeAll(serviceName, chainId)
  descriptions.set(key, description)
  return description
}

/**
 * Returns the OpenAPI document of every route and write. Example: `servedDocument('service',
 * 8453).paths['/api/health']`.
 */
export function servedDocument(serviceName: string, chainId: number): oas31.OpenAPIObject {
  return describeRoutes(serviceName, chainId).document
}

function describeAll(serviceName: string, chainId: number): RouteDescriptions {
  const document = openApiDocument({ routes, writes, serviceName, chainId, examples: readExamples() })
  return { document, text: toJsonText(document), tools: readTools(routes, document) }
}
