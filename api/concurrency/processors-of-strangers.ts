import { existsSync, readFileSync } from 'node:fs'

/**
 * The path of the program `taskset` of util-linux, which every Linux distribution has. Node itself cannot choose
 * processors.
 */
export const TASKSET = '/usr/bin/taskset'

/**
 * Returns the processors for work on untrusted input: all processors except the first. The first processor is left to
 * the service and its database. A low priority is not enough, because a running thread keeps its processor for some
 * milliseconds.
 * @returns a list for `taskset --cpu-list`, such as `1-3`; null with only one processor, or without `taskset`
 */
export function processorsOfStrangers(): string | null {
  if (!existsSync(TASKSET)) return null
  const allowedList = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return allowedList === undefined ? null : withoutFirst(allowedList)
}

/**
 * Removes the first processor from a list of processors. Returns null if the list becomes empty. Example:
 * `withoutFirst('0-3,8')` returns `'1-3,8'`.
 */
export function withoutFirst(list: string): string | null {
  const [first = '', ...others] = list.split(',')
  const [low = Number.NaN, high = low] = first.split('-').map(Number)
  const otherProcessors = low < high ? [low + 1 < high ? `${low + 1}-${high}` : `${high}`, ...others] : others
  return otherProcessors.length === 0 ? null : otherProcessors.join(',')
}

/**
 * Returns the command that runs a program on the processors of `processorsOfStrangers`, at the lowest priority. The
 * processors and the priority apply to all threads, because they are set before the program starts.
 */
export function atLowestShare(command: string, args: readonly string[]): { command: string; args: string[] } {
  const processors = processorsOfStrangers()
  const niced = ['nice', '-n', '19', command, ...args]
  const [program = '', ...programArgs] = processors === null ? niced : [TASKSET, '--cpu-list', processors, ...niced]
  return { command: program, args: programArgs }
}
