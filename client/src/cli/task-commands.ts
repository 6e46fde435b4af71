import { type Command, InvalidArgumentError, Option } from 'commander'
import { taskModes } from '../../../protocol/rules/selectors.ts'
import type { WriteInput } from '../api/write-names.ts'
import { taskOrNullShape } from '../http/shapes.ts'
import { readJson } from '../reads/read-json.ts'
import { isOpenWrite } from '../writes/is-open.ts'
import { CliError, exitOfStatus, type Io } from './io.ts'
import { type Column, printRecord, printRows } from './report.ts'
import { openClient } from './session.ts'
import { readFiles, submitFiles, toDryRunInput, toInlineInput } from './submit.ts'
import { hours, type Options, taskWrites, whole, wideOption } from './task-writes.ts'
import { toUnits } from './usdc.ts'
import { addWriteOptions, confirmAndRun, performWrite, toWriteOptions } from './write-command.ts'

const COLUMNS: Column[] = [
  'id',
  'mode',
  'status',
  { field: 'reward', unit: 'usdc' },
  { field: 'expiryTime', as: 'expires' },
  'description',
]

/**
 * Adds the commands `task ...`: creating and reading tasks, and every command that the API field `pendingActions` can
 * contain.
 */
export function addTaskCommands(program: Command, io: Io): void {
  const task = program.command('task').description('tasks: read, create and act')
  addReads(task, io)
  addSubmissions(task, io)
  addCreation(task, io)
  for (const { command: name, summary, write, required, optional, input } of taskWrites) {
    const command = addWriteOptions(task.command(`${name} <taskId>`).description(summary))
    for (const [rows, isMandatory] of [
      [required, true],
      [optional, false],
    ] as const) {
      for (const [flags, about, parse] of rows) {
        const option = new Option(flags, about).makeOptionMandatory(isMandatory)
        command.addOption(parse === undefined ? option : option.argParser(guarded(parse) as never))
      }
    }
    command.action((taskId: string, _: Options, self: Command) => {
      const options = self.optsWithGlobals()
      return performWrite(io, options, { name: write, input: input(taskId, options) })
    })
  }
  addWriteOptions(task.command('submit <taskId>').description('deliver files'))
    .requiredOption('--file <path...>', 'a file; may be repeated')
    .action(async (taskId: string, _: Options, self: Command) => {
      const options = self.optsWithGlobals()
      const client = await openClient(io, options, { needsAccount: true })
      const files = await readFiles(options.file)
      const inline = toInlineInput(taskId, files)
      const { limits, key, again } = toWriteOptions(options)
      await confirmAndRun(io, options, {
        isOpen: async () =>
          inline !== null && (await isOpenWrite(client.context, 'createSubmission', { input: inline, key, again })),
        preview: () =>
          client.preview('createSubmission', toDryRunInput(taskId, files), { ...(limits !== undefined && { limits }) }),
        asked: { name: 'createSubmission', input: { taskId } },
        run: (writeOptions) => submitFiles(io, client, { taskId, files, options: writeOptions }),
      })
    })
}

function addReads(task: Command, io: Io): void {
  task
    .command('list')
    .description('tasks, newest first')
    .option('--status <status>')
    .option('--mode <mode>')
    .option('--tag <tag...>')
    .option('--search <text>', 'in descriptions and tags')
    .option('--limit <count>', 'how many at most', whole, 20)
    .addOption(wideOption())
    .action(async (_: Options, self: Command) => {
      const { status, mode, tag, search, limit, json, wide, ...rest } = self.optsWithGlobals()
      const client = await openClient(io, rest)
      const query = { status, mode, tags: tag, q: search, limit: String(Math.min(100, limit)) }
      await printRows(io, client.list('/api/tasks', { query }), { json, limit, wide, columns: COLUMNS })
    })
  task
    .command('get <taskId>')
    .description('a task with what can be done now')
    .action(async (taskId: string, _: Options, self: Command) => {
      const options = self.optsWithGlobals()
      const { context } = await openClient(io, options)
      const answer = await readJson(context, `/api/tasks/${encodeURIComponent(taskId)}`, {}, taskOrNullShape)
      if (!answer.ok) throw new CliError(answer.message, exitOfStatus(answer.status), answer.body)
      if (answer.body === null) throw new CliError('There is no such task for this caller.', exitOfStatus(404))
      printRecord(io, answer.body, { json: options.json })
    })
}

function addSubmissions(task: Command, io: Io): void {
  task
    .command('submissions <taskId>')
    .description('what was delivered, as far as this wallet may see it')
    .option('--limit <count>', 'how many at most', whole, 1000)
    .addOption(wideOption())
    .action(async (taskId: string, _: Options, self: Command) => {
      const { limit, json, wide, ...rest } = self.optsWithGlobals()
      const client = await openClient(io, rest)
      const path = { taskId: taskId.toLowerCase() }
      const columns: Column[] = [
        'id',
        { field: 'workerAddress', as: 'worker' },
        { field: 'submittedAt', as: 'submitted' },
        { field: 'rejectedAt', as: 'rejected' },
        { field: 'fileUrl', as: 'file' },
      ]
      await printRows(io, client.list('/api/tasks/{taskId}/submissions', { path }), { json, limit, wide, columns })
    })
}

function addCreation(task: Command, io: Io): void {
  addWriteOptions(task.command('create').description('publish a task: escrows its reward'))
    .requiredOption('--description <text>', 'what is to be done')
    .requiredOption('--reward <usdc>', 'in USDC', toUnits)
    .requiredOption('--hours <hours>', 'until it expires', hours)
    .option('--tag <tag...>')
    .addOption(new Option('--mode <mode>', 'how the worker is found').choices(taskModes).default('bounty'))
    .option(
      '--field <name=value...>',
      'any other field of the body, amounts in base units, lists as JSON; a password as TASK_MARKET_ACCESS_PASSWORD',
      toField,
    )
    .action(async (_: Options, self: Command) => {
      const options = self.optsWithGlobals()
      const { description, reward, hours: duration, tag: tags = [], mode, field = {} } = options
      const { readCreationFields } = await import('./creation-fields.ts')
      const fields = readCreationFields(field, io.env)
      const input = { description, reward, duration, tags, mode, ...fields } as WriteInput<'createTask'>
      return await performWrite(io, options, { name: 'createTask', input })
    })
}

function toField(text: string, before: Record<string, string> = {}): Record<string, string> {
  const [, name = '', value = ''] = /^(\w+)=(.*)$/s.exec(text) ?? []
  if (name === '') throw new InvalidArgumentError('A field is name=value.')
  return { ...before, [name]: value }
}

/**
 * Returns a parser that works like `parse`, but throws InvalidArgumentError. Commander prints the message of such an
 * error.
 */
function guarded(parse: (text: string, before: never) => unknown) {
  return (text: string, before: never) => {
    try {
      return parse(text, before)
    } catch (error) {
      throw new InvalidArgumentError(error instanceof Error ? error.message : 'This cannot be read.')
    }
  }
}
