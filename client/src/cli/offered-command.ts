import { taskWrites } from './task-writes.ts'

/** A task id in full. */
export const TASK_ID = /^0x[0-9a-fA-F]{64}$/
/** Placeholders in an offered command, which the user replaces by values. */
const PLACEHOLDER =
  '<(?:worker|share|submissionId|usdc|rank|0-100|pitchId|type|path|data|text|value|(?:approve|reject|partial)(?:\\|(?:approve|reject|partial))*)>'
/** Plain words and placeholders, joined by colons. Contains nothing that a shell interprets. */
const VALUE = new RegExp(`^(?:[0-9A-Za-z_.]|[:-]|${PLACEHOLDER}|\\[:<submissionId>\\])+$`)

/** Options whose value only the user chooses: a local file, and the account that decides about the reward. */
const PERSONAL = new Set(['--file', '--evaluator', '--resolver'])
const WHOLE_PLACEHOLDER = new RegExp(`^${PLACEHOLDER}$`)

/**
 * Parses the value of an option as the command itself does.
 * @throws InvalidArgumentError
 */
type Parser = (text: string, before: never) => unknown

interface OwnCommand {
  /** Options of the command, each with one value, with the parsers of their values. */
  options: ReadonlyMap<string, Parser | undefined>
  required: readonly string[]
}

const nameOf = (flags: string) => flags.split(' ')[0] ?? ''

/** Commands that an offer may name: those of `task` that act on one task, without the options common to all writes. */
const ownCommands = new Map<string, OwnCommand>([
  ['submit', { options: new Map([['--file', undefined]]), required: ['--file'] }],
  ...taskWrites.map(({ command, required, optional }): [string, OwnCommand] => [
    command,
    {
      options: new Map([...required, ...optional].map(([flags, , parse]) => [nameOf(flags), parse])),
      required: required.map(([flags]) => nameOf(flags)),
    },
  ]),
])

/**
 * Parses a command that the service offers for a task. The service is untrusted, and users type what this tool prints. The text
 * must therefore be a command of this tool about this task, with plain values for the command's own options. Common options such
 * as `--url` and `--yes`, files and evaluators are refused.
 *
 * Example: `task accept 0xab... --worker <worker>`.
 * @returns the command; null for any other text
 */
export function readOfferedCommand(offered: unknown, taskId: string): string | null {
  if (typeof offered !== 'string' || offered.length > 1_000 || !TASK_ID.test(taskId)) return null
  const [group, name = '', id = '', ...words] = offered.split(' ')
  const own = ownCommands.get(name)
  if (group !== 'task' || own === undefined || id.toLowerCase() !== taskId.toLowerCase()) return null
  const options = words.filter((_, at) => at % 2 === 0)
  const values = words.filter((_, at) => at % 2 === 1)
  const isOption = (word: string) => own.options.has(word) || (name === 'update' && word === '--<field>')
  const isValue = (word: string, option = '') =>
    VALUE.test(word) &&
    !word.startsWith('-') &&
    (!PERSONAL.has(option) || WHOLE_PLACEHOLDER.test(word)) &&
    isReadable(word, own.options.get(option))
  const isOwn =
    options.length === values.length &&
    options.every(isOption) &&
    values.every((value, at) => isValue(value, options[at])) &&
    own.required.every((word) => options.includes(word))
  return isOwn ? offered : null
}

/** Reports whether the command would accept the value. A value with a placeholder is not parsed yet. */
function isReadable(value: string, parse: Parser | undefined): boolean {
  if (parse === undefined || value.includes('<')) return true
  try {
    parse(value, undefined as never)
    return true
  } catch {
    return false
  }
}
