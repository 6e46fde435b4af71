import type { Address, Hex } from 'viem'
import { z } from 'zod'
import { toPitchId, toProofId, toSubmissionId } from '../../protocol/rules/row-ids.ts'
import { toSelectionKind } from '../../protocol/rules/selection.ts'
import { taskModes, unknownName } from '../../protocol/rules/selectors.ts'
import { toVerdict, verdicts } from '../../protocol/rules/verdict.ts'
import type { Resource } from '../domain/access/access-table.ts'
import {
  addressOut,
  amountOut,
  hashOut,
  timestampOut,
  toAddress,
  toAmount,
  toTimestamp,
} from '../http/response-schemas.ts'

/** A row in the indexer's tables. The row records one event. */
export interface SourceRow {
  /** The row's table and id in one text: `<table>:<id>`. */
  source: string
  /** The name of the Solidity event for rows of `task_event` and `vault_event`; the table's name for other rows. */
  name: string
  /** The id of the task; null if the row belongs to no task of this market. */
  taskId: Hex | null
  /** The account that the row concerns; null if the row concerns no account. */
  subject: Address | null
  /**
   * The values of the row. If the row is in `task_event` or `vault_event`, `args` contains the arguments of the
   * event. If the row is in another table, `args` contains the row's columns, each under the name of its field in
   * `eventKinds`. Amounts and times are decimal strings.
   */
  args: Readonly<Record<string, unknown>>
  /** The mode of the task; null if the row belongs to no task. */
  mode: string | null
}

/**
 * A field of an event's `data`: the schema, the description, and the function that computes the value from the row.
 */
interface Field {
  out: z.ZodType
  meaning: string
  of(row: SourceRow): unknown
}

/** A kind of event log entries, with the rows that cause the entries and the fields of their `data`. */
interface Kind {
  /** The `SourceRow.name` of the rows that cause entries of this kind. */
  source: string
  meaning: string
  /**
   * Returns true if the row causes an entry of this kind. If this function is absent, every row with the name `source`
   * causes an entry.
   */
  when?(row: SourceRow): boolean
  /**
   * The kind of resource whose access policy decides who sees the entry. The default is `task`. If the entry is about
   * no task, the entry is public, and this field has no effect.
   */
  resource?: Resource
  /**
   * True if the row belongs to a single worker, whom `subject` names. A reader then sees the entry if the reader may
   * see that worker's submissions or bids.
   */
  isOfWorker?: true
  /** True if the event ends the task. The entry then concerns every account that took part in the task. */
  endsTask?: true
  fields: Readonly<Record<string, Field>>
}

const amount = (name: string, meaning: string): Field => ({
  out: amountOut,
  meaning,
  of: ({ args }) => toAmount(BigInt(String(args[name]))),
})
const integer = (name: string, meaning: string): Field => ({
  out: z.int(),
  meaning,
  of: ({ args }) => Number(args[name]),
})
const account = (name: string, meaning: string): Field => ({
  out: addressOut,
  meaning,
  of: ({ args }) => toAddress(args[name] as Address),
})
const hash = (name: string, meaning: string): Field => ({ out: hashOut, meaning, of: ({ args }) => args[name] })
const text = (name: string, meaning: string): Field => ({ out: z.string(), meaning, of: ({ args }) => args[name] })
const isTrue = (name: string, meaning: string): Field => ({ out: z.boolean(), meaning, of: ({ args }) => args[name] })
/** Returns a field for a time that the contract logs in Unix seconds. The value is null if the contract logs zero. */
const time = (name: string, meaning: string): Field => ({
  out: timestampOut.nullable(),
  meaning,
  of: ({ args }) => toTimeOrNull(args[name]),
})
/**
 * Returns a copy of a field for the event `TaskCreated`, whose argument `terms` contains the task's terms. Example:
 * if the given field reads `args.reward`, the copy reads `args.terms.reward`.
 */
const term = ({ out, meaning, of }: Field): Field => ({
  out,
  meaning,
  of: (row) => of({ ...row, args: row.args.terms as SourceRow['args'] }),
})
const subject = (meaning: string): Field => ({
  out: addressOut,
  meaning,
  of: ({ subject: of }) => toAddress(of ?? raise('the row is about no account')),
})
/**
 * Returns a field whose value is the id of a worker's record in a task, such as the id of a submission. `name` is the
 * event argument that contains the record's hash. `idOf` computes the id from the task, the worker and this hash.
 */
