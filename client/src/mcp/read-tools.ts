import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import { callRead } from '../../../mcp/call-read.ts'
import { envelopeSchema } from '../../../mcp/envelope.ts'
import type { ClientContext } from '../context.ts'
import { isListPath, pageShapeOf } from '../http/row-shapes.ts'
import { anyOrNullShape } from '../http/shapes.ts'
import { readJson } from '../reads/read-json.ts'
import { catalogue } from './catalogue.ts'
import { cleanValue } from './clean.ts'
import { toJsonText } from './envelope.ts'
import type { ReadTool } from './tool-types.ts'

/** Lists the read tools with their input and output schemas. */
export function listReadTools(): Tool[] {
  return catalogue.reads.map(({ name, title, description, inputSchema, answer, definitions }) => ({
    name,
    title,
    description,
    inputSchema,
    outputSchema: envelopeSchema(
      answer,
      Object.fromEntries(definitions.map((schemaName) => [schemaName, catalogue.schemas[schemaName] ?? {}])),
    ),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  }))
}

export function findReadTool(name: string): ReadTool | undefined {
  return catalogue.reads.find((tool) => tool.name === name)
}

/** Calls a read tool. The request contains the wallet's read identity: headers that prove which wallet reads. */
export async function callReadTool(
  context: ClientContext,
  { tool, isStructured }: { tool: ReadTool; isStructured: boolean },
  toolArguments: Record<string, unknown>,
): Promise<CallToolResult> {
  const shape = isListPath(tool.path) ? pageShapeOf(tool.path) : anyOrNullShape
  return await callRead(tool, toolArguments, {
    isStructured,
    toText: toJsonText,
    request: async (pathAndQuery) => {
      const answer = await readJson(context, pathAndQuery, {}, shape)
      return answer.ok
        ? { ok: true, data: cleanValue(answer.body), link: answer.headers.get('link') }
        : { ok: false, refusal: cleanValue(answer.body ?? { error: answer.message }) }
    },
  })
}
