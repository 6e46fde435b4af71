import type { WriteName } from '../../../client/src/index.ts'
import { acceptanceRows, bidRows, mostAwarded, refundRows, splitRows, verdictRows } from '../../act/payout-rows.ts'
import { usdcText } from '../../words/amount.ts'
import { shortAddress } from '../session.ts'
import type { SheetRow } from '../write/sheet-words.ts'
import type { ActionContext, Field, Share, Values } from './fields.ts'

/** An action of a task: its write, its form and its words. */
export interface ActionForm {
  write: WriteName
  /** Infinitive. Example: `Claim this task`. */
  act: string
  /** Sentence of success. */
  done: string
  /** What it means, before one decides. */
  about?: string | ((context: ActionContext) => string)
  /** Rows that the form is made of; nothing of them unless named. */
  needs?: 'submissions' | 'pitches'
  fields?: (context: ActionContext) => Field[]
  /** The arguments of the write beside the task's id; the values of the form unless given. */
  input?: (values: Values, context: ActionContext) => Record<string, unknown>
  /** Lines of the payment sheet beside the payment. */
  effects?: (values: Values, context: ActionContext) => SheetRow[]
}

const workersOf = ({ submissions }: ActionContext) => [
  ...new Set(submissions.map(({ workerAddress }) => workerAddress)),
]
const isContest = ({ task }: ActionContext) => task.mode === 'bounty' || task.mode === 'benchmark'

/** The workers that a decision may pay: of a contest those who delivered, else the one that has the task. */
const payable = (context: ActionContext) =>
  isContest(context) ? workersOf(context) : context.task.claimedBy === null ? [] : [context.task.claimedBy]

const chooseWorker =
  (label: string) =>
  (context: ActionContext): Field[] => [
    {
      kind: 'choice',
      name: 'worker',
      label,
      options: payable(context).map((worker) => [worker, shortAddress(worker), deliveredBy(worker, context)] as const),
    },
  ]

function deliveredBy(worker: string, { submissions }: ActionContext): string {
  const files = submissions.filter((one) => one.workerAddress === worker).flatMap(({ artifacts }) => artifacts)
  return files.map(({ fileName }) => fileName).join(', ')
}

/** The workers whom a decision pays, as the sheet names them. */
const paidBy = (shares: unknown) =>
  ((shares ?? []) as Share[])
    .filter(({ part }) => part > 0n)
    .map(({ worker, part }) => ({ name: shortAddress(worker), part }))

type Verdict = Parameters<typeof verdictRows>[1]

const verdictEffects = ({ verdict, shares }: Values, { task }: ActionContext) =>
  verdictRows(task, verdict as Verdict, paidBy(shares))

const awardsOf = (shares: unknown) =>
  ((shares ?? []) as Share[])
    .filter(({ part }) => part > 0n)
    .map(({ worker, part }, index) => ({ worker, amount: part.toString(), rank: index + 1 }))

const awardFields = (context: ActionContext): Field[] => [
  {
    kind: 'shares',
    name: 'shares',
    label: 'Who receives what',
    hint: 'Before the platform fee. The rest goes back to the requester.',
    workers: payable(context),
    unit: 'usdc',
    total: mostAwarded(context.task),
    isOptional: true,
  },
]

const verdictInput = ({ shares, verdict, score, confidence }: Values): Record<string, unknown> => ({
  verdict,
  ...(score !== undefined && { score }),
  ...(confidence !== undefined && { confidence }),
  ...(awardsOf(shares).length > 0 && verdict !== 'reject' && { awards: awardsOf(shares) }),
})

