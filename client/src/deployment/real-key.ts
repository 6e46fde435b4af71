import type { Address } from 'viem'
import type { Deployment } from './deployment.ts'
import { isPublicAccount } from './public-accounts.ts'

/** A sentence that explains the risk of a real key on a local chain. */
export const REAL_KEY_REASON =
  'The local chain has the chain id of Base, USDC at the same address and the same contracts, so that a payment signed ' +
  'here can be presented on Base, too, by anyone who sees it.'

/**
 * The advice for a user who reaches a real chain through a URL of this machine. That URL looks like the URL of a
 * local chain. Example: the user runs a node of Base on this machine.
 */
const NOT_LOCAL = 'the deployment file of a real chain says `local: false`.'

/** The accounts about which `warnOnce` has already returned a warning in this process. */
const warnedAccounts = new Set<string>()

/**
 * Returns a warning if a key that may hold money would sign on a local deployment. Null: there is no such risk, or this
 * process has already warned about the account.
 */
export function warnOnce(address: Address, deployment: Pick<Deployment, 'local'>): string | null {
  if (!deployment.local || isPublicAccount(address) || warnedAccounts.has(address)) return null
  warnedAccounts.add(address)
  return `${address} is no public test account, and this deployment is local. ${REAL_KEY_REASON} Use a wallet of the local stack; ${NOT_LOCAL}`
}

/**
 * Returns the reason why a keystore must not sign on a deployment; null if the keystore may sign.
 *
 * A keystore that was made for one local deployment may sign on every local deployment. If a keystore does not state
 * the deployment for which it was made, its account may hold real money, and it must not sign on a local deployment.
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
