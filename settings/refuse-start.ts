import { escapeHidden } from '../api/text/escape-hidden.ts'
import { createRedact } from '../api/text/redact.ts'
import { listUnknownNames } from './read-settings.ts'
import { describeRefusal } from './start-problems.ts'
import type { Program } from './table.ts'

/** Numbers of the log levels in pino. */
const levels = { warn: 40, fatal: 60 } as const
const redact = createRedact([])

/**
 * Ends a program that cannot start, with exit code 1 and one line of JSON without secrets: `msg` is `start refused`, `setting`
 * the invalid setting, `problem` the reason.
 */
export function refuseStart(program: Program, error: unknown): never {
  printLine('fatal', { program, ...describeRefusal(error), msg: 'start refused' })
  process.exit(1)
}

/** Prints a warning with the unknown names of the environment, if any, because one may be misspelt. */
export function warnOfUnknownNames(program: Program): void {
  const names = listUnknownNames(process.env)
  if (names.length > 0) printLine('warn', { program, names, msg: 'unknown environment variables' })
}

function printLine(level: keyof typeof levels, facts: object): void {
  console.log(escapeHidden(redact(JSON.stringify({ level: levels[level], time: Date.now(), ...facts }))))
}
