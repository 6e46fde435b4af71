import { escapeHidden } from '../api/text/escape-hidden.ts'
import { createRedact } from '../api/text/redact.ts'
import { listUnknownNames } from './read-settings.ts'
import { describeRefusal } from './start-problems.ts'
import type { Program } from './table.ts'

/** The numbers that pino uses for the log levels. */
const levels = { warn: 40, fatal: 60 } as const
const redact = createRedact([])

/**
 * Ends a program that cannot start, with exit code 1. Prints one line of JSON without secrets: `msg` is
 * `start refused`, `setting` is the invalid setting, and `problem` is the reason.
 */
export function refuseStart(program: Program, error: unknown): never {
  printLine('fatal', { program, ...describeRefusal(error), msg: 'start refused' })
  process.exit(1)
}

/**
 * Prints a warning that lists the unknown names in the environment, because one of them may be a misspelt setting.
 * Prints nothing if there are none.
 */
export function warnOfUnknownNames(program: Program): void {
  const names = listUnknownNames(process.env)
  if (names.length > 0) printLine('warn', { program, names, msg: 'unknown environment variables' })
}

function printLine(level: keyof typeof levels, facts: object): void {
  console.log(escapeHidden(redact(JSON.stringify({ level: levels[level], time: Date.now(), ...facts }))))
}
