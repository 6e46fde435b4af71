import { InvalidArgumentError, Option } from 'commander'
import type { WriteInput, WriteName } from '../api/write-names.ts'
import { toUnits } from './usdc.ts'

/** What commander read: names without dashes, in camel case. */
// biome-ignore lint/suspicious/noExplicitAny: each command has options of its own.
export type Options = Record<string, any>

/** The option of every list. */
export const wideOption = () => new Option('--wide', 'whole ids on a terminal')

/** One command below `task`, named as the API prints it in pendingActions. */
export interface TaskWrite<Name extends WriteName = WriteName> {
  command: string
  summary: string
  write: Name
  /** Flags that must be there, then those that may. A parser may stand beside a flag. */
  required?: readonly OptionRow[]
  optional?: readonly OptionRow[]
  input(taskId: string, options: Options): WriteInput<Name>
}

type OptionRow = readonly [flags: string, about: string, parse?: (text: string, before: never) => unknown]

const collect =
  <T>(parse: (text: string) => T) =>
  (text: string, before: T[] = []) => [...before, parse(text)]
const amount: OptionRow[2] = toUnits
export const whole = (text: string): number => {
  if (/^[0-9]{1,12}$/.test(text)) return Number(text)
  throw new InvalidArgumentError('This must be a whole number.')
}
/** A time in milliseconds has 13 digits until the year 2286. */
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

const worker: OptionRow = ['--worker <worker>', 'address of the worker']
const awards: OptionRow = ['--award <worker:usdc:rank>', 'an award; may be repeated', collect(award)]

function define<Name extends WriteName>(row: TaskWrite<Name>): TaskWrite {
  return row as unknown as TaskWrite
}

/** Without the options that were not given. */
function given<T extends object>(fields: T): T {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as T
}

