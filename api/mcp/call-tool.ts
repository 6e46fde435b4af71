import type { CallToolResult } from '@modelcontextprotocol/server'
import { errorBody } from '../errors/render-error.ts'
import { ServiceError } from '../errors/service-error.ts'
import { toJsonText } from '../text/json-text.ts'
import { inEnvelope, refused } from './envelope.ts'
import { readNextPages } from './next-pages.ts'
import type { ReadTool } from './read-tools.ts'

/** What a call may do with the service. */
export interface ToolCaller {
  /** Answers a GET as an anonymous caller's, under its rate limit: a path with its query, from the root. */
  answerRead: (pathAndQuery: string) => Promise<Response>
  /**
   * Counts a call that comes to no request.
   * @throws ServiceError 429 when nothing is left
   */
  countRead: () => Promise<void>
  /** The origin of `service.docs` in errors. */
  publicBaseUrl: string
}

type Scalar = string | number | boolean

/**
 * Calls a tool: the request of its route, with nothing of the caller but the arguments. The route counts it under its
 * rate limit, parses it and answers it; an argument that the route does not have is refused.
 */
export async function callTool(
  tool: ReadTool,
  given: Readonly<Record<string, unknown>>,
  { answerRead, countRead, publicBaseUrl }: ToolCaller,
): Promise<CallToolResult> {
  const target = toTarget(tool, given)
  if (target instanceof ServiceError) {
    await countRead()
    return refused(toJsonText(errorBody(target, publicBaseUrl)))
  }
  const answer = await answerRead(target.pathAndQuery)
  const json = await answer.text()
  if (!answer.ok) return refused(json)
  return inEnvelope(json, readNextPages(answer.headers.get('link'), { fixed: target.inPath, numbers: tool.numbers }))
}

interface Target {
  pathAndQuery: string
  inPath: Record<string, string>
}

function toTarget({ path, pathArguments }: ReadTool, given: Readonly<Record<string, unknown>>): Target | ServiceError {
  const inPath: Record<string, string> = {}
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(given)) {
    if (value === null || value === undefined) continue
    const values = Array.isArray(value) ? value : [value]
    if (!values.every(isScalar)) return wrong(`${name} must be a text, a number, a boolean or a list of those.`)
    if (!pathArguments.includes(name)) for (const part of values) query.append(name, String(part))
    else if (values.length === 1) inPath[name] = String(values[0])
  }
  const missing = pathArguments.find((name) => inPath[name] === undefined)
  if (missing !== undefined) return wrong(`${missing} is needed: one value.`)
  // Half a surrogate pair is no text that a URL can carry.
  if (Object.values(inPath).some((id) => /\p{Surrogate}/u.test(id))) return wrong('An argument is no id.')
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(inPath[name] ?? ''))
  // A path of dots would be that of another route.
  if (filled.split('/').some((part) => part === '.' || part === '..')) return wrong('An argument is no id.')
  return { pathAndQuery: query.size === 0 ? filled : `${filled}?${query}`, inPath }
}

function isScalar(value: unknown): value is Scalar {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

function wrong(message: string): ServiceError {
  return new ServiceError(400, 'unclassified', message)
}
