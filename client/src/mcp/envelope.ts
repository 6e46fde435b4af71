import type { CallToolResult } from '@modelcontextprotocol/server'
import { wrapAnswer, wrapRefusal } from '../../../mcp/envelope.ts'
import { cleanValue } from './clean.ts'

/**
 * Puts the return data of a write tool into a tool result. Example:
 * `inEnvelope({ kind: 'completed' }, { isStructured: false })`.
 */
export function inEnvelope(data: unknown, { isStructured }: { isStructured: boolean }): CallToolResult {
  return wrapAnswer(cleanValue(data), { isStructured, toText: toJsonText }).result
}

/** Puts the refusal of a write into a tool result. */
export function refused(refusal: unknown): CallToolResult {
  return wrapRefusal(cleanValue(refusal), { toText: toJsonText })
}

/**
 * Returns the value as JSON in which `<` is escaped: a model cannot mistake a text for a tag. The caller must already
 * have removed hidden characters.
 */
export function toJsonText(value: unknown): string {
  return JSON.stringify(value).replaceAll('<', '\\u003c')
}
