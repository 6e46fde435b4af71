import { escapeHidden } from '../api/text/escape-hidden.ts'
import { createRedact } from '../api/text/redact.ts'
import { listUnknownNames } from './read-settings.ts'
import { describeRefusal } from './start-problems.ts'
import type { Program } from './table.ts'

/** pino's numbers of the levels. */
const levels = { warn: 40, fatal: 60 } as const
const redact = createRedact([])

/**
 * Ends a program that cannot start, with 1 and one line of JSON: `msg` is `start refused`, `setting` the name of the setting that
 * is the reason, `problem` what is wrong with it. Secrets are not in it.
 */
export function refuseStart(program: Program, error: unknown): never {
  printLine('fatal', { program, ...describeRefusal(error), msg: 'start refused' })
  process.exit(1)
}

/** Prints a line with names of the environment that are no setting, where there are any: one of them may be misspelt. */
export function warnOfUnknownNames(program: Program): void {
  const names = listUnknownNames(process.env)
  if (names.length > 0) printLine('warn', { program, names, msg: 'unknown environment variables' })
}

function printLine(level: keyof typeof levels, facts: object): void {
  console.log(escapeHidden(redact(JSON.stringify({ level: levels[level], time: Date.now(), ...facts }))))
}
