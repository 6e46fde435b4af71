import type { Address } from 'viem'
import type { Deployment } from './deployment.ts'
import { isPublicAccount } from './public-accounts.ts'

/** Why a real key has no place on a local chain. */
export const REAL_KEY_REASON =
  'The local chain has the chain id of Base, USDC at the same address and the same contracts, so that a payment signed ' +
  'here can be presented on Base, too, by anyone who sees it.'

/** The way out for a real deployment that is reached at this machine, such as by a node of one's own. */
const NOT_LOCAL = 'the deployment file of a real chain says `local: false`.'

/** The accounts that were warned about, for as long as this process runs. */
const warnedAccounts = new Set<string>()

/**
 * A warning about a key that may hold money, where it would sign on a local deployment; null: there is no reason, or the
 * warning was given.
 */
export function warnOnce(address: Address, deployment: Pick<Deployment, 'local'>): string | null {
  if (!deployment.local || isPublicAccount(address) || warnedAccounts.has(address)) return null
  warnedAccounts.add(address)
  return `${address} is no public test account, and this deployment is local. ${REAL_KEY_REASON} Use a wallet of the local stack; ${NOT_LOCAL}`
}

/**
 * Why a keystore cannot be used on a deployment; null: it can. One that was made for a local deployment can be used on any
 * other local one; one without a note, of another program or an imported key, may hold money.
 */
export function findRealKeyProblem(
  { address, madeFor }: { address: Address; madeFor: unknown },
  deployment: Pick<Deployment, 'local'>,
): string | null {
  if (!deployment.local || isPublicAccount(address)) return null
  if (typeof madeFor === 'object' && madeFor !== null && (madeFor as { local?: unknown }).local === true) return null
  return (
    `The keystore of ${address} was not made for a local deployment. ${REAL_KEY_REASON} Make another one for it ` +
    `(task-market wallet new), or pass --real-key; ${NOT_LOCAL} Nothing was signed.`
  )
}
