import { type Clocks, ends, judgeEnd } from '../../../protocol/windows.ts'
import { type Refusal, refuse } from '../refusal.ts'
import { noWithdrawalAddress } from '../wallet/refuse-withdrawal.ts'

/** A request to claim a reward of a vault. Addresses and hex values are in lower case. */
export interface ClaimRequest {
  vaultId: string
  destination: string
  nonce: bigint
  /** The last second in which the worker's signature is valid, in Unix seconds. */
  deadline: bigint
}

/** The stored facts about the vault, the task and the worker of a claim. */
export interface ClaimFacts {
  /** The vault; null if no vault has the requested id. */
  vault: { isExited: boolean } | null
  /**
   * The vault's charge: the money that the vault reserved for the task's reward. Null if the hook of this vault made no
   * charge for the task.
   */
  charge: { state: string; isEnded: boolean } | null
  /** The worker's registered withdrawal address; null if none is registered. */
  registered: string | null
  /** True while an earlier claim of the worker from this vault is being relayed. */
  isInFlight: boolean
  /** The nonce of the worker's next claim in the vault. */
  nextNonce: bigint
}

/**
 * Returns the refusal of a claim, or null if the claim may be relayed. The vault checks the merkle proof later, when
 * the call is simulated. A message with the word "retry" means that the claim may succeed later. See the specification,
 * "Sponsored-task vaults".
 */
export function refuseClaim(request: ClaimRequest, facts: ClaimFacts, clocks: Clocks): Refusal | null {
  const { vault, charge } = facts
  if (vault === null) return noSuchVault(request.vaultId)
  if (vault.isExited || charge?.isEnded === true) {
    return refuse(409, 'vault_exited', 'claim would revert with VaultNotActive: the owner has exited the vault.')
  }
  return refuseTerms(request, facts, clocks) ?? refuseReward(charge) ?? refuseOrder(request, facts)
}

/** Returns the refusal of a request whose vault id is unknown. */
export function noSuchVault(vaultId: string): Refusal {
  return refuse(404, 'vault_not_found', `There is no vault ${vaultId}.`)
}

/** Returns the refusal of a claim because an earlier claim of the worker from the vault is being relayed. */
export function claimInProgress(): Refusal {
  return refuse(
    409,
    'claim_in_progress',
    'claim in progress, retry: another claim of this worker in this vault is on its way; they are sent one at a time.',
  )
}

/** Returns the refusal of a request because the vault in the body is not the vault in the path. */
export function otherVault(): Refusal {
  return refuse(400, 'other_vault', 'vaultId must be the vault of the path.', { field: 'vaultId' })
}

function refuseTerms(
  { destination, deadline }: ClaimRequest,
  { registered }: ClaimFacts,
  clocks: Clocks,
): Refusal | null {
  const problem = judgeEnd(ends.vaultClaim, deadline, { clocks, field: 'deadline' })
  if (problem?.detail === 'window_too_short') {
    return refuse(409, problem.detail, `claim authorization expired: ${problem.message}`, { field: 'deadline' })
  }
  if (problem !== null) return refuse(400, problem.detail, problem.message, { field: 'deadline' })
  if (registered === null) return noWithdrawalAddress()
  if (destination !== registered) {
    return refuse(
      409,
      'other_receiver',
      `destination does not match registered withdrawal address ${registered}; claims are sent there alone.`,
      { field: 'destination' },
    )
  }
  return null
}

function refuseReward(charge: ClaimFacts['charge']): Refusal | null {
  if (charge === null || charge.state === 'released') {
    return refuse(409, 'no_reward', 'no sponsored task reward for this task in this vault.', { field: 'taskId' })
  }
  if (charge.state !== 'settled') {
    return refuse(
      409,
      'not_settled',
      'no settlement installed for this task yet: it follows the completion of the task within a minute or two.',
      { field: 'taskId' },
    )
  }
  return null
}

function refuseOrder({ nonce }: ClaimRequest, { isInFlight, nextNonce }: ClaimFacts): Refusal | null {
  if (nonce < nextNonce) {
    return refuse(409, 'nonce_used', `claim nonce already used: the next one is ${nextNonce}.`, { field: 'nonce' })
  }
  if (isInFlight) return claimInProgress()
  if (nonce > nextNonce) {
    return refuse(409, 'nonce_not_next', `claim nonce not next, retry: the next one is ${nextNonce}.`, {
      field: 'nonce',
    })
  }
  return null
}
