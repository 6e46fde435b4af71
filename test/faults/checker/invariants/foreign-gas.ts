import type { ChainEvent, Evidence, GasAccountRow } from '../evidence.ts'
import { eventsNamed } from '../look-up.ts'
import { type Violation, violationsOf } from '../violation.ts'

const violation = violationsOf('gas of foreign code is bounded, and charged to its owner')

const BASE_UNITS_OF_USDC = 1_000_000n
/** Prefix of the account that foreign calls without credit share for a UTC day. */
const DAY_ACCOUNT = 'foreign '

/**
 * Wei for calls that run code of other accounts: no account exceeds its quota, what such calls cost on chain was
 * charged to some account, and each account is the day's or that of an owner of code, never a worker's.
 */
export function checkForeignGas(evidence: Evidence): Violation[] {
  return [
    ...evidence.tables.gasAccounts.flatMap((account) => checkQuota(evidence, account)),
    ...checkBurned(evidence),
    ...checkReserved(evidence),
  ]
}

function checkQuota(evidence: Evidence, { name, usedWei }: GasAccountRow): Violation[] {
  const { faultCases } = evidence.log
  if (name.startsWith(DAY_ACCOUNT)) {
    const quotaWei = largest(faultCases.map(({ gas }) => gas.weiPerDay))
    return usedWei <= quotaWei ? [] : [violation(name, `used ${usedWei} wei of the day's ${quotaWei}`)]
  }
  if (!isOwnerOfCode(evidence, name)) return [violation(name, `pays ${usedWei} wei, and has neither code nor hooks`)]
  const creditWei = (feesOf(evidence, name) * largest(faultCases.map(({ gas }) => gas.weiPerFee))) / BASE_UNITS_OF_USDC
  return usedWei <= creditWei ? [] : [violation(name, `used ${usedWei} wei, its fees pay for ${creditWei}`)]
}

/** Refunds have limits of their own; a cancellation transaction runs no code. */
function checkBurned({ tables, chain }: Evidence): Violation[] {
  const foreign = new Set(tables.intents.filter(({ relayClass }) => relayClass === 'foreign').map(({ id }) => id))
  const burned = tables.attempts
    .filter(({ intentId, purpose }) => intentId !== null && foreign.has(intentId) && purpose === 'call')
    .reduce((sum, { hash }) => sum + (chain.transactions.get(hash)?.gasWei ?? 0n), 0n)
  const charged = tables.gasAccounts.reduce((sum, { usedWei }) => sum + usedWei, 0n)
  return burned <= charged ? [] : [violation('the sum', `foreign calls cost ${burned} wei, ${charged} were charged`)]
}

/** An ended write is charged for its gas, and has no wei reserved. */
function checkReserved({ tables }: Evidence): Violation[] {
  return tables.intents
    .filter(({ status, gasAccount }) => (status === 'completed' || status === 'failed') && gasAccount !== null)
    .map(({ id, status, gasAccount }) =>
      violation(`intent ${id}`, `is ${status} and has wei of ${gasAccount} reserved`),
    )
}

function isOwnerOfCode(evidence: Evidence, name: string): boolean {
  if (evidence.chain.contracts.has(name as `0x${string}`)) return true
  const hooked = eventsNamed(evidence, 'market', 'HooksAttached').filter(hasOwnHooks)
  return eventsNamed(evidence, 'market', 'TaskCreated').some(
    ({ args }) => args.requester === name && hooked.some((event) => event.args.taskId === args.taskId),
  )
}

function hasOwnHooks({ args }: ChainEvent): boolean {
  return (args.hooks as unknown[]).length > Number(args.defaultCount)
}

/** Platform fees of the account's tasks and of its awards, base units. */
function feesOf(evidence: Evidence, account: string): bigint {
  const tasks = new Set(
    eventsNamed(evidence, 'market', 'TaskCreated')
      .filter(({ args }) => args.requester === account)
      .map(({ args }) => args.taskId),
  )
  return eventsNamed(evidence, 'market', 'TaskCompleted').reduce((sum, { args }) => {
    const shares = Number(tasks.has(args.taskId)) + Number(args.worker === account)
    return sum + BigInt(shares) * BigInt(String(args.platformFee))
  }, 0n)
}

function largest([first = 0n, ...rest]: readonly bigint[]): bigint {
  let most = first
  for (const value of rest) if (value > most) most = value
  return most
}