/** Every action of a task, by its name in `pendingActions`, and the acts that no task offers. */
export const actionForms: Readonly<Record<string, ActionForm>> = {
  submit: {
    write: 'createSubmissionFromKeys',
    act: 'Deliver work',
    done: 'Your work is delivered.',
    about: 'The files are uploaded first; then you sign once, for exactly these files.',
    fields: () => [{ kind: 'files', name: 'artifacts', label: 'Files', hint: 'Up to 20, each up to 500 MB.' }],
    effects: ({ artifacts }) =>
      (artifacts as { fileName: string; sha256Hash: string }[]).map(
        ({ fileName, sha256Hash }) => [fileName, `sha-256 ${sha256Hash.slice(0, 8)}…`] as const,
      ),
  },
  claim: {
    write: 'createClaim',
    act: 'Claim this task',
    done: 'The task is yours: deliver before it ends.',
    about: ({ task }) =>
      task.stakeRequired
        ? 'You stake a part of the reward. It comes back when you deliver, and is lost when you do not.'
        : 'Only you can deliver then, until the task ends.',
    input: (_, { task }) => (task.termsHash === null ? {} : { termsHash: task.termsHash }),
  },
  pitch: {
    write: 'createPitch',
    act: 'Pitch',
    done: 'Your pitch is in.',
    fields: () => [
      { kind: 'lines', name: 'pitchText', label: 'How would you do it?', most: 10_000 },
      { kind: 'number', name: 'estimatedDuration', label: 'Hours you need', least: 1, most: 8_760, isOptional: true },
    ],
  },
  select_worker: {
    write: 'selectWorker',
    act: 'Choose this worker',
    done: 'The worker is chosen, and may deliver now.',
    needs: 'pitches',
    fields: ({ pitches }) => [
      {
        kind: 'choice',
        name: 'pitchId',
        label: 'Whose pitch?',
        options: pitches.map(
          ({ id, workerAddress, pitchText }) => [id, shortAddress(workerAddress), pitchText] as const,
        ),
      },
    ],
    input: ({ pitchId }, { pitches }) => ({
      pitchId,
      workerAddress: pitches.find(({ id }) => id === pitchId)?.workerAddress,
    }),
  },
  submit_proof: {
    write: 'createProof',
    act: 'Submit a proof',
    done: 'Your result is in.',
    fields: ({ task }) => [
      { kind: 'integer', name: 'metricValue', label: task.metricDescription ?? 'Measured value', most: 78 },
      {
        kind: 'choice',
        name: 'proofType',
        label: 'Kind of proof',
        options: [
          ['url', 'A link'],
          ['eval', 'An evaluation'],
          ['api_data', 'Data of an API'],
          ['screenshot', 'A screenshot'],
          ['manual', 'By hand'],
          ['tlsn', 'TLSNotary'],
          ['zk', 'Zero-knowledge proof'],
          ['custom', 'Something else'],
        ] as const,
      },
      { kind: 'lines', name: 'proofData', label: 'Proof', most: 10_000 },
    ],
  },
  bid: {
    write: 'createBid',
    act: 'Bid',
    done: 'Your bid is placed.',
    about: ({ task }) =>
      task.auctionType === 'reverse_english'
        ? 'Bids are sealed until the deadline; the lowest wins.'
        : 'The lowest bid at the deadline wins. Each bid must be below the one before.',
    fields: ({ task }) => [
      {
        kind: 'usdc',
        name: 'price',
        label: 'What you ask, USDC',
        least: 1n,
        most: BigInt(task.currentLowestBid ?? task.maxPrice ?? task.reward),
      },
    ],
    effects: ({ price }, { task }) => bidRows(task, BigInt(String(price))),
  },
  auction_accept: {
    write: 'acceptAuction',
    act: 'Take it at the present price',
    done: 'The task is yours: deliver before it ends.',
    about: 'You get the price of the moment when your act is mined, and never less than the sheet says.',
    effects: (_, { task }) =>
      task.currentAuctionPrice === null ? [] : [['Price now', `${usdcText(task.currentAuctionPrice)} USDC`]],
  },
  select_winner: { write: 'selectWinner', act: 'Give it to the lowest bid', done: 'The lowest bidder has the task.' },
  accept: {
    write: 'acceptSubmission',
    act: 'Accept and pay',
    done: 'Accepted and paid.',
    needs: 'submissions',
    fields: chooseWorker('Whose work?'),
    effects: (_, { task }) => acceptanceRows(task),
  },
  accept_submissions: {
    write: 'acceptSubmissions',
    act: 'Split the reward',
    done: 'The reward is shared out.',
    needs: 'submissions',
    fields: (context) => [
      {
        kind: 'shares',
        name: 'shares',
        label: 'Who receives what part',
        workers: workersOf(context),
        unit: 'percent',
        total: 10_000n,
      },
    ],
    input: ({ shares }) => ({
      winners: (shares as Share[])
        .filter(({ part }) => part > 0n)
        .map(({ worker, part }) => ({ worker, share: Number(part) })),
    }),
    effects: ({ shares }, { task }) => splitRows(task, paidBy(shares)),
  },
  reject_submission: {
    write: 'rejectSubmission',
    act: 'Reject this work',
    done: 'Rejected: this worker cannot deliver to the task again.',
    needs: 'submissions',
    fields: chooseWorker('Whose work?'),
  },
  object: {
    write: 'objectToDelivery',
    act: 'Refuse this delivery',
    done: 'Your refusal is on record: silence does not pay the worker any more.',
    about: 'It settles nothing: the reward stays in escrow until the task ends.',
  },
  update: {
    write: 'updateTask',
    act: 'Change this task',
    done: 'The task is changed.',
    about: 'A higher reward is paid into escrow now; a lower one comes back. Leave a field empty to keep what it is.',
    fields: ({ task }) => [
      {
        kind: 'usdc',
        name: 'reward',
        label: 'New reward, USDC',
        hint: `Now ${usdcText(task.reward)}.`,
        isOptional: true,
      },
      { kind: 'time', name: 'expiryTime', label: 'New end', isOptional: true },
      ...(task.mode === 'pitch'
        ? [{ kind: 'time', name: 'pitchDeadline', label: 'New end of pitches', isOptional: true } as const]
        : []),
      ...(task.mode === 'auction'
        ? [{ kind: 'time', name: 'bidDeadline', label: 'New end of bids', isOptional: true } as const]
        : []),
      { kind: 'lines', name: 'description', label: 'New text', most: 10_000, isOptional: true },
    ],
    effects: ({ reward }, { task }) =>
      reward === undefined ? [] : [['Reward', `${usdcText(task.reward)} → ${usdcText(String(reward))} USDC`]],
  },
  cancel: {
    write: 'cancelTask',
    act: 'Cancel this task',
    done: 'Cancelled: the reward is back in your wallet.',
    effects: (_, { task }) => refundRows(task),
  },
  refund_expired: {
    write: 'refundExpiredTask',
    act: 'Take the refund',
    done: 'Refunded.',
    effects: (_, { task }) => refundRows(task),
  },
  settle_stale: {
    write: 'settleStaleTask',
    act: 'Settle it without the requester',
    done: 'Settled.',
    about: 'The requester has not answered in time: the reward goes to those who delivered.',
  },
  forfeit: {
    write: 'forfeitTask',
    act: 'End the claim',
    done: 'The claim is ended.',
    about: 'The worker has not delivered in time. You sign a text; it moves no money of yours.',
  },
  assign_evaluator: {
    write: 'assignEvaluator',
    act: 'Name an evaluator',
    done: 'The evaluator is named.',
    about: 'The evaluator decides about the whole reward in your place, and cannot be replaced.',
    fields: () => [
      { kind: 'address', name: 'evaluator', label: 'Evaluator' },
      { kind: 'number', name: 'evaluatorFeeBps', label: 'Fee, basis points', least: 0, most: 10_000, value: 0 },
      { kind: 'address', name: 'disputeResolver', label: 'Who settles appeals', isOptional: true },
    ],
  },
  evaluate: {
    write: 'evaluateTask',
    act: 'Give the verdict',
    done: 'Your verdict is given.',
    needs: 'submissions',
    fields: (context) => [
      {
        kind: 'choice',
        name: 'verdict',
        label: 'Verdict',
        options: [
          ['approve', 'Approve', 'The worker is paid.'],
          ['partial', 'In part', 'As below; the rest goes back to the requester.'],
          ['reject', 'Reject', 'The requester gets the reward back.'],
        ],
      },
      ...awardFields(context),
      { kind: 'number', name: 'score', label: 'Score, 0 to 1000', least: 0, most: 1_000, value: 1_000 },
      { kind: 'number', name: 'confidence', label: 'Confidence, 0 to 1000', least: 0, most: 1_000, value: 1_000 },
    ],
    input: verdictInput,
    effects: verdictEffects,
  },
  appeal: { write: 'appealVerdict', act: 'Appeal', done: 'Appealed: the dispute resolver decides.' },
  resolve_dispute: {
    write: 'resolveDispute',
    act: 'Settle the dispute',
    done: 'The dispute is settled.',
    needs: 'submissions',
    fields: (context) => [
      {
        kind: 'choice',
        name: 'verdict',
        label: 'Decision',
        options: [
          ['approve', 'Approve', 'The whole reward is paid.'],
          ['partial', 'In part', 'The rest goes back to the requester.'],
        ],
      },
      ...awardFields(context),
    ],
    input: verdictInput,
    effects: verdictEffects,
  },
  finalize_verdict: { write: 'finalizeVerdict', act: 'Carry the verdict out', done: 'The verdict is carried out.' },
  evaluator_timeout: {
    write: 'timeOutEvaluator',
    act: 'Go on without the evaluator',
    done: 'The requester decides again.',
  },
  rate: {
    write: 'rateWorker',
    act: 'Rate the worker',
    done: 'Rated.',
    fields: () => [
      { kind: 'number', name: 'rating', label: 'Rating, 0 to 100', least: 0, most: 100 },
      { kind: 'lines', name: 'feedbackText', label: 'What was it like?', most: 500, isOptional: true },
    ],
    input: (values, { offer }) => ({ ...values, worker: offer?.targetWorker }),
  },
}
