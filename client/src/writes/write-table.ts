import type { WriteName } from '../api/write-names.ts'
import { SERVICE_NAME } from '../payments/payment-text.ts'
import { buildTokenWithdrawal, buildVaultClaim, buildWithdrawal } from './build-withdrawals.ts'
import { type BuildContext, Refused, type TaskFacts, type WriteSpec } from './write-spec.ts'

/** The price of every paid write but those that move more, base units. */
const ACTION_FEE = 1_000n
const BPS = 10_000n

const fee = () => ({ most: ACTION_FEE })
const free = () => ({ most: 0n })
const nothing = () => 0n
const wholeReward = (_: unknown, task: TaskFacts | null) => task?.reward ?? 0n
const increase = (reward: bigint, task: TaskFacts | null) => {
  const current = task?.currentReward ?? 0n
  return reward > current ? reward - current : 0n
}

/** A paid write whose body is its arguments. */
const paid = { isFree: false, needsTask: false, price: fee, decides: nothing, build: plain }
/** A write that any account may make: nothing of its wallet is in it. */
const open = { isFree: true, needsTask: false, price: free, decides: nothing, build: plain }

/**
 * Every write: its route, what it may cost, what it decides, and how its body is signed. Its texts are made here, from
 * the arguments alone.
 */
export const writes: { [Name in WriteName]: WriteSpec<Name> } = {
  createTask: {
    ...paid,
    path: '/api/tasks',
    price: ({ reward }) => ({ most: toBaseUnits(reward), exact: true }),
    reward: ({ reward }) => toBaseUnits(reward),
  },
  updateTask: {
    ...paid,
    path: '/api/tasks/{taskId}/update',
    needsTask: true,
    price: ({ reward = '0' }, task) => ({ most: ACTION_FEE + increase(toBaseUnits(reward), task) }),
    reward: ({ reward }) => (reward === undefined ? null : toBaseUnits(reward)),
  },
  cancelTask: { ...paid, path: '/api/tasks/{taskId}/cancel', build: bodyless },
  refundExpiredTask: { ...paid, path: '/api/tasks/{taskId}/refund-expired', build: bodyless },
  settleStaleTask: { ...open, path: '/api/tasks/{taskId}/settle-stale', build: bodyless },
  createClaim: {
    path: '/api/tasks/{taskId}/claim',
    isFree: true,
    needsTask: true,
    // The stake, a part of the reward.
    price: (_, task) => ({ most: ((task?.reward ?? 0n) * BigInt(task?.stakeBps ?? 0)) / BPS }),
    decides: nothing,
    build: (input, context) => signed(input, context, { verb: 'claim', actor: 'workerAddress' }),
  },
  forfeitTask: {
    ...open,
    path: '/api/tasks/{taskId}/forfeit',
    needsTask: true,
    build: (input, context) => signed(input, context, { verb: 'forfeit', actor: 'requesterAddress' }),
  },
  createBid: { ...paid, path: '/api/tasks/{taskId}/bids' },
  acceptAuction: { ...paid, path: '/api/tasks/{taskId}/bids/accept' },
  selectWinner: {
    ...open,
    path: '/api/tasks/{taskId}/bids/select-winner',
    needsTask: true,
    // Any account may do it; the price is the requester's.
    decides: (_, task) => (task?.isOwn ? task.reward : 0n),
  },
  createPitch: { ...paid, path: '/api/tasks/{taskId}/pitches', build: unsigned },
  selectWorker: { ...paid, path: '/api/tasks/{taskId}/pitches/select', needsTask: true, decides: wholeReward },
  createSubmission: {
    ...paid,
    path: '/api/tasks/{taskId}/submissions',
    isFree: true,
    build: (input, context) => signed(input, context, { verb: 'submit', actor: 'workerAddress' }),
  },
  createSubmissionFromKeys: {
    ...paid,
    path: '/api/tasks/{taskId}/submissions/from-keys',
    isFree: true,
    build: (input, context) => {
      const keys = input.artifacts.map(({ artifactKey }) => artifactKey).join(',')
      return signed(input, context, { verb: 'submit', actor: 'workerAddress', suffix: `:${keys}` })
    },
  },
  createProof: { ...paid, path: '/api/tasks/{taskId}/proofs', build: unsigned },
  acceptSubmission: { ...paid, path: '/api/tasks/{taskId}/accept', needsTask: true, decides: wholeReward },
  acceptSubmissions: { ...paid, path: '/api/tasks/{taskId}/accept-submissions', needsTask: true, decides: wholeReward },
  rejectSubmission: { ...paid, path: '/api/tasks/{taskId}/reject-submission' },
  objectToDelivery: { ...paid, path: '/api/tasks/{taskId}/object', build: bodyless },
  assignEvaluator: {
    ...paid,
    path: '/api/tasks/{taskId}/evaluator',
    needsTask: true,
    // Who decides about a task can give all of it away.
    decides: wholeReward,
  },
  evaluateTask: {
    ...paid,
    path: '/api/tasks/{taskId}/evaluate',
    needsTask: true,
    // What a verdict does not award goes back to the requester: the worker loses it.
    decides: wholeReward,
  },
  appealVerdict: { ...paid, path: '/api/tasks/{taskId}/appeal' },
  resolveDispute: { ...paid, path: '/api/tasks/{taskId}/resolve-dispute', needsTask: true, decides: wholeReward },
  finalizeVerdict: { ...open, path: '/api/tasks/{taskId}/finalize-verdict' },
  timeOutEvaluator: { ...paid, path: '/api/tasks/{taskId}/evaluator-timeout' },
  rateWorker: { ...paid, path: '/api/tasks/{taskId}/rate' },
  registerIdentity: { ...paid, path: '/api/identity/register' },
  pushCredit: { ...open, path: '/api/wallet/credit' },
  withdraw: {
    ...open,
    path: '/api/wallet/withdraw',
    decides: ({ amountBaseUnits }) => toBaseUnits(amountBaseUnits),
    build: buildWithdrawal,
  },
  withdrawToken: { ...open, path: '/api/wallet/withdraw-token', build: buildTokenWithdrawal },
  claimSponsoredReward: { ...open, path: '/api/sponsored-task-vaults/{vaultId}/claim', build: buildVaultClaim },
}

/** @throws Refused when the text is no whole number */
export function toBaseUnits(text: string): bigint {
  if (/^[0-9]{1,30}$/.test(text)) return BigInt(text)
  throw new Refused('invalid_input', 'An amount must be a whole number of base units, as a string of digits.')
}

async function plain(input: object) {
  return { body: { ...input } }
}

async function bodyless() {
  return { body: null }
}

/** The payer is the proof of who acts; the field must not be empty. */
async function unsigned(input: object, { account }: BuildContext) {
  return { body: { ...input, workerAddress: account.address, signature: '0x00' } }
}

async function signed(
  input: { taskId: string },
  { account, task }: BuildContext,
  { verb, actor, suffix }: { verb: 'claim' | 'submit' | 'forfeit'; actor: string; suffix?: string },
) {
  const round = task === null || task.claimRound === 0 ? '' : `:${task.claimRound}`
  const text = `${SERVICE_NAME}:${verb}:${input.taskId.toLowerCase()}${suffix ?? round}`
  const offered = task?.offered[verb]
  if (typeof offered === 'string' && offered !== text) {
    throw new Refused(
      'invalid_input',
      `The service offers another text to sign than the one of ${verb}; nothing was signed.`,
    )
  }
  return { body: { ...input, [actor]: account.address, signature: await account.signMessage({ message: text }) } }
}
