import type { CallToolResult } from '@modelcontextprotocol/server'
import { callRead } from '../../mcp/call-read.ts'
import { toJsonText } from '../text/json-text.ts'
import type { ReadTool } from './read-tools.ts'

/** The functions and settings that a tool call needs from the service. */
export interface ToolCaller {
  /**
   * Answers a GET request as if an anonymous caller had sent it. The request counts in the rate limit of the MCP
   * client. The argument is the path with its query.
   */
  answerRead: (pathAndQuery: string) => Promise<Response>
  /**
   * Consumes a unit of the rate limit, for a call that causes no GET request.
   * @throws ServiceError 429 when the rate limit is used up
   */
  countRead: () => Promise<void>
  /** True if answers have structured content besides text. */
  isStructured: boolean
  /**
   * The public origin of the service. In errors, the link to the documentation (`service.docs`) begins with this
   * origin.
   */
  publicBaseUrl: string
}

/**
 * Calls a tool: sends the GET request of the tool's route. The request contains only the arguments of the call. The
 * rate limit of the route applies. A refusal names the unknown or invalid argument.
 */
export async function callTool(
  { operation }: ReadTool,
  toolArguments: Readonly<Record<string, unknown>>,
  { answerRead, countRead, isStructured }: ToolCaller,
): Promise<CallToolResult> {
  let isCounted = false
  const result = await callRead(operation, toolArguments, {
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
