import { BaseError } from 'viem'

/** Describes an error without the URL of a node, because the URL may contain a key. */
export function describeError(error: unknown): string {
  if (error instanceof BaseError) return error.details || error.shortMessage
  return error instanceof Error ? error.message : String(error)
}
