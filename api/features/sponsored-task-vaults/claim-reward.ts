import type { Address } from 'viem'
import { z } from 'zod'
import { sponsoredVaultAbi } from '../../../abis/sponsored-vault.ts'
import type { InputOf } from '../../../protocol/operation.ts'
import { claimReward as entry } from '../../../protocol/operations/claim-reward.ts'
import { type ClaimFacts, claimInProgress, refuseClaim } from '../../domain/sponsored/refuse-claim.ts'
import { MAX_WITHDRAWALS_PER_DAY, refuseFurtherWithdrawal } from '../../domain/wallet/refuse-withdrawal.ts'
import { addressText, bytes32Text, signatureText, wholeText } from '../../http/request-schemas.ts'
import { addressOut, amountOut, hashOut, toAddress } from '../../http/response-schemas.ts'
import { UNAPPROVED_CLAIM_GAS } from '../../intents/hook-gas.ts'
import { listClaimsInFlight } from '../../intents/vault-claims.queries.ts'
import { findWithdrawalWait } from '../../intents/withdrawals.queries.ts'
import { findChargeFacts, findVaultFacts } from '../../read-model/vaults.queries.ts'
import { findWithdrawalAddress } from '../../read-model/withdrawal-address.queries.ts'
import type { WriteDeps } from '../../writes/write-deps.ts'
import { defineWrite } from '../../writes/write-of-entry.ts'

/** The largest accepted index of an award in a task. Real indexes are below fifty, the largest number of awards. */
const MAX_INDEX = 255
/** The largest number of hashes in a Merkle proof: the depth of a tree with 256 leaves. */
const MAX_PROOF = 8

const bodySchema = z.object({
  vaultId: bytes32Text.meta({ description: 'The vault of the path.' }),
  taskId: bytes32Text,
  index: z.int().min(0).max(MAX_INDEX).meta({ description: 'Of the entitlement.' }),
  workerAddress: addressText,
  destination: addressText.meta({ description: 'The registered withdrawal address of the worker.' }),
  amount: wholeText().meta({ description: 'Of the entitlement, base units of the vault’s token.' }),
  nonce: wholeText().meta({ description: 'The answer of claim-nonce.' }),
  deadline: wholeText().meta({ description: 'Unix seconds, at most ten minutes from now.' }),
  signature: signatureText.meta({
    description:
      'EIP-712 by the worker over `ClaimTo` in the domain `SponsoredTasksVault`, version `1`, of the vault: ' +
      '`docs/build/vaults.md`.',
  }),
  proof: z.array(bytes32Text).max(MAX_PROOF).meta({ description: 'Of the entitlement.' }),
})

/** The facts that the rules of a claim check, and the vault from which the reward is claimed. */
interface Subject {
  facts: ClaimFacts
  /** The vault that the request names, or null if no vault has this id. */
  vault: { address: Address; owner: Address; epoch: bigint; isApproved: boolean } | null
}

/**
 * Claims a worker's reward from a vault. The claim needs the worker's signature and a Merkle proof.
 *
 * Example: `POST /api/sponsored-task-vaults/0xa9be../claim` with `{"vaultId": "0xa9be..", "taskId": "0x7c70..",
 * "index": 0, "workerAddress": "0xa0Ee..", ..}` answers `{"txHash": "0x4f6b..", "destination": "0xa0Ee..", "amount":
 * "92500000000000000000"}`.
 */
export const claimReward = defineWrite(entry, {
  body: bodySchema,
  response: z.object({
    txHash: hashOut,
    destination: addressOut,
    amount: amountOut.meta({ description: 'Base units of the vault’s token.' }),
  }),
  load: (deps, input) => loadSubject(deps, input),
  facts: { vault: (subject) => vaultOf(subject) },
  preflight: ({ facts }, claim, { clocks }) => refuseClaim(claim, facts, clocks),
  content: async (_deps, subject, { destination: to, taskId, amount, nonce }) => {
    const { isApproved, owner } = vaultOf(subject)
    return {
      content: {},
      resultInputs: { to, taskId, amount: amount.toString(), nonce: nonce.toString() },
      // A curator vouches for the token of an approved vault.
      foreignCode: isApproved ? null : { owner, maxGas: UNAPPROVED_CLAIM_GAS },
    }
  },
  amount: (_subject, { amount }) => amount,
  guard: async (tx, { vault }, { workerAddress: worker }) => {
    // It waits for other withdrawals of the wallet, so that the next check includes their binds.
    const refusal = refuseFurtherWithdrawal(await findWithdrawalWait(tx, worker, MAX_WITHDRAWALS_PER_DAY))
    if (refusal !== null) return refusal
    const claimsInFlight = vault === null ? [] : await listClaimsInFlight(tx, { vault: vault.address, worker })
    return claimsInFlight.length === 0 ? null : claimInProgress()
  },
  describeRevert: ({ errorName, message }) =>
    message.startsWith(`${errorName}(`)
      ? `claim would revert with ${message}`
      : `claim would revert with ${errorName}: ${message}`,
  result: ({ txHash, facts: { to, amount } }) => ({
    body: { txHash, destination: toAddress(to as Address), amount },
  }),
})

/**
 * Returns the vault of a claim.
 * @throws Error if no vault has the id. This cannot happen after the rules have admitted the claim, because they refuse
 * a claim without a vault
 */
function vaultOf({ vault }: Subject) {
  if (vault === null) throw new Error('admitted without a vault')
  return vault
}

async function loadSubject(
  deps: WriteDeps,
  { vaultId, taskId, workerAddress: worker }: InputOf<typeof entry>,
): Promise<Subject> {
  const [vault, charge, registeredAddress] = await Promise.all([
    findVaultFacts(deps.sql, vaultId),
    findChargeFacts(deps.sql, { vaultId, taskId }),
    findWithdrawalAddress(deps.sql, worker),
  ])
  if (vault === null) {
    const facts = { vault, charge: null, registered: null, isInFlight: false, nextNonce: 0n }
    return { facts, vault }
  }
  const [nextNonce, claimsInFlight] = await Promise.all([
    deps.chain.readContract({
      address: vault.vault,
      abi: sponsoredVaultAbi,
      functionName: 'nonceOf',
      args: [worker],
    }),
    listClaimsInFlight(deps.sql, { vault: vault.vault, worker }),
  ])
  return {
    facts: {
      vault: { isExited: vault.isExited },
      charge: charge && { state: charge.state, isEnded: charge.epoch < vault.epoch },
      registered: registeredAddress?.address ?? null,
      isInFlight: claimsInFlight.length > 0,
      nextNonce,
    },
    vault: {
      address: vault.vault,
      owner: vault.owner,
      epoch: BigInt(vault.epoch),
      isApproved: vault.curationStatus === 'approved',
    },
  }
}
