import type { ChainEvent, Evidence } from '../evidence.ts'
import { eventsNamed } from '../look-up.ts'
import { type Violation, violationsOf } from '../violation.ts'

const violation = violationsOf('escrow is conserved')

/** Change of the market's debt by each event, base units. */
const changes: Record<string, (args: Record<string, unknown>, reward: (now: bigint) => bigint) => bigint> = {
  TaskCreated: ({ terms }, reward) => reward(BigInt((terms as { reward: bigint }).reward)),
  // A smaller reward has its own event: EscrowReturned.
  TaskUpdated: (args, reward) => atLeastZero(reward(numberIn(args, 'reward'))),
  TaskWorkerSelected: (args) => numberIn(args, 'stake'),
  TaskCompleted: (args) => -numberIn(args, 'grossAmount'),
  EscrowReturned: (args) => -numberIn(args, 'amount'),
  TaskCancelled: (args) => -numberIn(args, 'refund'),
  TaskExpired: (args) => -numberIn(args, 'refund'),
  StakeReturned: (args) => -numberIn(args, 'amount'),
  StakeForfeited: (args) => -numberIn(args, 'amount'),
  VerdictIssued: (args) => -numberIn(args, 'fee'),
  PayoutDeferred: (args) => numberIn(args, 'amount'),
  CreditWithdrawn: (args) => -numberIn(args, 'amount'),
}

/** In every block the market's USDC equals its debt by its own events, and so does `totalEscrow`. */
export function checkEscrow(evidence: Evidence): Violation[] {
  const { market } = evidence.deployment
  const rewards = new Map<string, bigint>()
  let owed = 0n
  let held = 0n
  const found: Violation[] = []
  const compare = (block: bigint) => {
    if (owed !== held) found.push(violation(`block ${block}`, `the market holds ${held} and owes ${owed}`))
  }
  let last: ChainEvent | null = null
  for (const event of evidence.chain.events) {
    if (last !== null && event.block !== last.block) compare(last.block)
    last = event
    if (event.contract === 'market') owed += changeOf(event, rewards)
    if (event.contract === 'usdc' && event.name === 'Transfer') {
      if (event.args.to === market) held += numberIn(event.args, 'value')
      if (event.args.from === market) held -= numberIn(event.args, 'value')
    }
  }
  if (last !== null) compare(last.block)
  const { balances, views } = evidence.chain
  if (balances.market !== held) found.push(violation('balance', `USDC says ${balances.market}, its events ${held}`))
  if (views.totalEscrow !== owed) found.push(violation('books', `totalEscrow is ${views.totalEscrow}, not ${owed}`))
  if (eventsNamed(evidence, 'market', 'ExcessSwept').length > 0) found.push(violation('sweep', 'excess was swept'))
  return found
}

function changeOf({ name, args }: ChainEvent, rewards: Map<string, bigint>): bigint {
  const taskId = String(args.taskId)
  const setReward = (now: bigint) => {
    const before = rewards.get(taskId) ?? 0n
    rewards.set(taskId, now)
    return now - before
  }
  return changes[name]?.(args, setReward) ?? 0n
}

function numberIn(args: Record<string, unknown>, name: string): bigint {
  return BigInt(String(args[name]))
}

function atLeastZero(amount: bigint): bigint {
  return amount > 0n ? amount : 0n
}
