import { taskWrites } from './task-writes.ts'

/** A task's id, whole. */
export const TASK_ID = /^0x[0-9a-fA-F]{64}$/
/** The placeholders that stand for values in an offered command; a person replaces them. */
const PLACEHOLDER =
  '<(?:worker|share|submissionId|usdc|rank|0-100|pitchId|type|path|data|text|value|(?:approve|reject|partial)(?:\\|(?:approve|reject|partial))*)>'
/** Plain words and placeholders, joined by colons: nothing that a shell acts on when the placeholders are replaced. */
const VALUE = new RegExp(`^(?:[0-9A-Za-z_.]|[:-]|${PLACEHOLDER}|\\[:<submissionId>\\])+$`)

/** Options whose value is the person's alone: a file of theirs, and who decides about their money. */
const PERSONAL = new Set(['--file', '--evaluator', '--resolver'])
const WHOLE_PLACEHOLDER = new RegExp(`^${PLACEHOLDER}$`)

/** Reads the value of an option as the command itself does. @throws InvalidArgumentError */
type Parser = (text: string, before: never) => unknown

interface OwnCommand {
  /** Options that it takes, each with one value, with the parsers of their values. */
  options: ReadonlyMap<string, Parser | undefined>
  required: readonly string[]
}

const nameOf = (flags: string) => flags.split(' ')[0] ?? ''

/** The commands that an offer may name: those of `task` that act on one task, without the options that all writes have. */
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
 * Reads a command that the service offers for a task. A service can put any text there, and a person types what this tool
 * prints: it is one only when it is a command of this tool about this task, with its own options and plain values. So no
 * offer has an option that every command takes, such as `--url` or `--yes`, and none names a file or an evaluator.
 *
 * Example: `task accept 0xab... --worker <worker>`.
 * @returns the command; null: another text
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

/** False: the command would refuse the value. One with a placeholder is not whole yet. */
function isReadable(value: string, parse: Parser | undefined): boolean {
  if (parse === undefined || value.includes('<')) return true
  try {
    parse(value, undefined as never)
    return true
  } catch {
    return false
  }
}