/** All writes about an existing task but `submit`, which reads files. */
export const taskWrites: readonly TaskWrite[] = [
  define({
    command: 'accept',
    summary: 'accept one worker: pays the reward',
    write: 'acceptSubmission',
    required: [worker],
    input: (taskId, options) => ({ taskId, worker: options.worker }),
  }),
  define({
    command: 'accept-submissions',
    summary: 'split the reward among winners',
    write: 'acceptSubmissions',
    required: [['--winner <worker:share:submissionId>', 'share in basis points; may be repeated', collect(winner)]],
    input: (taskId, options) => ({ taskId, winners: options.winner }),
  }),
  define({
    command: 'reject-submission',
    summary: 'reject the submissions of a worker',
    write: 'rejectSubmission',
    required: [worker],
    input: (taskId, options) => ({ taskId, worker: options.worker }),
  }),
  define({
    command: 'rate',
    summary: 'rate an awarded worker',
    write: 'rateWorker',
    required: [worker, ['--rating <0-100>', 'whole number', whole]],
    optional: [['--feedback <text>', 'at most 500 characters']],
    input: (taskId, options) =>
      given({ taskId, worker: options.worker, rating: options.rating, feedbackText: options.feedback }),
  }),
  define({
    command: 'update',
    summary: 'change an open task',
    write: 'updateTask',
    optional: [
      ['--reward <usdc>', 'the new reward', amount],
      ['--expiry-time <seconds>', 'Unix seconds', unixSeconds],
      ['--bid-deadline <seconds>', 'Unix seconds', unixSeconds],
      ['--pitch-deadline <seconds>', 'Unix seconds', unixSeconds],
      ['--auction-floor-price <usdc>', 'of a dutch auction', amount],
      ['--auction-start-price <usdc>', 'of a reverse dutch auction', amount],
      ['--description <text>', 'the new description'],
      ['--tag <tag>', 'may be repeated', collect(String)],
      ['--metric-description <text>', 'of a benchmark'],
    ],
    input: (
      taskId,
      {
        tag,
        reward,
        expiryTime,
        bidDeadline,
        pitchDeadline,
        auctionFloorPrice,
        auctionStartPrice,
        description,
        metricDescription,
      },
    ) =>
      given({
        taskId,
        tags: tag,
        reward,
        expiryTime,
        bidDeadline,
        pitchDeadline,
        auctionFloorPrice,
        auctionStartPrice,
        description,
        metricDescription,
      }),
  }),
  define({ command: 'cancel', summary: 'cancel an open task', write: 'cancelTask', input: (taskId) => ({ taskId }) }),
  define({
    command: 'refund-expired',
    summary: 'return the escrow of an expired task',
    write: 'refundExpiredTask',
    input: (taskId) => ({ taskId }),
  }),
  define({
    command: 'settle-stale',
    summary: 'end a task that its parties have left',
    write: 'settleStaleTask',
    input: (taskId) => ({ taskId }),
  }),
  define({
    command: 'object',
    summary: 'object to a delivery',
    write: 'objectToDelivery',
    input: (taskId) => ({ taskId }),
  }),
  define({ command: 'claim', summary: 'claim a task', write: 'createClaim', input: (taskId) => ({ taskId }) }),
  define({
    command: 'forfeit',
    summary: 'end an expired claim',
    write: 'forfeitTask',
    input: (taskId) => ({ taskId }),
  }),
  define({
    command: 'bid',
    summary: 'bid in an auction',
    write: 'createBid',
    required: [['--price <usdc>', 'your price', amount]],
    input: (taskId, options) => ({ taskId, price: options.price }),
  }),
  define({
    command: 'auction-accept',
    summary: 'take an auction at its clock price',
    write: 'acceptAuction',
    optional: [['--min-price <usdc>', 'the least you take it for', amount]],
    input: (taskId, options) => given({ taskId, minPrice: options.minPrice }),
  }),
  define({
    command: 'select-winner',
    summary: 'assign the lowest bidder',
    write: 'selectWinner',
    input: (taskId) => ({ taskId }),
  }),
  define({
    command: 'pitch',
    summary: 'pitch for a task',
    write: 'createPitch',
    required: [['--text <text>', 'the pitch']],
    optional: [['--hours <hours>', 'estimated duration', hours]],
    input: (taskId, options) => given({ taskId, pitchText: options.text, estimatedDuration: options.hours }),
  }),
  define({
    command: 'select-worker',
    summary: 'select a pitch',
    write: 'selectWorker',
    required: [['--pitch <pitchId>', 'id of the pitch'], worker],
    input: (taskId, options) => ({ taskId, pitchId: options.pitch, workerAddress: options.worker }),
  }),
  define({
    command: 'proof',
    summary: 'prove a metric',
    write: 'createProof',
    required: [
      ['--data <data>', 'the proof'],
      ['--type <type>', 'url, screenshot, api_data, manual, custom, eval, tlsn or zk'],
    ],
    optional: [['--metric-value <number>', 'whole number']],
    input: (taskId, options) =>
      given({ taskId, proofData: options.data, proofType: options.type, metricValue: options.metricValue }),
  }),
  define({
    command: 'evaluator',
    summary: 'assign an evaluator',
    write: 'assignEvaluator',
    required: [['--evaluator <address>', 'who decides']],
    optional: [
      ['--fee-bps <bps>', 'of the reward', whole],
      ['--evaluation-hours <hours>', 'window of the evaluation', hours],
      ['--appeal-hours <hours>', 'window of the appeal', hours],
      ['--resolver <address>', 'who resolves disputes'],
    ],
    input: (taskId, { evaluator, feeBps, evaluationHours, appealHours, resolver }) =>
      given({
        taskId,
        evaluator,
        evaluatorFeeBps: feeBps,
        evaluationWindowHours: evaluationHours,
        appealWindowHours: appealHours,
        disputeResolver: resolver,
      }),
  }),
  define({
    command: 'evaluate',
    summary: 'give the verdict',
    write: 'evaluateTask',
    required: [['--verdict <verdict>', 'approve, reject or partial']],
    optional: [
      awards,
      ['--score <0-1000>', 'whole number', whole],
      ['--confidence <0-1000>', 'whole number', whole],
      ['--evidence-hash <hash>', '32 bytes'],
    ],
    input: (taskId, options) =>
      given({
        taskId,
        verdict: options.verdict,
        awards: options.award,
        score: options.score,
        confidence: options.confidence,
        evidenceHash: options.evidenceHash,
      }),
  }),
  define({ command: 'appeal', summary: 'appeal a verdict', write: 'appealVerdict', input: (taskId) => ({ taskId }) }),
  define({
    command: 'resolve-dispute',
    summary: 'resolve a dispute',
    write: 'resolveDispute',
    required: [['--verdict <verdict>', 'approve or partial'], awards],
    input: (taskId, options) => ({ taskId, verdict: options.verdict, awards: options.award }),
  }),
  define({
    command: 'finalize-verdict',
    summary: 'carry out a verdict',
    write: 'finalizeVerdict',
    input: (taskId) => ({ taskId }),
  }),
  define({
    command: 'evaluator-timeout',
    summary: 'end an evaluation whose window is over',
    write: 'timeOutEvaluator',
    input: (taskId) => ({ taskId }),
  }),
]
