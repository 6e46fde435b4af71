import { MIN_BID } from '../../../client/src/index.ts'
import {
  acceptanceRows,
  bidRows,
  clockRows,
  evaluatorFeeRows,
  refundRows,
  rejectionRows,
  selectionRows,
  splitRows,
  stakeRows,
  staleRows,
} from '../../act/payout-rows.ts'
import { usdcText } from '../../words/amount.ts'
import { shortAddress } from '../session.ts'
import type { ActionForm } from './action-form.ts'
import type { Share, TaskDetail } from './fields.ts'
import { chooseWorker, paidBy, workersOf } from './payable.ts'
import { updateForm } from './update-form.ts'
import { evaluateForm, resolveForm } from './verdict-forms.ts'

/**
 * The forms by the name of their action. The table has every action that `pendingActions` can contain, and the
 * requester's actions that `pendingActions` never contains.
 */
export const actionForms: Readonly<Record<string, ActionForm>> = {
  submit: {
    write: 'createSubmissionFromKeys',
    act: 'Deliver work',
    done: 'Your work is delivered. Nothing more to do: “My work” shows what the requester decides.',
    about: 'Choose your files. They are uploaded first; then you sign once, for exactly these files.',
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
        ? 'You leave a part of the reward as a stake. You get it back if you deliver in time, and lose it if you do not.'
        : 'From then on only you can deliver, until the task ends.',
    input: (_, { task }) => (task.termsHash === null ? {} : { termsHash: task.termsHash }),
  },
  pitch: {
    write: 'createPitch',
    act: 'Pitch',
    done: 'Your pitch is in. The requester now chooses among the pitches; “My work” shows whether it is yours.',
    fields: () => [
      { kind: 'lines', name: 'pitchText', label: 'How would you do it?', most: 10_000 },
      { kind: 'number', name: 'estimatedDuration', label: 'Hours you need', least: 1, most: 8_760, isOptional: true },
    ],
  },
  select_worker: {
    write: 'selectWorker',
    act: 'Choose this worker',
    done: 'The worker is chosen and can deliver now.',
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
    done: 'Your result is in. The requester decides about the results; “My work” shows how.',
    fields: ({ task }) => [
      { kind: 'integer', name: 'metricValue', label: task.metricDescription ?? 'Measured value', most: 78 },
      {
        kind: 'choice',
        name: 'proofType',
        label: 'Kind of proof',
        options: [
          ['url', 'A link'],
          ['eval', 'Result of a test run'],
          ['api_data', 'Data from an API'],
          ['screenshot', 'A screenshot'],
          ['manual', 'Description in words'],
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
    done: 'Your bid is placed. “My work” shows whether it wins.',
    about: ({ task }) =>
      task.auctionType === 'reverse_english'
        ? 'Your bid stays hidden until bidding ends. The lowest bid gets the task, at its price.'
        : 'The lowest bid when bidding ends gets the task, at its price. Each bid must be below the lowest one so far.',
    fields: ({ task }) => [
      {
        kind: 'usdc',
        name: 'price',
        label: 'What you ask, USDC',
        hint: bidHint(task),
        least: MIN_BID,
        most: BigInt(task.currentLowestBid ?? task.maxPrice ?? task.reward),
      },
    ],
    effects: ({ price }, { task }) => bidRows(task, BigInt(String(price))),
  },
  auction_accept: {
    write: 'acceptAuction',
    act: 'Take it at the present price',
    done: 'The task is yours: deliver before it ends.',
    about:
      'The task is yours at the price of the moment when the chain confirms it, which is never less than shown here.',
    effects: (_, { task }) =>
      task.currentAuctionPrice === null ? [] : clockRows(task, BigInt(task.currentAuctionPrice)),
  },
  select_winner: {
    write: 'selectWinner',
    act: 'Give it to the lowest bid',
    done: 'The lowest bidder has the task.',
    effects: (_, { task }) => selectionRows(task),
  },
  accept: {
    write: 'acceptSubmission',
    act: 'Accept and pay',
    done: 'Accepted and paid.',
    needs: 'submissions',
    fields: chooseWorker('Whose work?'),
    effects: (_, { task }) => [...acceptanceRows(task), ...stakeRows(task, true)],
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
    done: 'Rejected. This worker cannot deliver to this task again.',
    needs: 'submissions',
    fields: chooseWorker('Whose work?'),
  },
  object: {
    write: 'objectToDelivery',
    act: 'Refuse this delivery',
    done: 'Your refusal is on record: the worker is no longer paid if you do nothing more.',
    about:
      'The reward stays in escrow, and you can still accept the delivery. If you do nothing more, it comes back to you after the task has ended.',
  },
  update: updateForm,
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
    effects: (_, { task }) => [...refundRows(task), ...stakeRows(task, false)],
  },
  settle_stale: {
    write: 'settleStaleTask',
    act: 'Settle it without the requester',
    done: 'Settled.',
    about: ({ task }) =>
      task.status === 'pending_approval' || task.status === 'review'
        ? 'The requester has not answered in time, so the worker is paid. If the requester refused the delivery, the reward goes back instead.'
        : 'No decision came in time, so the reward goes back to the requester.',
    effects: (_, { task }) => [...staleRows(task), ...stakeRows(task, task.status !== 'claimed')],
  },
  forfeit: {
    write: 'forfeitTask',
    act: 'End the claim',
    done: 'The claim is ended.',
    about: 'The worker has not delivered in time. You only sign a text, which moves no money of yours.',
    effects: (_, { task }) => stakeRows(task, false),
  },
  assign_evaluator: {
    write: 'assignEvaluator',
    act: 'Name an evaluator',
    done: 'The evaluator is named.',
    about: 'The evaluator decides about the whole reward instead of you, and cannot be replaced later.',
    fields: () => [
      { kind: 'address', name: 'evaluator', label: 'Evaluator' },
      { kind: 'number', name: 'evaluatorFee', label: 'Fee, percent', least: 0, most: 100, value: 0 },
      { kind: 'address', name: 'disputeResolver', label: 'Who settles appeals', isOptional: true },
    ],
    input: ({ evaluatorFee, ...values }) => ({ ...values, evaluatorFeeBps: toBps(evaluatorFee) }),
    effects: ({ evaluator, evaluatorFee }, { task }) => [
      ['Evaluator', shortAddress(String(evaluator))],
      ...evaluatorFeeRows(task, toBps(evaluatorFee)),
    ],
  },
  evaluate: evaluateForm,
  appeal: { write: 'appealVerdict', act: 'Appeal', done: 'Appealed: the dispute resolver decides.' },
  resolve_dispute: resolveForm,
  finalize_verdict: {
    write: 'finalizeVerdict',
    act: 'Carry the verdict out',
    done: 'The verdict is carried out.',
    effects: (_, { task }) => [...(task.verdictType === 'REJECT' ? rejectionRows(task) : []), ...stakeRows(task, true)],
  },
  evaluator_timeout: {
    write: 'timeOutEvaluator',
    act: 'Go on without the evaluator',
    done: 'The evaluator is out: the requester decides now.',
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
    effects: ({ rating }, { offer }) => [
      ['Worker', shortAddress(offer?.targetWorker ?? '')],
      ['Rating', `${rating} of 100`],
    ],
  },
}

/** Returns a hint about the highest bid that the auction accepts now. */
function bidHint({ currentLowestBid, maxPrice, reward }: TaskDetail): string {
  return currentLowestBid === null
    ? `At most ${usdcText(maxPrice ?? reward)}.`
    : `Below the lowest bid so far, ${usdcText(currentLowestBid)}.`
}

/** Converts a percentage to basis points. Example: `2.5` becomes 250. */
function toBps(percent: unknown): number {
  return Math.round(Number(percent) * 100)
}
