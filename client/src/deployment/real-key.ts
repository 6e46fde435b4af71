import type { Address } from 'viem'
import type { Deployment } from './deployment.ts'
import { isPublicAccount } from './public-accounts.ts'

/** The risk of a real key on a local chain, in one sentence. */
export const REAL_KEY_REASON =
  'The local chain has the chain id of Base, USDC at the same address and the same contracts, so that a payment signed ' +
  'here can be presented on Base, too, by anyone who sees it.'

/** Remedy for a real deployment that is reached on this machine, such as through the user's own node. */
const NOT_LOCAL = 'the deployment file of a real chain says `local: false`.'

/** Accounts that this process has warned about. */
const warnedAccounts = new Set<string>()

/** Returns a warning when a key that may hold money would sign on a local deployment; null: no risk, or already warned. */
export function warnOnce(address: Address, deployment: Pick<Deployment, 'local'>): string | null {
  if (!deployment.local || isPublicAccount(address) || warnedAccounts.has(address)) return null
  warnedAccounts.add(address)
  return `${address} is no public test account, and this deployment is local. ${REAL_KEY_REASON} Use a wallet of the local stack; ${NOT_LOCAL}`
}

/**
 * Returns the reason why a keystore cannot be used on a deployment; null: it can. A keystore made for one local deployment works
 * on every local one. A keystore without a deployment, of another program or an imported key, may hold money.
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
