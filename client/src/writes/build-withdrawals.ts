import { type Address, getAddress, type Hex, isAddress, keccak256, stringToBytes } from 'viem'
import { toAddress, toAmount } from '../../../protocol/normalise.ts'
import { ends } from '../../../protocol/windows.ts'
import { claimNonceShape, entitlementsShape, vaultShape, withdrawalAddressShape } from '../http/shapes.ts'
import { authorizationFields, LEAST_VALID_SECONDS, VALID_SECONDS } from '../payments/authorization.ts'
import { SERVICE_NAME } from '../payments/payment-text.ts'
import { type BuildContext, type BuiltRequest, type Fields, Refused } from './write-spec.ts'

/**
 * The lifetime of a signed token withdrawal, in seconds. The lifetime is one minute below the service's maximum,
 * because clocks differ.
 */
const TOKEN_VALID_SECONDS = Number(ends.tokenWithdrawal.most) - 60

/**
 * Builds a withdrawal of USDC to the wallet's withdrawal address. The nonce is computed from the idempotency key, so
 * that each key withdraws at most once.
 */
export async function buildWithdrawal(input: Fields, context: BuildContext): Promise<BuiltRequest> {
  const { account } = context
  const amountBaseUnits = String(input.amountBaseUnits)
  const to = await findDestination(context, input.to)
  const validBefore = chooseEnd(context, VALID_SECONDS)
  const transfer = { to, value: amountOf(amountBaseUnits), validBefore, nonce: keyNonce(context) }
  const authorization = authorizationFields(account.address, transfer)
  return { request: { from: account.address, amountBaseUnits, authorization }, validBefore, facts: {} }
}

/** Builds a withdrawal of all reward tokens to the wallet's withdrawal address. */
export async function buildTokenWithdrawal(input: Fields, context: BuildContext): Promise<BuiltRequest> {
  const workerAddress = context.account.address
  const destination = await findDestination(context, input.to)
  const validBefore = chooseEnd(context, TOKEN_VALID_SECONDS)
  const request = { workerAddress, destination, nonce: keyNonce(context), validBefore: String(validBefore) }
  return { request, validBefore, facts: {} }
}

/** Builds a claim of a sponsored reward, which is paid to the wallet's withdrawal address. */
export async function buildVaultClaim(input: Fields, context: BuildContext): Promise<BuiltRequest> {
  const { account, read } = context
  const destination = await findDestination(context, input.to)
  const workerAddress = account.address
  const [vaultId, taskId] = [String(input.vaultId), String(input.taskId)]
  const path = `/api/sponsored-task-vaults/${encodeURIComponent(vaultId)}`
  const [vault, entitlements, claimNonce] = await Promise.all([
    read(path, {}, vaultShape),
    read(`${path}/entitlements`, { workerAddress, taskId }, entitlementsShape),
    read(`${path}/claim-nonce`, { workerAddress }, claimNonceShape),
  ])
  const entitlement = (Object.values(entitlements) as Record<string, unknown>[])[0]
  if (entitlement === undefined)
    throw new Refused('nothing_to_claim', 'This vault owes the wallet nothing for the task.')
  const validBefore = chooseEnd(context, VALID_SECONDS)
  const { index, amount, epoch, proof } = entitlement
  const terms = { vaultId, taskId, index: Number(index), workerAddress, destination, amount: String(amount) }
  return {
    request: { ...terms, nonce: String(claimNonce.nonce), deadline: String(validBefore), proof },
    validBefore,
    facts: { vault: { address: toAddress(String(vault.vaultAddress)), epoch: BigInt(String(epoch)) } },
  }
}

/**
 * Parses an amount in base units.
 * @throws Refused when the text is not an amount
 */
export function amountOf(text: string): bigint {
  try {
    return toAmount(text)
  } catch (error) {
    throw new Refused('invalid_input', (error as Error).message)
  }
}

/**
 * Returns the receiver of a withdrawal, from the wallet's configuration or from the caller. The service must have
 * registered the same address.
 * @throws Refused
 */
export async function findDestination(
  context: Pick<BuildContext, 'account' | 'withdrawalAddress' | 'read'>,
  inputAddress: unknown,
): Promise<Address> {
  const configuredAddress = context.withdrawalAddress
  const ownAddress = configuredAddress ?? inputAddress
  if (typeof ownAddress !== 'string' || !isAddress(ownAddress, { strict: false })) {
    throw new Refused(
      'no_withdrawal_address',
      'Name the registered withdrawal address, or set it in the configuration.',
    )
  }
  if (inputAddress !== undefined && String(inputAddress).toLowerCase() !== ownAddress.toLowerCase()) {
    throw new Refused(
      'wrong_withdrawal_address',
      `The wallet's configuration has another withdrawal address: ${ownAddress}.`,
    )
  }
  const query = { address: context.account.address }
  const { withdrawalAddress } = await context.read('/api/wallet/withdrawal-address', query, withdrawalAddressShape)
  if (typeof withdrawalAddress === 'string' && withdrawalAddress.toLowerCase() === ownAddress.toLowerCase())
    return getAddress(ownAddress)
  throw new Refused(
    'wrong_withdrawal_address',
    `${ownAddress} is not the address that the service has registered for the wallet.`,
  )
}

/**
 * Returns the expiry of a new signature, in Unix seconds. If an earlier signature of the write remains valid for long
 * enough, its expiry is used again: the wallet then signs the same bytes. Otherwise the lifetime is `seconds`.
 */
export function chooseEnd({ now, validBefore }: BuildContext, seconds: number): number {
  if (validBefore !== null && validBefore >= now + LEAST_VALID_SECONDS) return validBefore
  return now + seconds
}

function keyNonce({ key, deployment }: BuildContext): Hex {
  return keccak256(stringToBytes(`${SERVICE_NAME}:nonce:${deployment.chainId}:${deployment.forwarder}:${key}`))
}
