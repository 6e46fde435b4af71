import type { Context } from 'hono'
import { parseToolset, type Toolset, toolsets } from '../../mcp/toolsets.ts'
import { findNearest } from '../../protocol/text/find-nearest.ts'

/** Options that a client chooses in the URL of the endpoint. */
export interface McpOptions {
  /** The tools that are listed. */
  toolset: Toolset
  /** Tools have output schemas, and answers have structured content. */
  isStructured: boolean
}

const PARAMETERS = ['tools', 'structured']

/** Reads `?tools=` and `?structured=1`; a sentence: what is wrong with them. Example: `/mcp?tools=analyst`. */
export function readOptions(c: Context): McpOptions | string {
  const unknown = Object.keys(c.req.query()).find((name) => !PARAMETERS.includes(name))
  if (unknown !== undefined) {
    const nearest = findNearest(unknown, PARAMETERS)
    return `There is no parameter ${unknown.slice(0, 100)}; ${nearest === null ? 'tools and structured are known.' : `did you mean ${nearest}?`}`
  }
  const repeated = PARAMETERS.find((name) => (c.req.queries(name)?.length ?? 0) > 1)
  if (repeated !== undefined) return `${repeated} is given more than once.`
  const { tools = 'default', structured = '0' } = c.req.query()
  const toolset = parseToolset(tools)
  if (toolset === null) return `tools must be one of ${toolsets.join(', ')}.`
  if (structured !== '0' && structured !== '1') return 'structured must be 0 or 1.'
  return { toolset, isStructured: structured === '1' }
}
