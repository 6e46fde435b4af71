import { type Address, getAddress, type Hex, isAddress, keccak256, stringToBytes } from 'viem'
import { toAddress } from '../../../protocol/normalise.ts'
import { toWithdrawalText } from '../../../protocol/signed/token-withdrawal.ts'
import { claimTypedData } from '../../../protocol/signed/vault-claim.ts'
import type { WriteInput } from '../api/write-names.ts'
import { claimNonceShape, entitlementsShape, vaultShape, withdrawalAddressShape } from '../http/shapes.ts'
import { authorizationFields, LEAST_VALID_SECONDS, signTransfer, VALID_SECONDS } from '../payments/authorization.ts'
import { SERVICE_NAME } from '../payments/payment-text.ts'
import { type BuildContext, type BuiltBody, Refused } from './write-spec.ts'

/** Shorter than the 300 s that the service allows for tokens: the clocks differ. */
const TOKEN_VALID_SECONDS = 240

/** USDC to the wallet's withdrawal address. The nonce is the key's: a key withdraws at most once. */
export async function buildWithdrawal(input: WriteInput<'withdraw'>, context: BuildContext): Promise<BuiltBody> {
  const { account, deployment } = context
  const to = await findDestination(context, input.to)
  const validBefore = chooseEnd(context, VALID_SECONDS)
  const transfer = { to, value: BigInt(input.amountBaseUnits), validBefore, nonce: keyNonce(context) }
  const signature = await signTransfer(account, deployment, transfer)
  const authorization = authorizationFields(account.address, transfer)
  return {
    body: { from: account.address, amountBaseUnits: input.amountBaseUnits, authorization, signature },
    validBefore,
  }
}

/** All reward tokens of the wallet to its withdrawal address. */
export async function buildTokenWithdrawal(
  input: WriteInput<'withdrawToken'>,
  context: BuildContext,
): Promise<BuiltBody> {
  const { account } = context
  const destination = await findDestination(context, input.to)
  const validBefore = chooseEnd(context, TOKEN_VALID_SECONDS)
  const nonce = keyNonce(context)
  const terms = { destination: toAddress(destination), nonce, validBefore: BigInt(validBefore) }
  const signature = await account.signMessage({ message: `${SERVICE_NAME}:${toWithdrawalText(terms)}` })
  const workerAddress = account.address
  return { body: { workerAddress, destination, nonce, validBefore: String(validBefore), signature }, validBefore }
}

/** A sponsor's reward to the wallet's withdrawal address. */
export async function buildVaultClaim(
  input: WriteInput<'claimSponsoredReward'>,
  context: BuildContext,
): Promise<BuiltBody> {
  const { account, deployment, read } = context
  const destination = await findDestination(context, input.to)
  const workerAddress = account.address
  const path = `/api/sponsored-task-vaults/${encodeURIComponent(input.vaultId)}`
  const [vault, entitlements, claimNonce] = await Promise.all([
    read(path, {}, vaultShape),
    read(`${path}/entitlements`, { workerAddress, taskId: input.taskId }, entitlementsShape),
    read(`${path}/claim-nonce`, { workerAddress }, claimNonceShape),
  ])
  const entitlement = (Object.values(entitlements) as Record<string, unknown>[])[0]
  if (entitlement === undefined)
    throw new Refused('nothing_to_claim', 'This vault owes the wallet nothing for the task.')
  const deadline = chooseEnd(context, VALID_SECONDS)
  const claim = {
    vaultId: input.vaultId,
    epoch: String(entitlement.epoch),
    allocationId: String(entitlement.allocationId),
    taskId: input.taskId,
    index: Number(entitlement.index),
    worker: workerAddress,
    destination,
    amount: String(entitlement.amount),
    nonce: String(claimNonce.nonce),
    deadline: String(deadline),
  }
  const place = { chainId: deployment.chainId, vault: getAddress(String(vault.vaultAddress)) }
  const { index, amount, nonce } = claim
  const signature = await account.signTypedData({ ...claimTypedData(place), message: claim })
  const { vaultId, taskId } = input
  const proof = entitlement.proof
  return {
    body: {
      vaultId,
      taskId,
      index,
      workerAddress,
      destination,
      amount,
      nonce,
      deadline: String(deadline),
      signature,
      proof,
    },
    validBefore: deadline,
  }
}

/**
 * Where the money goes: the address that the wallet's own configuration has, or the caller names, and the service must
 * have the same one. One that only the server names is never signed.
 * @throws Refused
 */
export async function findDestination(
  context: Pick<BuildContext, 'account' | 'withdrawalAddress' | 'read'>,
  given: string | undefined,
): Promise<Address> {
  const configured = context.withdrawalAddress
  const own = configured ?? given
  if (own === undefined || !isAddress(own, { strict: false })) {
    throw new Refused(
      'no_withdrawal_address',
      'Name the registered withdrawal address, or set it in the configuration.',
    )
  }
  if (given !== undefined && given.toLowerCase() !== own.toLowerCase()) {
    throw new Refused('wrong_withdrawal_address', `The wallet's configuration has another withdrawal address: ${own}.`)
  }
  const query = { address: context.account.address }
  const { withdrawalAddress } = await context.read('/api/wallet/withdrawal-address', query, withdrawalAddressShape)
  if (typeof withdrawalAddress === 'string' && withdrawalAddress.toLowerCase() === own.toLowerCase())
    return getAddress(own)
  throw new Refused(
    'wrong_withdrawal_address',
    `${own} is not the address that the service has registered for the wallet.`,
  )
}

/** The end of the signature from before, while that is far enough away: then the same bytes are signed again. */
function chooseEnd({ now, validBefore }: BuildContext, seconds: number): number {
  if (validBefore !== null && validBefore >= now + LEAST_VALID_SECONDS) return validBefore
  return now + seconds
}

function keyNonce({ key, deployment }: BuildContext): Hex {
  return keccak256(stringToBytes(`${SERVICE_NAME}:nonce:${deployment.chainId}:${deployment.forwarder}:${key}`))
}
