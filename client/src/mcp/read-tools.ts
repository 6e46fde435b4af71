import type { CallToolResult, Tool } from '@modelcontextprotocol/server'
import type { ClientContext } from '../context.ts'
import { readJson } from '../reads/read-json.ts'
import { catalogue } from './catalogue.ts'
import { envelopeSchema, inEnvelope, refused } from './envelope.ts'
import type { ReadTool } from './tool-types.ts'

const pages = {
  type: 'array',
  description: 'Where lists of this answer go on: arguments for the same tool. Empty at their end.',
  items: {
    type: 'object',
    properties: { part: { type: 'string' }, arguments: { type: 'object' } },
    required: ['arguments'],
  },
}

/** The reads, as the client is told of them. */
export function listReadTools(): Tool[] {
  return catalogue.reads.map(({ name, title, description, inputSchema, answer, definitions }) => ({
    name,
    title,
    description,
    inputSchema,
    outputSchema: envelopeSchema(answer, {
      definitions: Object.fromEntries(definitions.map((used) => [used, catalogue.schemas[used] ?? {}])),
      more: { nextPages: pages },
    }),
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: true },
  }))
}

export function findReadTool(name: string): ReadTool | undefined {
  return catalogue.reads.find((tool) => tool.name === name)
}

/** Calls a read, as the wallet. The arguments were judged by the tool's schema. */
export async function callReadTool(
  context: ClientContext,
  tool: ReadTool,
  given: Record<string, unknown>,
): Promise<CallToolResult> {
  const entries = Object.entries(given).filter(([, value]) => value !== null && value !== undefined)
  const inPath = Object.fromEntries(entries.filter(([name]) => tool.pathArguments.includes(name)))
  const query = entries.filter(([name]) => !tool.pathArguments.includes(name))
  const path = tool.path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(inPath[name])))
  // A path of dots would be that of another route.
  if (path.split('/').some((part) => part === '.' || part === '..')) return refused({ error: 'An argument is no id.' })
  const answer = await readJson(context, path, Object.fromEntries(query.map(([name, value]) => [name, toText(value)])))
  if (!answer.ok) return refused(answer.body ?? { error: answer.message })
  return inEnvelope(answer.body, { nextPages: readNextPages(answer.headers.get('link'), { tool, inPath }) })
}

function toText(value: unknown): string {
  return Array.isArray(value) ? value.join(',') : String(value)
}

/** Only parameters are taken of a link: where the next request goes is no matter of an answer. */
function readNextPages(
  link: string | null,
  { tool, inPath }: { tool: ReadTool; inPath: Record<string, unknown> },
): { part?: string; arguments: Record<string, unknown> }[] {
  const links = [...(link ?? '').matchAll(/<([^>]*)>; rel="next"(?:; title="([^"]*)")?/g)]
  return links.map(([, url = '', part]) => ({
    ...(part !== undefined && { part }),
    arguments: { ...inPath, ...toArguments(new URLSearchParams(url.split('?')[1]), tool) },
  }))
}

function toArguments(query: URLSearchParams, { inputSchema }: ReadTool): Record<string, string | number> {
  const known = [...query].flatMap(([name, value]) => {
    const schema = inputSchema.properties?.[name] as { type?: unknown } | undefined
    if (schema === undefined) return []
    return [[name, schema.type === 'integer' || schema.type === 'number' ? Number(value) : value] as const]
  })
  return Object.fromEntries(known)
}
