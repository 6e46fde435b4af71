import { type ArgumentProblem, type ArgumentSchema, findArgumentProblem } from './judge-arguments.ts'

/** A GET of the service as a tool, with the positions of its arguments. */
export interface ReadOperation {
  /** Path of the route from the root, with braces: `/api/tasks/{taskId}`. */
  path: string
  /** Arguments in the path; all others are query parameters. */
  pathArguments: readonly string[]
  inputSchema: ArgumentSchema
}

/** The request of a call, or the argument that prevents it. */
export type ReadRequest =
  | { ok: true; pathAndQuery: string; inPath: Record<string, string> }
  | ({ ok: false } & ArgumentProblem)

/**
 * Converts the arguments of a tool to the request of its route. Both servers use this function, so that no argument is misread or
 * ignored silently.
 *
 * Example: `{tags: ['a', 'b'], limit: 5}` of `/api/tasks` gives `/api/tasks?tags=a&tags=b&limit=5`.
 */
export function toReadRequest(operation: ReadOperation, given: Readonly<Record<string, unknown>>): ReadRequest {
  const { path, pathArguments, inputSchema } = operation
  const problem = findArgumentProblem(inputSchema, given)
  if (problem !== null) return { ok: false, ...problem }
  const inPath: Record<string, string> = {}
  const query = new URLSearchParams()
  for (const [argument, value] of Object.entries(given)) {
    if (pathArguments.includes(argument)) {
      // An empty segment or one of dots would lead to another route.
      if (/^\.{0,2}$/.test(String(value))) return { ok: false, argument, message: `${argument} is no id.` }
      inPath[argument] = String(value)
      continue
    }
    // A repeated parameter preserves tags with commas, which the route takes as one tag or as several.
    for (const part of Array.isArray(value) ? value : [value]) query.append(argument, String(part))
  }
  const missing = pathArguments.find((name) => inPath[name] === undefined)
  if (missing !== undefined) return { ok: false, argument: missing, message: `${missing} is needed.` }
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ''))
  return { ok: true, pathAndQuery: query.size === 0 ? filled : `${filled}?${query}`, inPath }
}
