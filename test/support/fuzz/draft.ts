import type { Actor } from '../actors.ts'

/** A request before it is spoiled and sent. */
export interface Draft {
  /** Of the path, as they are: what needs encoding is encoded when sent. */
  params: Record<string, string>
  query: [string, string][]
  headers: Record<string, string>
  /** Undefined: none. */
  body: unknown
  /** Who pays when there is something to pay; null: nobody. */
  payer: Actor | null
}

/** What goes over the wire. */
export interface WireRequest {
  method: string
  /** Path and query. */
  target: string
  headers: Record<string, string>
  body?: string | Uint8Array<ArrayBuffer>
}
