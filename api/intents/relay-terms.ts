import type { Address, Hex } from 'viem'
import type { Chain } from '../chain/chain.ts'
import type { Deployment } from '../chain/deployment.ts'
import type { Config } from '../config.ts'
import type { Database } from '../db/client.ts'
import { countDefaultHooks, feesPaidFor, findTaskHooks, usedGasOf } from './gas-accounts.queries.ts'
import { DEFAULT_HOOK_GAS, gasWithHooks, hooksGas, REQUESTER_HOOK_GAS } from './hook-gas.ts'
import type { CallTerms, GasAccount, RelayTerms } from './intent.ts'
import { gasCeilingOf, typicalGasOf } from './operation-gas.ts'
import type { Operation } from './operations.ts'

/** The database, the chain and the settings, which are needed to determine the terms of a call. */
export interface RelayTermsDeps {
  sql: Database
  chain: Pick<Chain, 'hasCode' | 'estimateFeesPerGas'>
  config: Pick<Config, 'MAX_RELAY_GAS' | 'FOREIGN_GAS' | 'FOREIGN_WEI_PER_DAY' | 'FOREIGN_WEI_PER_FEE_USDC'>
}

/** The facts that determine the terms of a call. */
export interface CallOrigin {
  operation: Operation
  /** The payer or signer; null if an anonymous caller requests the call. */
  actor: Address | null
  /** True if the target of the call is the market. The market's hooks may then run. */
  callsMarket: boolean
  /** The task of the call; null if the call creates a task or concerns none. */
  taskId: Hex | null
  /** True if the call creates a task with hooks that the requester chose. */
  bringsHooks: boolean
  /** The largest number of awards that the call makes. */
  awards: number
  /** The additional gas that the write needs for its call to a registry or a token; 0 if it makes no such call. */
  registryGas: bigint
  /**
   * Set if the call runs code of another account, such as the token of a vault; otherwise null. `owner`: the account
   * whose gas account pays for the call, such as the vault's owner. `maxGas`: the largest gas limit of the call.
   */
  foreignCode: { owner: Address; maxGas: bigint } | null
}

/** The prefix of the names of daily gas accounts. */
const DAY_ACCOUNT = 'foreign '
const SECONDS_OF_DAY = 86_400
const BASE_UNITS_OF_USDC = 1_000_000n

/**
 * Returns the terms on which a call is relayed: class, gas limits and gas account.
 * - Plain call (runs only code of the deployment): the gas ceiling follows from the operation and the hooks.
 * - Foreign call (runs code from outside the deployment): the code has an owner (`ownerOf`). The gas limit depends on a
 * setting and on the fees that were paid for the owner's awards. The gas is paid from the owner's gas account. If the
 * quota of the owner's gas account does not suffice, the gas is paid from today's gas account, which all owners share.
 * @throws ChainUnavailable
 */
export async function findRelayTerms(
  deps: RelayTermsDeps & { deployment: Pick<Deployment, 'sponsoredTasksHook'> },
  origin: CallOrigin,
): Promise<CallTerms> {
  const { chain, sql, config, deployment } = deps
  const { operation, actor, callsMarket, taskId, bringsHooks, awards, registryGas, foreignCode } = origin
  const [hasCode, hooks, defaultHookCount] = await Promise.all([
    actor === null ? false : chain.hasCode(actor),
    taskId === null ? null : findTaskHooks(sql, { taskId, sponsoredTasksHook: deployment.sponsoredTasksHook }),
    callsMarket && taskId === null ? countDefaultHooks(sql) : 0,
  ])
  const isSponsored = hooks?.isSponsored ?? false
  const runsOwnHooks = bringsHooks || isSponsored || (hooks?.ownCount ?? 0) > 0
  const owner = ownerOf({
    actor,
    hasCode,
    bringsHooks,
    hookOwner: hooks && hooks.ownCount > 0 ? hooks.requester : (foreignCode?.owner ?? null),
  })
  const count = hooks?.defaultCount ?? defaultHookCount
  const maxGas = foreignCode?.maxGas ?? gasWithHooks(BigInt(config.MAX_RELAY_GAS), { count, awards, isSponsored })
  const hookGas = (count > 0 ? DEFAULT_HOOK_GAS : 0n) + (runsOwnHooks ? REQUESTER_HOOK_GAS : 0n) + registryGas
  const typicalGas = typicalGasOf({ operation, awards, hookCount: count })
  if (owner !== null) {
    return { ...(await findForeignTerms(deps, owner, { hookGas, maxGas })), gasCeiling: null, typicalGas }
  }
  const gasOfHooks = count > 0 || isSponsored ? hooksGas({ count, awards, isSponsored }) : 0n
  const gasCeiling = gasCeilingOf({ operation, awards }, { hooksGas: gasOfHooks, registryGas })
  return { relayClass: 'plain', gasLimit: hookGas > 0n ? maxGas : null, gasCeiling, typicalGas, gas: null }
}