const rowId = (name: string, idOf: (taskId: Hex, worker: Address, anchor: Hex) => Hex, meaning: string): Field => ({
  out: hashOut,
  meaning,
  of: ({ taskId, args }) => idOf(taskId ?? raise('the row is of no task'), args.worker as Address, args[name] as Hex),
})
const verdict: Field = {
  out: z.enum(verdicts),
  meaning: 'What was decided.',
  of: ({ args }) => toVerdict(Number(args.verdict)),
}
const worker = subject('The worker.')
/**
 * The field `worker` for events that do not name the worker. The value is the worker that the task had before the
 * event.
 */
const formerWorker: Field = {
  ...worker,
  out: addressOut.nullable(),
  of: (row) => row.subject && toAddress(row.subject),
}
const requester = account('requester', 'Who created it.')
const dates = {
  expiryTime: time('expiryTime', 'When it expires.'),
  pitchDeadline: time('pitchDeadline', 'Until when pitches are taken.'),
  bidDeadline: time('bidDeadline', 'Until when bids are taken.'),
}
const selectionFields = {
  worker,
  price: amount('price', 'What the work pays, USDC base units.'),
  stake: amount('stake', 'What the worker staked, USDC base units.'),
}
const refund = { refund: amount('refund', 'Back to the requester, USDC base units.') }
const vault = hash('vaultId', 'The vault.')
const isSelection =
  (...kinds: ReturnType<typeof toSelectionKind>[]) =>
  ({ args }: SourceRow) =>
    kinds.includes(toSelectionKind(Number(args.kind)))

