import { existsSync, readFileSync } from 'node:fs'

/**
 * The path of the program `taskset` of util-linux, which every Linux distribution has. Node itself cannot choose
 * processors.
 */
export const TASKSET = '/usr/bin/taskset'

/**
 * Returns the processors for work on untrusted input: all but the first. The first remains free for the service, its
 * database and a replay. The lowest priority would not suffice, because a running thread keeps its processor for some
 * milliseconds.
 * @returns a list for `taskset --cpu-list`, such as `1-3`; null with only one processor, or without `taskset`
 */
export function processorsOfStrangers(): string | null {
  if (!existsSync(TASKSET)) return null
  const allowed = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return allowed === undefined ? null : withoutFirst(allowed)
}

/**
 * Returns a list of processors without the first one. Example: `withoutFirst('0-3,8')` returns `'1-3,8'`;
 * `withoutFirst('0')` returns null.
 */
export function withoutFirst(list: string): string | null {
  const [first = '', ...others] = list.split(',')
  const [low = Number.NaN, high = low] = first.split('-').map(Number)
  const otherProcessors = low < high ? [low + 1 < high ? `${low + 1}-${high}` : `${high}`, ...others] : others
  return otherProcessors.length === 0 ? null : otherProcessors.join(',')
}

/**
 * Returns the command that runs another command on the processors of `processorsOfStrangers`, at the lowest priority. A
 * command that sets the processors and the priority before the program starts reaches all threads of the program. A
 * change to a running process would reach one thread only.
 */
export function atLowestShare(command: string, args: readonly string[]): { command: string; args: string[] } {
  const processors = processorsOfStrangers()
  const niced = ['nice', '-n', '19', command, ...args]
  const [program = '', ...programArgs] = processors === null ? niced : [TASKSET, '--cpu-list', processors, ...niced]
  return { command: program, args: programArgs }
}
