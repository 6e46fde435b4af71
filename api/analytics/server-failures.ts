import { DatabaseError } from 'pg'
import { type FailureKind, QueryFailed, timedOut } from './query-failure.ts'

/** Matches SQL states that are faults of the query: syntax and names, data, cardinality, unsupported features. */
const ABOUT_THE_QUERY = /^(42|22|21|0A|2F|3F|54)/
/** Matches SQL states of exhausted memory, temporary files or disk space. */
const TOO_MUCH = /^(53100|53200|53400)$/
/** Matches SQL states of a conflict with the replay of the primary's writes, or of a dropped database. */
const REPLAY_CONFLICT = /^(40001|40P01|57P04)$/
const MAX_MESSAGE_LENGTH = 300

/** Facts about the statement that failed. */
interface Asked {
  /**
   * The number of characters of the statement that stand before the client's query, such as `EXPLAIN ... `. The
   * position in an error of the server counts these characters too.
   */
  prefixLength: number
  deadlineMs: number
}

/** Converts an error of the server or of the connection to a failure for the client. */
export function toQueryFailure(error: unknown, question: Asked): QueryFailed {
  if (error instanceof QueryFailed) return error
  if (error instanceof DatabaseError) return fromServer(error, question)
  const cause = error instanceof Error ? `${error.name} ${'code' in error ? error.code : error.message}` : ''
  return failed('unavailable', 'The read model cannot be reached now; try again shortly.', { cause })
}

function fromServer(error: DatabaseError, { prefixLength, deadlineMs }: Asked): QueryFailed {
  const code = error.code ?? ''
  if (code === '57014' || code === '25P04') return timedOut(deadlineMs)
  if (REPLAY_CONFLICT.test(code)) {
    return failed('unavailable', 'The rows of this query were replaced while it ran; send it again.')
  }
  if (code === '55P03')
    return failed('unavailable', 'The query waited too long for a table that is being replaced; send it again.')
  if (code === '54001' && error.message.startsWith('stack depth')) {
    return failed('limit', 'The query is nested too deeply; write it in fewer levels.')
  }
  if (TOO_MUCH.test(code))
    return failed('limit', 'The query takes more memory or temporary space than a query may have.')
  if (code === '25006') return failed('refused', 'The query writes or locks; SQL only reads here.')
  if (code === '42501') {
    return failed('refused', 'The query reads or calls what a reader may not; docs/build/tables.md lists the tables.')
  }
  if (!ABOUT_THE_QUERY.test(code)) {
    // Shutdown, too many connections, a wrong password, an internal error: the client cannot fix these.
    return failed('unavailable', 'The query could not be run now; try again shortly.', {
      cause: `DatabaseError ${code}`,
    })
  }
  const place = error.position === undefined ? 0 : Number(error.position) - prefixLength
  const hint = error.hint === undefined ? '' : ` ${error.hint}`
  const { message } = error
  const sentence = `${message.charAt(0).toUpperCase()}${message.slice(1)}.${hint}`
  return failed('syntax', printable(sentence), { position: place > 0 ? place : null })
}

function failed(kind: FailureKind, message: string, facts: { position?: number | null; cause?: string } = {}) {
  return new QueryFailed({ kind, message, ...facts })
}

/** Replaces control and direction characters, because the server's messages repeat words of the query. */
function printable(message: string): string {
  return message.replace(/[\p{Cc}\p{Cf}\p{Cs}]/gu, '?').slice(0, MAX_MESSAGE_LENGTH)
}