/** Every kind of event log entries that indexer rows cause. See the interface specification, "Events and webhooks". */
export const eventKinds = {
  'task.created': {
    source: 'TaskCreated',
    meaning: 'A task was created.',
    fields: {
      requester,
      mode: { out: z.enum([...taskModes, unknownName]), meaning: 'Its mode.', of: ({ mode }) => mode },
      reward: term(amount('reward', 'What it pays, USDC base units.')),
      expiryTime: term(dates.expiryTime),
      pitchDeadline: term(dates.pitchDeadline),
      bidDeadline: term(dates.bidDeadline),
    },
  },
  'task.updated': {
    source: 'TaskUpdated',
    meaning: 'The terms of a task changed; all of them as they are now.',
    fields: { reward: amount('reward', 'What it pays now, USDC base units.'), ...dates },
  },
  'task.expired': {
    source: 'TaskExpired',
    meaning: 'A task ended at its expiry.',
    endsTask: true,
    fields: refund,
  },
  'task.cancelled': { source: 'TaskCancelled', meaning: 'A task was cancelled.', endsTask: true, fields: refund },
  'task.completed': {
    source: 'TaskCompleted',
    meaning: 'A task ended with an award. Each award is an `award.settled` beside it.',
    when: ({ args }) => Number(args.rank) === 1,
    endsTask: true,
    fields: { worker: subject('Who got the first award.') },
  },
  'claim.created': {
    source: 'TaskWorkerSelected',
    meaning: 'A worker claimed a task.',
    when: isSelection('claim'),
    resource: 'claim',
    fields: selectionFields,
  },
  'claim.forfeited': {
    source: 'TaskReopened',
    meaning: 'A claim ended without a delivery, and the task is open again.',
    resource: 'claim',
    fields: { worker: formerWorker },
  },
  'pitch.created': {
    source: 'PitchSubmitted',
    meaning: 'A worker pitched for a task.',
    resource: 'pitches',
    fields: {
      worker,
      pitchId: rowId('pitchHash', (id, by, pitchHash) => toPitchId(id, { worker: by, pitchHash }), 'The pitch.'),
    },
  },
  'worker.selected': {
    source: 'TaskWorkerSelected',
    meaning: 'A worker was selected by a pitch.',
    when: isSelection('pitch'),
    fields: selectionFields,
  },
  'bid.created': {
    source: 'BidSubmitted',
    meaning: 'A worker bid in an auction. While bids are sealed, the bidder alone is told.',
    resource: 'bids',
    isOfWorker: true,
    fields: { worker, price: amount('price', 'What the worker asks for, USDC base units.') },
  },
  'auction.accepted': {
    source: 'TaskWorkerSelected',
    meaning: 'An auction ended with a worker, by a bid or by acceptance of its price.',
    when: isSelection('bid', 'clock_price'),
    fields: selectionFields,
  },
  'submission.created': {
    source: 'TaskSubmitted',
    meaning: 'A worker delivered.',
    resource: 'submissions',
    isOfWorker: true,
    fields: {
      worker,
      submissionId: rowId(
        'deliverable',
        (id, by, deliverable) => toSubmissionId(id, { worker: by, deliverable }),
        'The submission.',
      ),
    },
  },
  'submission.rejected': {
    source: 'SubmissionRejected',
    meaning: 'All submissions of a worker in a task were rejected.',
    resource: 'submissions',
    isOfWorker: true,
    fields: { worker },
  },
  'proof.created': {
    source: 'ProofSubmitted',
    meaning: 'A worker anchored the proof of a measurement.',
    resource: 'proofs',
    isOfWorker: true,
    fields: {
      worker,
      proofId: rowId('proofHash', (id, by, proofHash) => toProofId(id, { worker: by, proofHash }), 'The proof.'),
      metricValue: amount('metricValue', 'What the worker claims to have measured.'),
    },
  },
  'verdict.issued': {
    source: 'VerdictIssued',
    meaning: 'The evaluator decided.',
    fields: {
      evaluator: subject('Who decided.'),
      verdict,
      score: integer('score', '0 to 1000, informative.'),
      appealDeadline: time('appealDeadline', 'Until when it can be appealed.'),
    },
  },
  'verdict.appealed': {
    source: 'VerdictAppealed',
    meaning: 'A worker appealed.',
    fields: {
      worker,
      resolver: account('resolver', 'Who resolves it.'),
      resolutionDeadline: time('resolutionDeadline', 'Until when.'),
    },
  },
  'verdict.resolved': {
    source: 'DisputeResolved',
    meaning: 'The resolver decided in the place of the evaluator.',
    fields: { resolver: subject('Who decided.'), verdict },
  },
  'verdict.finalized': {
    source: 'VerdictFinalized',
    meaning: 'A verdict took effect.',
    fields: { verdict, ...refund },
  },
  'evaluator.assigned': {
    source: 'EvaluatorAssigned',
    meaning: 'A task got an evaluator.',
    fields: {
      evaluator: account('evaluator', 'Who decides.'),
      resolver: {
        out: addressOut.nullable(),
        meaning: 'Who resolves appeals; null: none is possible.',
        of: ({ args }) => (BigInt(args.resolver as Hex) === 0n ? null : toAddress(args.resolver as Address)),
      },
      feeBps: integer('feeBps', 'What a verdict costs, basis points of the payable amount.'),
    },
  },
  'evaluator.timed_out': {
    source: 'EvaluatorTimedOut',
    meaning: 'A task was taken back from an evaluator who did not decide in time.',
    fields: { evaluator: account('evaluator', 'Who it was.') },
  },
  'delivery.objected': {
    source: 'DeliveryObjected',
    meaning: 'The requester objected to the delivery.',
    fields: { worker: formerWorker },
  },
  'award.settled': {
    source: 'TaskCompleted',
    meaning: 'An award was paid.',
    fields: {
      worker,
      rank: integer('rank', '1 is the first award of the task.'),
      grossAmount: amount('grossAmount', 'Taken from the escrow, USDC base units.'),
      workerPayment: amount('workerPayment', 'Paid to the worker of it.'),
      platformFee: amount('platformFee', 'Paid to the platform of it.'),
      selfAward: isTrue('selfAward', 'The requester awarded itself.'),
    },
  },
  'rating.created': {
    source: 'TaskRated',
    meaning: 'The requester rated the work of an award.',
    resource: 'feedback',
    fields: { worker, rating: integer('rating', '0 to 100.') },
  },
  'bonus.credited': {
    source: 'bonus_credit',
    meaning: 'Reward tokens became claimable for one side of an award.',
    fields: {
      account: subject('Whose they are.'),
      role: text('role', 'worker or requester.'),
      rank: integer('rank', 'Rank of the award.'),
      amount: amount('amount', 'Base units of the reward token.'),
    },
  },
  'bonus.withdrawn': {
    source: 'bonus_withdrawal',
    meaning: 'An account withdrew reward tokens.',
    fields: {
      account: subject('Whose they were.'),
      destination: account('destination', 'Who received them.'),
      amount: amount('amount', 'Base units of the reward token.'),
    },
  },
  'vault.funded': {
    source: 'Funded',
    meaning: "A sponsor's vault was funded.",
    fields: {
      vaultId: vault,
      from: account('from', 'Who paid.'),
      amount: amount('amount', 'Base units of its token.'),
    },
  },
  'vault.exited': {
    source: 'Exited',
    meaning: 'The owner of a vault took everything out of it; what it owed is not paid.',
    fields: {
      vaultId: vault,
      to: account('to', 'Who received it.'),
      returned: amount('returned', 'All that was sent, base units of its token.'),
      defaulted: amount('defaulted', 'The part of it that was owed to workers.'),
    },
  },
  'settlement.installed': {
    source: 'vault_settlement',
    meaning: 'The rewards of a task can be claimed from a vault.',
    fields: { vaultId: vault, root: hash('root', 'Merkle root of the claims.'), total: amount('total', 'Their sum.') },
  },
  'reward.claimed': {
    source: 'vault_claim',
    meaning: 'A worker claimed a reward from a vault.',
    fields: {
      vaultId: vault,
      worker,
      destination: account('destination', 'Who received it.'),
      amount: amount('amount', "Base units of the vault's token."),
    },
  },
  'agent.registered': {
    source: 'identity_registration',
    meaning: 'An ERC-8004 identity was registered.',
    fields: {
      agentId: { ...text('agentId', 'Its id, a decimal number.'), out: z.string().regex(/^[0-9]{1,78}$/) },
      owner: subject('The account that it was registered for.'),
    },
  },
} as const satisfies Record<string, Kind>

