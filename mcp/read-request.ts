import { type ArgumentProblem, type ArgumentSchema, findArgumentProblem } from './judge-arguments.ts'

/** A GET route of the API that is offered as a tool. */
export interface ReadOperation {
  /** Full path of the route, with its parameters in braces: `/api/tasks/{taskId}`. */
  path: string
  /** Names of the arguments that are part of the path. All other arguments become query parameters. */
  pathArguments: readonly string[]
  inputSchema: ArgumentSchema
}

/** The request for a tool call; or, if an argument is invalid, this argument and no request. */
export type ReadRequest =
  | { ok: true; pathAndQuery: string; inPath: Record<string, string> }
  | ({ ok: false } & ArgumentProblem)

/**
 * Converts the arguments of a tool call to the request of the tool's API route. Both MCP servers use this function, so
 * that both treat arguments in the same way.
 *
 * Example: `{tags: ['a', 'b'], limit: 5}` for the route `/api/tasks` gives `/api/tasks?tags=a&tags=b&limit=5`.
 */
export function toReadRequest(operation: ReadOperation, toolArguments: Readonly<Record<string, unknown>>): ReadRequest {
  const { path, pathArguments, inputSchema } = operation
  const problem = findArgumentProblem(inputSchema, toolArguments)
  if (problem !== null) return { ok: false, ...problem }
  const inPath: Record<string, string> = {}
  const query = new URLSearchParams()
  for (const [argument, value] of Object.entries(toolArguments)) {
    if (pathArguments.includes(argument)) {
      // An empty segment or one of dots would lead to another route.
      if (/^\.{0,2}$/.test(String(value))) return { ok: false, argument, message: `${argument} is no id.` }
      inPath[argument] = String(value)
      continue
    }
    // A repeated parameter preserves tags with commas, which the route takes as one tag or as several.
    for (const part of Array.isArray(value) ? value : [value]) query.append(argument, String(part))
  }
  const missingName = pathArguments.find((name) => inPath[name] === undefined)
  if (missingName !== undefined) return { ok: false, argument: missingName, message: `${missingName} is needed.` }
  const filledPath = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ''))
  return { ok: true, pathAndQuery: query.size === 0 ? filledPath : `${filledPath}?${query}`, inPath }
}
