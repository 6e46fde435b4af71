import { BaseError } from 'viem'

/**
 * Describes an error in one line. The line does not contain the URL of a node. For an `AggregateError` the first of its
 * errors is described, and for an error with a cause the cause.
 */
export function describeFailure(error: unknown): string {
  if (error instanceof BaseError) return error.details || error.shortMessage
  if (error instanceof AggregateError && error.errors.length > 0) return describeFailure(error.errors[0])
  if (!(error instanceof Error)) return String(error)
  if (error.cause instanceof Error) return describeFailure(error.cause)
  return (error.message || error.name).split('\n')[0] ?? error.name
}
