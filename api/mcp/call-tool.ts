import type { CallToolResult } from '@modelcontextprotocol/server'
import { callRead } from '../../mcp/call-read.ts'
import { toJsonText } from '../text/json-text.ts'
import type { ReadTool } from './read-tools.ts'

/** The access of a tool call to the service. */
export interface ToolCaller {
  /** Answers a GET as an anonymous caller's, under its rate limit: a path with its query, from the root. */
  answerRead: (pathAndQuery: string) => Promise<Response>
  /**
   * Counts a call that leads to no request.
   * @throws ServiceError 429 when nothing is left
   */
  countRead: () => Promise<void>
  /** True if answers carry structured content. */
  isStructured: boolean
  /** The origin of `service.docs` in errors. */
  publicBaseUrl: string
}

/**
 * Calls a tool: sends the request of its route with the arguments and no other data of the caller. The route applies
 * its rate limit; an unknown or invalid argument is refused by name.
 */
export async function callTool(
  { operation }: ReadTool,
  given: Readonly<Record<string, unknown>>,
  { answerRead, countRead, isStructured }: ToolCaller,
): Promise<CallToolResult> {
  let isCounted = false
  const result = await callRead(operation, given, {
    isStructured,
    toText: toJsonText,
    request: async (pathAndQuery) => {
      isCounted = true
      const answer = await answerRead(pathAndQuery)
      const body = (await answer.json()) as unknown
      return answer.ok ? { ok: true, data: body, link: answer.headers.get('link') } : { ok: false, refusal: body }
    },
  })
  if (!isCounted) await countRead()
  return result
}