/**
 * Returns the owner of a foreign call: the account whose gas account is charged first. Returns null for a plain call,
 * which runs only code of the deployment. First choice: `hookOwner`, the owner of the task's hooks or of other code
 * that the call runs. Second choice: the actor, if the actor is a contract or creates a task with hooks.
 */
function ownerOf(callFacts: {
  actor: Address | null
  hasCode: boolean
  bringsHooks: boolean
  hookOwner: Address | null
}): Address | null {
  if (callFacts.hookOwner !== null) return callFacts.hookOwner
  return callFacts.bringsHooks || callFacts.hasCode ? callFacts.actor : null
}

/** The gas bounds of a foreign call, which runs code that is not the deployment's. */
export interface ForeignGas {
  /** The gas that must be left when hooks are called. It is added to the setting `FOREIGN_GAS`. */
  hookGas: bigint
  /**
   * The largest gas limit of the call. The limit applies even if the platform fees of the code's owner would allow more
   * gas.
   */
  maxGas: bigint
}

/** Returns the terms of a call that runs code of `owner`. @throws ChainUnavailable */
export async function findForeignTerms(
  { chain, sql, config }: RelayTermsDeps,
  owner: Address,
  { hookGas, maxGas }: ForeignGas,
): Promise<RelayTerms> {
  const [fees, ownBudget, usedWei] = await Promise.all([
    chain.estimateFeesPerGas(),
    accountOfOwner({ sql, config }, owner),
    usedGasOf(sql, owner),
  ])
  const { quotaWei } = ownBudget
  const creditWei = quotaWei > usedWei ? quotaWei - usedWei : 0n
  const creditedGas = creditWei / fees.maxFeePerGas
  const ceiling = BigInt(config.FOREIGN_GAS) + hookGas
  const gasLimit = smallest(maxGas, largest(ceiling, creditedGas))
  const wei = gasLimit * fees.maxFeePerGas
  const account: GasAccount = wei <= creditWei ? ownBudget : accountOfToday(config)
  return { relayClass: 'foreign', gasLimit, gas: { account, wei } }
}

/**
 * Returns the gas account that pays for calls into the code of `owner`. The quota of the gas account is proportional to
 * the platform fees that were paid for the owner's awards (`feesPaidFor`).
 */
export async function accountOfOwner(
  { sql, config }: Pick<RelayTermsDeps, 'sql' | 'config'>,
  owner: Address,
): Promise<GasAccount> {
  const paidFees = await feesPaidFor(sql, owner)
  const quotaWei = (paidFees * BigInt(config.FOREIGN_WEI_PER_FEE_USDC)) / BASE_UNITS_OF_USDC
  return { name: owner, quotaWei, lifetimeSeconds: null }
}

/** Returns true for the name of a daily gas account (see `accountOfToday`). */
export function isAccountOfADay(name: string): boolean {
  return name.startsWith(DAY_ACCOUNT)
}

/**
 * Returns the gas account of today (UTC), which all owners of code share. If the quota of an owner does not suffice for
 * a foreign call, today's gas account pays for the call.
 */
export function accountOfToday({ FOREIGN_WEI_PER_DAY }: Pick<Config, 'FOREIGN_WEI_PER_DAY'>): GasAccount {
  return { name: nameOfToday(), quotaWei: BigInt(FOREIGN_WEI_PER_DAY), lifetimeSeconds: 2 * SECONDS_OF_DAY }
}

/** Returns the name of today's gas account, such as `foreign 2026-01-31`. */
export function nameOfToday(): string {
  return `${DAY_ACCOUNT}${new Date().toISOString().slice(0, 10)}`
}

function smallest(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
