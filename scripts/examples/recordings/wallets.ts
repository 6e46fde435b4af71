import { type Address, type Hex, keccak256, type PrivateKeyAccount, toHex } from 'viem'
import { boundOnlyText } from '../../../protocol/bound-call.ts'
import { transferTypedData } from '../../../protocol/signed/transfer-authorization.ts'
import { localNetwork } from '../../contracts/network.ts'
import { textAt } from '../recorder.ts'
import type { RecordingContext } from '../recording-context.ts'

/** A compressed public key of secp256k1: the generator of the curve. */
const publicKey = '0x0279be667ef9dcbbac55a06295ce870b07029bfcdb2dce28d959f2815b16f81798'

/** Records wallets: devices, policies, payment consent and payouts that could not be sent at once. */
export async function recordWallets(context: RecordingContext): Promise<void> {
  await recordDevice(context)
  await recordAcceptedPolicies(context)
  await recordConsent(context)
  await recordBoundOnly(context)
  await recordCredit(context)
  await recordWithdrawalAddress(context)
  await recordBonus(context)
}

/** Records a device of a worker. The device reads a submission of this worker. */
async function recordDevice({ record, createTask, submit, wallet }: RecordingContext): Promise<void> {
  const walletAddress = wallet('alice').address
  const signature = await wallet('alice').signMessage({
    message: `service:device-register:${walletAddress.toLowerCase()}`,
  })
  const { body: device } = await record('registerDevice', { body: { walletAddress, publicKey, signature } })
  const deviceId = textAt(device, 'deviceId')
  const apiToken = textAt(device, 'apiToken')
  const params = { deviceId }
  await record('getDeviceKey', { params, body: { deviceId, apiToken } })
  await record('getDeviceStatus', { params, query: { deviceId, apiToken } })
  const { body: identity } = await record('registerIdentity', { payer: 'alice', body: {} })
  await record('adoptIdentity', { payer: 'alice', body: { agentId: textAt(identity, 'agentId') } })
  await record('setPublicKey', { body: { deviceId, apiToken, publicKey } })
  await record('getPublicKey', { query: { address: walletAddress } })
  await record('getIdentityStatus', { query: { address: walletAddress } })
  await record('getRegistration', { params: { address: walletAddress } })
  const taskId = await createTask({})
  const submissionId = await submit('alice', taskId)
  const body = { taskId, submissionId, deviceId, apiToken }
  await record('previewSubmission', { params: { taskId, submissionId }, body })
  await record('endDevice', { params, headers: { 'X-Service-Api-Token': apiToken } })
}

async function recordAcceptedPolicies({ record, wallet }: RecordingContext): Promise<void> {
  const { body: bundle } = await record('getCurrentLegalBundle')
  const contentHash = textAt(bundle, 'documents', 0, 'contentHash')
  await record('getLegalDocument', { params: { contentHash } })
  const walletAddress = wallet('bob').address
  const { body: challenge } = await record('createLegalChallenge', { body: { walletAddress } })
  const body = {
    walletAddress,
    signature: await wallet('bob').signMessage({ message: textAt(challenge, 'message') }),
    nonce: textAt(challenge, 'nonce'),
    bundleVersion: textAt(challenge, 'bundle', 'version'),
    bundleDigest: textAt(challenge, 'bundle', 'bundleDigest'),
    agreedToTerms: true,
    agreedToAcceptableUse: true,
    acknowledgedRisk: true,
    receivedPrivacyNotice: true,
  }
  const { body: acceptance } = await record('acceptLegalBundle', { body })
  await record('getLegalStatus', { headers: { 'X-Service-Legal-Receipt': textAt(acceptance, 'receipt') } })
}

/**
 * Records a wallet's payment consent. With a required consent, each payment of the wallet must name its request.
 * Therefore no other recording pays with this wallet.
 */
async function recordConsent({ record, chain, deployment, wallet }: RecordingContext): Promise<void> {
  const owner = wallet('feeRecipient')
  const timestamp = Number(await chain.now())
  const forwarder = deployment.forwarder.toLowerCase()
  const message = `service:consent:on:${localNetwork.chainId}:${forwarder}:${owner.address.toLowerCase()}:${timestamp}`
  const signature = await owner.signMessage({ message })
  await record('setWalletConsent', { body: { walletAddress: owner.address, required: true, timestamp, signature } })
  await record('getWalletConsent', { query: { address: owner.address } })
}

