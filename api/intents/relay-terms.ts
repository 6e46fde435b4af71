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

/** What the terms of a call need of the process. */
export interface RelayTermsDeps {
  sql: Database
  chain: Pick<Chain, 'hasCode' | 'estimateFeesPerGas'>
  config: Pick<Config, 'MAX_RELAY_GAS' | 'FOREIGN_GAS' | 'FOREIGN_WEI_PER_DAY' | 'FOREIGN_WEI_PER_FEE_USDC'>
}

/** What decides about the terms of a call. */
export interface CallOrigin {
  operation: Operation
  /** Payer or signer. */
  actor: Address | null
  /** It calls the market, whose hooks may run. */
  callsMarket: boolean
  /** The task it is about; null: it makes one, or is about none. */
  taskId: Hex | null
  /** It makes a task that runs with hooks of the requester's own. */
  bringsHooks: boolean
  /** The most awards it may pay. */
  awards: number
  /** Gas that must be left when it calls a registry: more than the call uses. */
  registryGas: bigint
  /** It runs code that `owner` brought, for at most `maxGas` in all; null: it does not. */
  foreignCode: { owner: Address; maxGas: bigint } | null
}

/** Prefix of the names of accounts of a day. */
const DAY_ACCOUNT = 'foreign '
const SECONDS_OF_DAY = 86_400
const BASE_UNITS_OF_USDC = 1_000_000n

/**
 * Finds the terms of a call. A plain call runs the deployment's code alone, so that its gas follows from what it does;
 * its limit leaves room for what the market's own hooks may take, and the hook of sponsored tasks: after a creation, which
 * asks the vault's token, that hook runs no other account's code. One that calls hooks or registries is signed with all of
 * its limit: these calls need more gas than they use. What a foreign one takes is up to the code's owner:
 * its gas is bounded by a ceiling, and its price by a budget of the day that all such calls share, or by fees that the
 * owner has paid.
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
  const hooked = count > 0 || isSponsored ? hooksGas({ count, awards, isSponsored }) : 0n
  const gasCeiling = gasCeilingOf({ operation, awards }, { hooksGas: hooked, registryGas })
  return { relayClass: 'plain', gasLimit: hookGas > 0n ? maxGas : null, gasCeiling, typicalGas, gas: null }
}

/** The account that brought the code: of the hooks or of a token, also where the caller is a contract. */
function ownerOf(found: {
  actor: Address | null
  hasCode: boolean
  bringsHooks: boolean
  hookOwner: Address | null
}): Address | null {
  if (found.hookOwner !== null) return found.hookOwner
  return found.bringsHooks || found.hasCode ? found.actor : null
}

/** What hooks ask for in a foreign call. */
export interface ForeignGas {
  /** Gas beyond the ceiling that must be left when hooks are called. */
  hookGas: bigint
  /** The most that the owner's fees may pay for. */
  maxGas: bigint
}

/** The terms of a call that runs code of `owner`. @throws ChainUnavailable */
export async function findForeignTerms(
  { chain, sql, config }: RelayTermsDeps,
  owner: Address,
  { hookGas, maxGas }: ForeignGas,
): Promise<RelayTerms> {
  const [fees, own, usedWei] = await Promise.all([
    chain.estimateFeesPerGas(),
    accountOfOwner({ sql, config }, owner),
    usedGasOf(sql, owner),
  ])
  const { quotaWei } = own
  const creditWei = quotaWei > usedWei ? quotaWei - usedWei : 0n
  const creditedGas = creditWei / fees.maxFeePerGas
  const ceiling = BigInt(config.FOREIGN_GAS) + hookGas
  const gasLimit = smallest(maxGas, largest(ceiling, creditedGas))
  const wei = gasLimit * fees.maxFeePerGas
  const account: GasAccount = wei <= creditWei ? own : accountOfToday(config)
  return { relayClass: 'foreign', gasLimit, gas: { account, wei } }
}

/** What the fees that an owner has paid are worth. */
export async function accountOfOwner(
  { sql, config }: Pick<RelayTermsDeps, 'sql' | 'config'>,
  owner: Address,
): Promise<GasAccount> {
  const paidFees = await feesPaidFor(sql, owner)
  const quotaWei = (paidFees * BigInt(config.FOREIGN_WEI_PER_FEE_USDC)) / BASE_UNITS_OF_USDC
  return { name: owner, quotaWei, lifetimeSeconds: null }
}

/** Whether an account is one that foreign calls without credit share for a UTC day. */
export function isAccountOfADay(name: string): boolean {
  return name.startsWith(DAY_ACCOUNT)
}

/** What foreign calls without credit share on this UTC day. */
export function accountOfToday({ FOREIGN_WEI_PER_DAY }: Pick<Config, 'FOREIGN_WEI_PER_DAY'>): GasAccount {
  return { name: nameOfToday(), quotaWei: BigInt(FOREIGN_WEI_PER_DAY), lifetimeSeconds: 2 * SECONDS_OF_DAY }
}

/** The name of that account. */
export function nameOfToday(): string {
  return `${DAY_ACCOUNT}${new Date().toISOString().slice(0, 10)}`
}

function smallest(a: bigint, b: bigint): bigint {
  return a < b ? a : b
}

function largest(a: bigint, b: bigint): bigint {
  return a > b ? a : b
}
