import type { Hex, PrivateKeyAccount } from 'viem'
import { makeReward } from '../environment/rewards.ts'
import type { FaultCaseContext } from '../fault-case.ts'
import { ACTION_FEE, createTask, type Draft, type Entry, type TaskFields, toClaim, toSubmission } from './classes.ts'
import type { Preparation, PreparedWrite } from './operations.ts'

/** An entry of a worker, of any mode, which a requester's hook may veto. */
interface EntryKind {
  name: string
  task: TaskFields
  toDraft(preparation: Preparation, entry: Entry, reward: bigint): Promise<Draft>
}

const STAKE_BPS = 5_000
/** Base units. */
const REWARD = 1_000_000n
const kinds: readonly EntryKind[] = [
  { name: 'submission', task: {}, toDraft: ({ random }, entry) => toSubmission(random, entry) },
  { name: 'claim', task: { mode: 'claim' }, toDraft: ({ random }, entry) => toClaim(random, entry, 0n) },
  {
    name: 'staked claim',
    // The same stake for every task: one worker may enter two tasks.
    task: { mode: 'claim', stakeRequired: true, stakeBps: STAKE_BPS, amount: REWARD },
    toDraft: ({ random }, entry, reward) => toClaim(random, entry, (reward * BigInt(STAKE_BPS)) / 10_000n),
  },
  { name: 'pitch', task: { mode: 'pitch' }, toDraft: ({ random }, entry) => toPitch(random, entry) },
  {
    name: 'bid',
    task: { mode: 'auction', auctionType: 'english', bidDeadline: 12, amount: REWARD, maxPrice: String(REWARD) },
    toDraft: ({ random }, entry, reward) => toBid(random, entry, reward),
  },
]

/** An entry ready to be performed, and the requester of its task. */
export interface PreparedEntry {
  write: PreparedWrite
  requester: PrivateKeyAccount
}

/**
 * One entry of each kind, each to its own task, which the service creates now.
 * @param hook attached to the tasks; null: none
 * @param workers of the entries, in the order of the kinds; new wallets unless given
 */
export async function prepareEntries(
  context: FaultCaseContext,
  { hook, workers }: { hook: Hex | null; workers?: readonly PrivateKeyAccount[] },
): Promise<PreparedEntry[]> {
  const preparation = toPreparation(context)
  const entries: PreparedEntry[] = []
  for (const [index, kind] of kinds.entries()) {
    const { draft, taskId } = await createTask(preparation, {
      ...kind.task,
      ...(hook !== null && { hookContract: hook }),
    })
    const account = workers?.[index] ?? (await context.wallet(draft.charge * 2n + 10n * ACTION_FEE))
    const entry = await kind.toDraft(preparation, { taskId, account }, draft.charge)
    entries.push({
      write: context.toWrite({ ...entry, isForeign: hook !== null }, kind.name),
      requester: draft.account,
    })
  }
  return entries
}

/** The means of drafts; the writes they depend on are performed as writes of the fault case. */
export function toPreparation(context: FaultCaseContext): Preparation {
  const { random, wallet, reach, now, startBonus, environment } = context
  return {
    random,
    wallet,
    reach,
    now,
    startBonus,
    makeReward: (worker) => makeReward(environment, { worker, reach }),
    perform: async (draft) => {
      const outcome = await context.perform(context.toWrite(draft, draft.operation))
      if (outcome.kind === 'completed') return outcome
      throw new Error(`what a fault case needs could not be made: ${JSON.stringify(outcome)}`)
    },
  }
}

async function toPitch(random: Preparation['random'], { taskId, account }: Entry): Promise<Draft> {
  const worker = account.address.toLowerCase() as Hex
  const body = { taskId, workerAddress: account.address, pitchText: `I do this ${random.uuid()}`, signature: '0x00' }
  return {
    operation: 'pitches.create',
    mode: 'paid',
    account,
    charge: ACTION_FEE,
    returned: 0n,
    call: { path: `/tasks/${taskId}/pitches`, body, key: random.uuid() },
    effect: { event: 'PitchSubmitted', args: { taskId, worker } },
  }
}

async function toBid(random: Preparation['random'], { taskId, account }: Entry, reward: bigint): Promise<Draft> {
  const worker = account.address.toLowerCase() as Hex
  return {
    operation: 'bids.create',
    mode: 'paid',
    account,
    charge: ACTION_FEE,
    returned: 0n,
    call: { path: `/tasks/${taskId}/bids`, body: { taskId, price: String(reward) }, key: random.uuid() },
    effect: { event: 'BidSubmitted', args: { taskId, worker } },
  }
}
