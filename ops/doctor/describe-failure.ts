import { BaseError } from 'viem'

/**
 * Describes an error in one line, without the URL of a node. For an `AggregateError`, describes its first error. For an
 * error with a cause, describes the cause.
 */
export function describeFailure(error: unknown): string {
  if (error instanceof BaseError) return error.details || error.shortMessage
  if (error instanceof AggregateError && error.errors.length > 0) return describeFailure(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return describeFailure(error.cause)
  return (error.message || error.name).split('\n')[0] ?? error.name
}
