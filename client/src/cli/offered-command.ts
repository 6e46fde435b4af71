import { taskWrites } from './task-writes.ts'

/** Matches a full task id: 0x and 64 hex digits. */
export const TASK_ID = /^0x[0-9a-fA-F]{64}$/
/**
 * Matches one of the placeholders in a command that the service offers. The user replaces each placeholder by a value.
 */
const PLACEHOLDER =
  '<(?:worker|share|submissionId|usdc|rank|0-100|pitchId|type|path|data|text|value|(?:approve|reject|partial)(?:\\|(?:approve|reject|partial))*)>'
/**
 * Matches option values that consist of plain words and placeholders, joined by colons. In such a value, only the
 * placeholders contain characters that a shell interprets.
 */
const VALUE = new RegExp(`^(?:[0-9A-Za-z_.]|[:-]|${PLACEHOLDER}|\\[:<submissionId>\\])+$`)

/**
 * Options whose value only the user may choose: a local file, an evaluator or a dispute resolver. The service may offer
 * only a placeholder for such a value.
 */
const PERSONAL = new Set(['--file', '--evaluator', '--resolver'])
const WHOLE_PLACEHOLDER = new RegExp(`^${PLACEHOLDER}$`)

/**
 * A function that parses the value of an option, in the same way as the command itself does.
 * @throws InvalidArgumentError
 */
type Parser = (text: string, before: never) => unknown

interface OwnCommand {
  /** The parsers of the command's own options, by option name; undefined for an option whose value is not parsed. */
  options: ReadonlyMap<string, Parser | undefined>
  required: readonly string[]
}

const nameOf = (flags: string) => flags.split(' ')[0] ?? ''

/**
 * The commands below `task` that the service may offer, by name. `options` contains only the command's own options, and
 * not the options that every write has, such as `--again`.
 */
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
 * Checks a command that the untrusted service offers for a task. The tool prints a command only after this check,
 * because users type the commands that the tool prints.
 *
 * Accepts only this tool's commands for this task, with plain values for the command's own options. Refuses all other
 * options, such as `--url`. An option for a file, an evaluator or a dispute resolver may contain only a placeholder,
 * such as `<file>`.
 *
 * Example: `task accept 0xab... --worker <worker>`.
 * @returns the command; null for any other text
 */
export function readOfferedCommand(commandText: unknown, taskId: string): string | null {
  if (typeof commandText !== 'string' || commandText.length > 1_000 || !TASK_ID.test(taskId)) return null
  const [group, name = '', id = '', ...words] = commandText.split(' ')
  const ownCommand = ownCommands.get(name)
  if (group !== 'task' || ownCommand === undefined || id.toLowerCase() !== taskId.toLowerCase()) return null
  const options = words.filter((_, at) => at % 2 === 0)
  const values = words.filter((_, at) => at % 2 === 1)
  const isOption = (word: string) => ownCommand.options.has(word) || (name === 'update' && word === '--<field>')
  const isValue = (word: string, option = '') =>
    VALUE.test(word) &&
    !word.startsWith('-') &&
    (!PERSONAL.has(option) || WHOLE_PLACEHOLDER.test(word)) &&
    isReadable(word, ownCommand.options.get(option))
  const isOwn =
    options.length === values.length &&
    options.every(isOption) &&
    values.every((value, at) => isValue(value, options[at])) &&
    ownCommand.required.every((word) => options.includes(word))
  return isOwn ? commandText : null
}

/**
 * Reports whether a command's parser accepts the argument value. A value that contains a placeholder (`<...>`) counts
 * as accepted.
 */
function isReadable(value: string, parse: Parser | undefined): boolean {
  if (parse === undefined || value.includes('<')) return true
  try {
    parse(value, undefined as never)
    return true
  } catch {
    return false
  }
}