/** The name of a kind of event log entries that indexer rows cause. */
export type RowKind = keyof typeof eventKinds

const rowKinds = Object.entries(eventKinds) as [RowKind, Kind][]
/**
 * The names of all kinds, including two kinds that no indexer row causes. `reverted`: a reorg removed the row of an
 * earlier entry. `revealed`: earlier entries became visible to more readers.
 */
export const eventKindNames = [...(Object.keys(eventKinds) as RowKind[]), 'reverted', 'revealed'] as const

/** An event log entry that is built from an indexer row. */
export interface MadeEvent {
  kind: RowKind
  resource: Resource | null
  /** The worker to whom the indexer row belongs, in lower case. Null if the row belongs to no single worker. */
  worker: Address | null
  /** The addresses that `data` contains, in lower case. */
  addresses: Address[]
  data: Record<string, unknown>
  endsTask: boolean
}

/** The values of `SourceRow.name` of the indexer rows that cause event log entries. */
export const sourceNames: readonly string[] = [...new Set(rowKinds.map(([, { source }]) => source))]

/**
 * Lists the kinds with their fields, for the documentation. `source` is the name of an indexer table, or of a Solidity
 * event about a task or a vault.
 */
export function listEventKinds(): { kind: RowKind; source: string; meaning: string; fields: [string, Field][] }[] {
  return rowKinds.map(([kind, { source, meaning, fields }]) => ({
    kind,
    source,
    meaning,
    fields: Object.entries(fields),
  }))
}

/** Returns the event log entries that one row causes. Most rows cause one entry. */
export function makeEvents(row: SourceRow): MadeEvent[] {
  return rowKinds
    .filter(([, { source, when }]) => source === row.name && (when?.(row) ?? true))
    .map(([kind, { fields, resource = 'task', isOfWorker, endsTask = false }]) => {
      const data = Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, field.of(row)]))
      return {
        kind,
        resource: row.taskId === null ? null : resource,
        worker: isOfWorker ? row.subject : null,
        addresses: namedIn(data),
        data,
        endsTask,
      }
    })
}

function namedIn(data: Record<string, unknown>): Address[] {
  const addresses = Object.values(data).filter((value) => addressOut.safeParse(value).success)
  return [...new Set(addresses.map((value) => String(value).toLowerCase() as Address))]
}

function toTimeOrNull(value: unknown): string | null {
  const seconds = BigInt(String(value))
  return seconds === 0n ? null : toTimestamp(seconds)
}

function raise(message: string): never {
  throw new Error(message)
}
