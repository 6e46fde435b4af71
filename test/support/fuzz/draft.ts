import type { Actor } from '../actors.ts'

/** A request before mutations and encoding. */
export interface Draft {
  /** Path parameters, not encoded: encoded when sent. */
  params: Record<string, string>
  query: [string, string][]
  headers: Record<string, string>
  /** Undefined: none. */
  body: unknown
  /** The payer of a paid request; null: none. */
  payer: Actor | null
}

/** The request as sent. */
export interface WireRequest {
  method: string
  /** Path and query. */
  target: string
  headers: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}
