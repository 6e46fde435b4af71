import type { Logger } from 'pino'
import type { RefusalLines } from '../../analytics/refusal-lines.ts'
import type { ServiceError } from '../../errors/service-error.ts'

/** One line for a query that cannot be run now, without a stack: the query is refused, and the service works. */
export function logRefusal(failure: unknown, { log, lines }: { log: Logger; lines: RefusalLines }): void {
  if (!isRefusal(failure)) return
  const count = lines.due(failure.message)
  if (count !== null) log.warn({ refusal: failure.message, cause: causeOf(failure), count }, 'query refused')
}

function isRefusal(failure: unknown): failure is ServiceError {
  return failure instanceof Error && 'options' in failure && (failure as ServiceError).options.isRefusal === true
}

/** Type and code: a message of the server may contain words of the query. */
function causeOf({ cause }: Error): string | undefined {
  if (!(cause instanceof Error)) return undefined
  return 'code' in cause ? `${cause.name} ${String(cause.code)}` : cause.name
}
