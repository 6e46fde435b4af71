import { InvalidArgumentError, Option } from 'commander'
import { catalogue } from '../../../protocol/catalogue.ts'
import type { ChoiceName } from '../../../protocol/operation.ts'
import { operations } from '../../../protocol/operations.ts'
import { proofTypes } from '../../../protocol/rules/proof-type.ts'
import type { WriteInput, WriteName } from '../api/write-names.ts'
import { toUnits } from './usdc.ts'

/** A command's parsed options, by option name in camel case. */
// biome-ignore lint/suspicious/noExplicitAny: each command has options of its own.
export type Options = Record<string, any>

/** Returns the option `--wide`, which every list command has. */
export const wideOption = () => new Option('--wide', 'whole ids on a terminal')

/** A command below `task` that makes a write. The API field `pendingActions` uses the same command names. */
export interface TaskWrite {
  command: string
  summary: string
  write: WriteName
  required: readonly OptionRow[]
  optional: readonly OptionRow[]
  input(taskId: string, options: Options): WriteInput<WriteName>
}

/** A row that describes a command-line option: its flags, its description and an optional parser. */
type OptionRow = readonly [flags: string, about: string, parse?: (text: string, before: never) => unknown]

/** The fields of a write that the caller chooses. The types come from the OpenAPI document. */
type Fields<Name extends WriteName> = Omit<WriteInput<Name>, 'taskId' | ChoiceName>
type RequiredName<F> = { [Name in keyof F]-?: object extends Pick<F, Name> ? never : Name }[keyof F]

/** A command and its flags: one flag for each required field of the write, and flags for any optional fields. */
interface TaskWriteOf<Name extends WriteName> {
  command: string
  write: Name
  required?: { [Field in RequiredName<Fields<Name>>]: OptionRow }
  optional?: { [Field in Exclude<keyof Fields<Name>, RequiredName<Fields<Name>>>]?: OptionRow }
}
interface CheckedRow {
  command: string
  write: WriteName
  required?: Record<string, OptionRow>
  optional?: Record<string, OptionRow>
}
/**
 * The type of a row of `taskWrites`. The row must have a command-line flag for each required field of its write. If a
 * flag is missing, the compiler reports an error.
 */
type Complete<Name extends WriteName> = [RequiredName<Fields<Name>>] extends [never]
  ? TaskWriteOf<Name>
  : TaskWriteOf<Name> & Required<Pick<TaskWriteOf<Name>, 'required'>>

const collect =
  <T>(parse: (text: string) => T) =>
  (text: string, before: T[] = []) => [...before, parse(text)]