/** Records the switch with which a wallet allows only bound payments. No other recording pays with this wallet. */
async function recordBoundOnly({ record, chain, deployment, wallet }: RecordingContext): Promise<void> {
  const owner = wallet('feeRecipient')
  const validBefore = (await chain.now()) + 120n
  const address = owner.address.toLowerCase() as Address
  const message = `service:${boundOnlyText(deployment, { wallet: address, isOn: true, counter: 0n, validBefore })}`
  const signature = await owner.signMessage({ message })
  const terms = { walletAddress: owner.address, boundOnly: true, counter: '0', validBefore: Number(validBefore) }
  await record('setBoundOnly', { body: { ...terms, signature } })
  await record('getBoundOnly', { query: { address: owner.address } })
}

/**
 * Records a payout that USDC refused, because the worker is blacklisted. After the worker is removed from the
 * blacklist, the payout is sent again.
 */
async function recordCredit(context: RecordingContext): Promise<void> {
  const { record, perform, chain, createTask, submit, wallet } = context
  const { address } = wallet('bob')
  const taskId = await createTask({})
  await submit('bob', taskId)
  await chain.setBlocked(address, true)
  await perform('acceptSubmission', { params: { taskId }, payer: 'requester', body: { taskId, worker: address } })
  await record('getCredit', { query: { address } })
  await chain.setBlocked(address, false)
  await record('pushCredit', { body: { address } })
}

/**
 * Records the registration and the change of a withdrawal address. Also records the recovery codes of addresses that an
 * operator imported without a code.
 */
async function recordWithdrawalAddress(context: RecordingContext): Promise<void> {
  const { record, importWithdrawalAddress, wallet } = context
  const { address } = wallet('alice')
  await record('getBalance', { query: { address } })
  const withdrawalAddress = wallet('bob').address
  const signature = await signText(wallet('alice'), `set-withdrawal-address:${withdrawalAddress}`)
  const registration = { walletAddress: address, withdrawalAddress, signature }
  const { body: registrationAnswer } = await record('setWithdrawalAddress', { body: registration })
  const accountRecoveryCode = textAt(registrationAnswer, 'accountRecoveryCode')
  await record('changeWithdrawalAddress', { body: { address, accountRecoveryCode, newWithdrawalAddress: address } })
  await record('getWithdrawalAddress', { query: { address } })
  await recordWithdrawal(context)
  await record('listWithdrawalAddressHistory', { query: { address }, as: 'alice' })
  for (const [role, operationId] of [
    ['bob', 'revealRecoveryCode'],
    ['carol', 'revealBackfilledRecoveryCode'],
  ] as const) {
    const owner = wallet(role)
    await importWithdrawalAddress(owner.address, owner.address)
    const reveal = await signText(owner, `reveal-account-recovery-code:${owner.address}`)
    await record(operationId, { body: { address: owner.address, signature: reveal } })
  }
}

/** Records a withdrawal of a wallet to its registered address, which is another account. */
async function recordWithdrawal({ record, perform, chain, deployment, wallet }: RecordingContext): Promise<void> {
  const owner = wallet('requester')
  const to = wallet('alice').address
  const signature = await signText(owner, `set-withdrawal-address:${to}`)
  await perform('setWithdrawalAddress', { body: { walletAddress: owner.address, withdrawalAddress: to, signature } })
  await record('withdraw', { body: await withdrawalBody(owner, { to, deployment, now: await chain.now() }) })
}

async function withdrawalBody(
  owner: PrivateKeyAccount,
  { to, deployment, now }: { to: Address; deployment: RecordingContext['deployment']; now: bigint },
) {
  const authorization = {
    from: owner.address,
    to,
    value: '1500000',
    validAfter: '0',
    validBefore: String(now + 300n),
    nonce: keccak256(toHex('a recorded withdrawal')),
  }
  const typedData = { ...transferTypedData(deployment), message: authorization }
  const signature = await owner.signTypedData(typedData as never)
  return { from: owner.address, amountBaseUnits: authorization.value, authorization, signature }
}

/** Signs the text `service:<text>` in lower case (EIP-191). */
function signText(account: PrivateKeyAccount, text: string): Promise<Hex> {
  return account.signMessage({ message: `service:${text.toLowerCase()}` })
}

/** Records the token bonus of a worker, and its withdrawal. The awards of the earlier recordings gave this bonus. */
async function recordBonus({ record, wallet, chain }: RecordingContext): Promise<void> {
  await record('getExchangeRate')
  const worker = wallet('alice')
  const destination = wallet('bob').address
  await record('getTokenBalance', { query: { address: worker.address } })
  const nonce = keccak256(toHex('a recorded withdrawal of tokens'))
  const validBefore = String((await chain.now()) + 240n)
  const text = `withdraw-token:${destination.toLowerCase()}:${nonce}:${validBefore}`
  const signature = await signText(worker, text)
  const body = { workerAddress: worker.address, destination, nonce, validBefore, signature }
  await record('withdrawToken', { body })
}
