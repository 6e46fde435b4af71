import { existsSync, readFileSync } from 'node:fs'

/** A program of util-linux, which every distribution has; Node itself cannot choose processors. */
export const TASKSET = '/usr/bin/taskset'

/**
 * The processors for work that strangers choose: all that this process may use but the first, which stays free for the
 * service, its database and a replay. The lowest priority alone does not keep it free: what runs keeps a processor for some
 * milliseconds.
 * @returns a list for `taskset --cpu-list`, such as `1-3`; null where there is one processor, or no Linux
 */
export function processorsOfStrangers(): string | null {
  if (!existsSync(TASKSET)) return null
  const allowed = /^Cpus_allowed_list:\s*(\S+)$/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]
  return allowed === undefined ? null : withoutFirst(allowed)
}

/** Example: of `0-3,8` it is `1-3,8`, of `2,5` it is `5`, of `0` null. */
export function withoutFirst(list: string): string | null {
  const [first = '', ...others] = list.split(',')
  const [low = Number.NaN, high = low] = first.split('-').map(Number)
  const rest = low < high ? [low + 1 < high ? `${low + 1}-${high}` : `${high}`, ...others] : others
  return rest.length === 0 ? null : rest.join(',')
}

/**
 * A command that runs another one there, at the lowest priority. All of its threads: what is set of a process that runs holds
 * for one.
 */
export function atLowestShare(command: string, args: readonly string[]): { command: string; args: string[] } {
  const processors = processorsOfStrangers()
  const niced = ['nice', '-n', '19', command, ...args]
  const [program = '', ...rest] = processors === null ? niced : [TASKSET, '--cpu-list', processors, ...niced]
  return { command: program, args: rest }
}
