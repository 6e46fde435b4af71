import type { Declaration } from './declarations.ts'
import { entryOf } from './entries.ts'
import { detailsOf } from './refusals.ts'
import { admission, rulesOf } from './rules.ts'
import { fieldOf, type Sources } from './sources.ts'

/** An operation of the HTTP interface. */
export interface Endpoint {
  /** Example: `POST /tasks/{taskId}/accept`. */
  title: string
  method: string
  /** Below `/api`. */
  path: string
  operationId: string
  summary: string
  /** The declaration of the endpoint; absent: it was not found. */
  declaration?: Declaration
  /** The entry of the table of operations; absent: the operation relays nothing. */
  entry?: Declaration
  /** Rows of the rule table that admit it. */
  rules: readonly Declaration[]
  /** Details of errors that it can answer with, besides those of every request. */
  details(): string[]
}

interface Document {
  paths: Record<string, Record<string, { operationId?: string; summary?: string }>>
}

/** A read that lists actions refuses none. */
const offers = /^api\/domain\/actions\//

const endpointsBySources = new WeakMap<Sources, Endpoint[]>()

/** Lists the operations of `openapi.json`, which the check compares with the routes of the service. */
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

/** A route names its operation; one of a function that makes several names its path. */
function findRead(features: readonly Declaration[], { operationId, path }: { operationId: string; path: string }) {
  return (
    features.find(({ text }) => new RegExp(`operationId: '${operationId}'`).test(text)) ??
    features.find(({ text }) => text.includes(`'${path}'`))
  )
}