export const whole = (text: string): number => {
  if (/^[0-9]{1,12}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('This must be a whole number.')
}
/** Parses a time in Unix seconds. Refuses 13 digits, because such a number is a time in milliseconds. */
const unixSeconds = (text: string): number => {
  if (/^[0-9]{1,12}$/.test(text)) return Number(text)
  const hint = /^[0-9]{13}$/.test(text) ? ` This looks like milliseconds: ${text.slice(0, -3)} are meant.` : ''
  throw new InvalidArgumentError(`This must be a time in Unix seconds, such as 1800000000.${hint}`)
}
export const hours = (text: string): number => {
  if (/^[0-9]{1,6}(\.[0-9]{1,6})?$/.test(text)) return Number(text)
  throw new InvalidArgumentError('This must be a number of hours.')
}

function winner(text: string) {
  const [worker = '', share = '', submissionId] = text.split(':')
  return { worker, share: whole(share), ...(submissionId !== undefined && { submissionId }) }
}

function award(text: string) {
  const [worker = '', usdc = '', rank = ''] = text.split(':')
  return { worker, amount: toUnits(usdc), rank: whole(rank) }
}

const listings = new Map(
  Object.values(operations).map(({ name, operationId }) => [operationId, catalogue[name]] as const),
)

function define<Name extends WriteName>(row: Complete<Name>): TaskWrite {
  // The compiler has checked the fields against the write.
  const { command, write, required = {}, optional = {} } = row as unknown as CheckedRow
  const flags: Record<string, OptionRow> = { ...required, ...optional }
  const { summary = '' } = listings.get(write) ?? {}
  return {
    command,
    summary: `${summary.charAt(0).toLowerCase()}${summary.slice(1)}`,
    write,
    required: Object.values(required),
    optional: Object.values(optional),
    input: (taskId, options) => {
      const values = Object.entries(flags).map(([field, [flag]]) => [field, options[new Option(flag).attributeName()]])
      const fieldEntries = values.filter(([, value]) => value !== undefined)
      return { taskId, ...Object.fromEntries(fieldEntries) }
    },
  }
}

const worker: OptionRow = ['--worker <worker>', 'address of the worker']
const awards: OptionRow = ['--award <worker:usdc:rank>', 'an award; may be repeated', collect(award)]

/** All writes that act on an existing task, except `submit`, which reads files. */
export const taskWrites: readonly TaskWrite[] = [
  define({ command: 'accept', write: 'acceptSubmission', required: { worker } }),
  define({
    command: 'accept-submissions',
    write: 'acceptSubmissions',
    required: {
      winners: ['--winner <worker:share:submissionId>', 'share in basis points; may be repeated', collect(winner)],
    },
  }),
  define({ command: 'reject-submission', write: 'rejectSubmission', required: { worker } }),
  define({
    command: 'rate',
    write: 'rateWorker',
    required: { worker, rating: ['--rating <0-100>', 'whole number', whole] },
    optional: { feedbackText: ['--feedback <text>', 'at most 500 characters'] },
  }),
  define({
    command: 'update',
    write: 'updateTask',
    optional: {
      reward: ['--reward <usdc>', 'the new reward', toUnits],
      expiryTime: ['--expiry-time <seconds>', 'Unix seconds', unixSeconds],
      bidDeadline: ['--bid-deadline <seconds>', 'Unix seconds', unixSeconds],
      pitchDeadline: ['--pitch-deadline <seconds>', 'Unix seconds', unixSeconds],
      auctionFloorPrice: ['--auction-floor-price <usdc>', 'of a dutch auction', toUnits],
      auctionStartPrice: ['--auction-start-price <usdc>', 'of a reverse dutch auction', toUnits],
      description: ['--description <text>', 'the new description'],
      tags: ['--tag <tag>', 'may be repeated', collect(String)],
      metricDescription: ['--metric-description <text>', 'of a benchmark'],
    },
  }),
  define({ command: 'cancel', write: 'cancelTask' }),
  define({ command: 'refund-expired', write: 'refundExpiredTask' }),
  define({ command: 'settle-stale', write: 'settleStaleTask' }),
  define({ command: 'object', write: 'objectToDelivery' }),
  define({ command: 'claim', write: 'createClaim' }),
  define({ command: 'forfeit', write: 'forfeitTask' }),
  define({ command: 'bid', write: 'createBid', required: { price: ['--price <usdc>', 'your price', toUnits] } }),
  define({
    command: 'auction-accept',
    write: 'acceptAuction',
    optional: { minPrice: ['--min-price <usdc>', 'the least you take it for', toUnits] },
  }),
  define({ command: 'select-winner', write: 'selectWinner' }),
  define({
    command: 'pitch',
    write: 'createPitch',
    required: { pitchText: ['--text <text>', 'the pitch'] },
    optional: { estimatedDuration: ['--hours <hours>', 'estimated duration', hours] },
  }),
  define({
    command: 'select-worker',
    write: 'selectWorker',
    required: { pitchId: ['--pitch <pitchId>', 'id of the pitch'], workerAddress: worker },
  }),
  define({
    command: 'proof',
    write: 'createProof',
    required: {
      proofData: ['--data <data>', 'the proof'],
      proofType: ['--type <type>', `${proofTypes.slice(0, -1).join(', ')} or ${proofTypes.at(-1)}`],
    },
    optional: { metricValue: ['--metric-value <number>', 'whole number'] },
  }),
  define({
    command: 'evaluator',
    write: 'assignEvaluator',
    required: { evaluator: ['--evaluator <address>', 'who decides'] },
    optional: {
      evaluatorFeeBps: ['--fee-bps <bps>', 'of the reward', whole],
      evaluationWindowHours: ['--evaluation-hours <hours>', 'window of the evaluation', hours],
      appealWindowHours: ['--appeal-hours <hours>', 'window of the appeal', hours],
      disputeResolver: ['--resolver <address>', 'who resolves disputes'],
    },
  }),
  define({
    command: 'evaluate',
    write: 'evaluateTask',
    required: { verdict: ['--verdict <verdict>', 'approve, reject or partial'] },
    optional: {
      awards,
      score: ['--score <0-1000>', 'whole number', whole],
      confidence: ['--confidence <0-1000>', 'whole number', whole],
      evidenceHash: ['--evidence-hash <hash>', '32 bytes'],
    },
  }),
  define({ command: 'appeal', write: 'appealVerdict' }),
  define({
    command: 'resolve-dispute',
    write: 'resolveDispute',
    required: { verdict: ['--verdict <verdict>', 'approve or partial'], awards },
  }),
  define({ command: 'finalize-verdict', write: 'finalizeVerdict' }),
  define({ command: 'evaluator-timeout', write: 'timeOutEvaluator' }),
]
