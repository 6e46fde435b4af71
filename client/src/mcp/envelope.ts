import type { CallToolResult } from '@modelcontextprotocol/server'
import { wrapAnswer, wrapRefusal } from '../../../mcp/envelope.ts'
import { cleanValue } from './clean.ts'

/** Wraps the answer of a write tool. Example: `inEnvelope({ kind: 'completed' }, { isStructured: false })`. */
export function inEnvelope(data: unknown, { isStructured }: { isStructured: boolean }): CallToolResult {
  return wrapAnswer(cleanValue(data), { isStructured, toText: toJsonText }).result
}

/** Wraps a refusal of a write tool. */
export function refused(refusal: unknown): CallToolResult {
  return wrapRefusal(cleanValue(refusal), { toText: toJsonText })
}

/** Returns JSON with `<` escaped, so that no reader takes it for a tag. The value must be clean. */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
