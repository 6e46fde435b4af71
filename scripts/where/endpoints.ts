import type { Declaration } from './declarations.ts'
import { entryOf } from './entries.ts'
import { detailsOf } from './refusals.ts'
import { admission, rulesOf } from './rules.ts'
import { fieldOf, type Sources } from './sources.ts'

/** An operation of the HTTP API. */
export interface Endpoint {
  /** Method and path. Example: `POST /tasks/{taskId}/accept`. */
  title: string
  method: string
  /** Path without the leading `/api`. */
  path: string
  operationId: string
  summary: string
  /** The declaration of the endpoint in the code; absent if it was not found. */
  declaration?: Declaration
  /** The operation's entry in the table of operations; absent if the operation relays nothing. */
  entry?: Declaration
  /** The rules of the rule table that allow the operation's action. */
  rules: readonly Declaration[]
  /** Returns the details of errors with which the operation can answer, without those that every request can have. */
  details(): string[]
}

interface Document {
  paths: Record<string, Record<string, { operationId?: string; summary?: string }>>
}

/**
 * Matches the files with the rules for actions. A read lists the possible actions, but never refuses because of these
 * rules.
 */
const offers = /^api\/domain\/actions\//

const endpointsBySources = new WeakMap<Sources, Endpoint[]>()

/**
 * Lists the operations of `openapi.json`. `npm run check` makes sure that this file has the same operations as the
 * service.
 */
export function listEndpoints(sources: Sources): Endpoint[] {
  const endpoints = endpointsBySources.get(sources) ?? readEndpoints(sources)
  endpointsBySources.set(sources, endpoints)
  return endpoints
}

function readEndpoints(sources: Sources): Endpoint[] {
  const { code, declarations } = sources
  const { paths } = JSON.parse(code.textOf(code.paths.find((path) => path.endsWith('/openapi.json')) ?? '')) as Document
  const features = code.paths
    .filter((path) => /^api\/(features|server)\/.*[.]ts$/.test(path))
    .flatMap((path) => declarations.in(path))
    .filter(({ text }) => /^export /.test(text))
  const writes = new Map(
    features.flatMap((declaration) => {
      const localName = /\bdefineWrite\((\w+)/.exec(declaration.text)?.[1]
      const entry = localName === undefined ? undefined : declarations.resolve(declaration.path, localName)
      return entry === undefined ? [] : [[entry, declaration] as const]
    }),
  )
  const entries = entryOf(sources, () => true)
  return Object.entries(paths).flatMap(([fullPath, operations]) =>
    Object.entries(operations).flatMap(([method, { operationId, summary = '' }]) => {
      if (operationId === undefined) return []
      const path = fullPath.replace(/^\/api(?=\/)/, '')
      const entry = entries.find(({ text }) => fieldOf(text, 'operationId') === operationId)
      const declaration = entry === undefined ? findRead(features, { operationId, path }) : writes.get(entry)
      const action = entry && fieldOf(entry.text, 'action')
      const rules = action === undefined ? [] : rulesOf(sources, action)
      const roots = [declaration, entry, ...rules, ...(rules.length > 0 ? admission(sources) : [])].filter(
        (root) => root !== undefined,
      )
      return [
        {
          title: `${method.toUpperCase()} ${path}`,
          method: method.toUpperCase(),
          path,
          operationId,
          summary,
          ...(declaration && { declaration }),
          ...(entry && { entry }),
          rules,
          details: () => detailsOf(sources, roots, method === 'get' ? offers : undefined),
        },
      ]
    }),
  )
}

/**
 * Finds the declaration of a read. Usually the declaration contains the read's operation id. If one function declares
 * several routes, it contains the path.
 */
function findRead(features: readonly Declaration[], { operationId, path }: { operationId: string; path: string }) {
  return (
    features.find(({ text }) => new RegExp(`operationId: '${operationId}'`).test(text)) ??
    features.find(({ text }) => text.includes(`'${path}'`))
  )
}
