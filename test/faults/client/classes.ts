import type { Hex, PrivateKeyAccount } from 'viem'
import { encodeCall, normalise } from '../../../protocol/derive.ts'
import type { createTask as createTaskEntry } from '../../../protocol/operations/create-task.ts'
import { type TaskMode, toModeSelector } from '../../../protocol/rules/selectors.ts'
import type { Actor } from '../../support/actors.ts'
import { aClaimOfReward } from '../../support/sponsor.ts'
import { aRegistration, aTokenWithdrawalBody, aWithdrawalBody } from '../../support/withdrawals.ts'
import type { Random } from '../random.ts'
import type { Draft, Operations, Preparation } from './operations.ts'
import { putUpload, requestUpload, type UploadedFile } from './uploads.ts'

/** Price of a paid route without escrow, base units. */
const ACTION_FEE = 1_000n

/** Fields of a task's body that differ from the default draft. */
interface TaskFields extends Record<string, unknown> {
  mode?: TaskMode
}

/** Every class of relayed writes. A class that a branch of the service adds is one more row. */
export const operations: Operations = {
  create: { mode: 'paid', prepare: (preparation) => createDraft(preparation) },
  bound: { mode: 'paid', prepare: prepareBound },
  'fee-paid': { mode: 'paid', prepare: prepareFeePaid },
  free: { mode: 'signed', prepare: prepareSubmission },
  upload: { mode: 'signed', prepare: prepareUploaded },
  stake: { mode: 'paid', prepare: prepareClaim },
  withdraw: { mode: 'submitted', prepare: prepareWithdrawal },
  'withdraw-token': { mode: 'submitted', prepare: prepareTokenWithdrawal },
  'claim-reward': { mode: 'submitted', prepare: prepareRewardClaim },
}

/** A bounty of a wallet that holds its price and some fees. */
async function createDraft(
  { random, wallet }: Pick<Preparation, 'random' | 'wallet'>,
  { mode = 'bounty', ...fields }: TaskFields = {},
): Promise<Draft> {
  const reward = random.amount(1_000n, 5_000_000n)
  const account = await wallet(2n * reward + 5n * ACTION_FEE)
  const requester = account.address.toLowerCase() as Hex
  const body = {
    description: `Do this ${random.uuid()}`,
    reward: String(reward),
    duration: 24,
    tags: ['t'],
    mode,
    ...fields,
  }
  return {
    mode: 'paid',
    account,
    charge: reward,
    call: { path: '/tasks', body, key: random.uuid() },
    effect: { event: 'TaskCreated', args: { requester, mode: toModeSelector(mode) } },
  }
}

/** The same with a payment that pays for this creation alone. */
async function prepareBound(preparation: Preparation): Promise<Draft> {
  const draft = await createDraft(preparation, { documentSalt: preparation.random.bytes32() })
  const input = normalise('tasks.create', draft.call.body as Parameters<typeof createTaskEntry.normalise>[0])
  const actor = draft.account.address.toLowerCase() as Hex
  return { ...draft, boundCall: (deployment) => encodeCall('tasks.create', input, { deployment, actor, facts: {} }) }
}

/** A created task, and its create write. */
async function createTask(preparation: Preparation, fields: TaskFields = {}): Promise<{ draft: Draft; taskId: Hex }> {
  const draft = await createDraft(preparation, fields)
  const { taskId } = await preparation.perform(draft)
  if (taskId === null) throw new Error('a create was answered without a task id')
  return { draft, taskId }
}

/** One of the writes that cost a fee: the relay is the same, rules and content differ. */
async function prepareFeePaid(preparation: Preparation): Promise<Draft> {
  return await preparation.random.pick([prepareCancel, prepareAccept, prepareRate])(preparation)
}

async function prepareCancel(preparation: Preparation): Promise<Draft> {
  const { draft, taskId } = await createTask(preparation)
  return {
    mode: 'paid',
    account: draft.account,
    charge: ACTION_FEE,
    call: { path: `/tasks/${taskId}/cancel`, key: preparation.random.uuid() },
    effect: { event: 'TaskCancelled', args: { taskId } },
  }
}

async function prepareAccept(preparation: Preparation): Promise<Draft & { worker: PrivateKeyAccount }> {
  const { taskId, account, worker, workerAccount } = await prepareDelivery(preparation)
  return {
    worker: workerAccount,
    mode: 'paid',
    account,
    charge: ACTION_FEE,
    call: { path: `/tasks/${taskId}/accept`, body: { taskId, worker }, key: preparation.random.uuid() },
    effect: { event: 'TaskCompleted', args: { taskId, worker } },
  }
}

async function prepareRate(preparation: Preparation): Promise<Draft> {
  const accept = await prepareAccept(preparation)
  await preparation.perform(accept)
  const { taskId, worker } = accept.effect.args
  const { random } = preparation
  return {
    ...accept,
    call: {
      path: `/tasks/${taskId}/rate`,
      body: { taskId, worker, rating: random.integer(0, 100), feedbackText: `fine ${random.uuid()}` },
      key: random.uuid(),
    },
    effect: { event: 'TaskRated', args: { taskId: taskId ?? '0x', worker: worker ?? '0x' } },
  }
}

/** A task with one delivery. */
async function prepareDelivery(preparation: Preparation) {
  const submission = await prepareSubmission(preparation)
  await preparation.perform(submission)
  const { taskId, worker } = submission.effect.args
  const account = submission.requester
  return { taskId: taskId as Hex, worker: worker as Hex, account, workerAccount: submission.account }
}

/** A delivery of one small file. */
async function prepareSubmission(preparation: Preparation): Promise<Draft & { requester: Draft['account'] }> {
  const { draft, taskId } = await createTask(preparation)
  const account = await preparation.wallet(0n)
  const { random } = preparation
  const file = Buffer.from(`Money waits in trust ${random.uuid()}`).toString('base64')
  const body = {
    taskId,
    workerAddress: account.address,
    artifacts: [{ fileName: 'haiku.txt', mimeType: 'text/plain', file }],
    signature: await account.signMessage({ message: `service:submit:${taskId}` }),
  }
  return {
    requester: draft.account,
    mode: 'signed',
    account,
    charge: 0n,
    call: { path: `/tasks/${taskId}/submissions`, body, key: random.uuid() },
    effect: { event: 'TaskSubmitted', args: { taskId, worker: account.address.toLowerCase() as Hex } },
  }
}

/** The same with files that are uploaded first, sometimes signed with their keys. */
async function prepareUploaded(preparation: Preparation): Promise<Draft> {
  const { random, wallet, reach } = preparation
  const { taskId } = await createTask(preparation)
  const account = await wallet(0n)
  const files: UploadedFile[] = []
  for (let count = random.integer(1, 2); count > 0; count--) {
    const upload = await requestUpload(await reach(), { taskId, account, bytes: someBytes(random) })
    const status = await putUpload(await reach(), upload)
    if (status !== 200) throw new Error(`an upload was answered ${status}`)
    files.push(upload.file)
  }
  const key = random.uuid()
  const suffix = random.chance(0.5) ? `:${files.map(({ artifactKey }) => artifactKey).join(',')}` : ''
  const signature = await account.signMessage({ message: `service:submit:${taskId}${suffix}` })
  return {
    mode: 'signed',
    account,
    charge: 0n,
    call: {
      path: `/tasks/${taskId}/submissions/from-keys`,
      body: { workerAddress: account.address, artifacts: files, signature },
      key,
    },
    effect: { event: 'TaskSubmitted', args: { taskId, worker: account.address.toLowerCase() as Hex } },
  }
}

/** A few thousand random bytes. */
function someBytes(random: Random): Buffer {
  return Buffer.concat(
    Array.from({ length: random.integer(1, 100) }, () => Buffer.from(random.bytes32().slice(2), 'hex')),
  )
}

/** A claim with a stake: all of its payment is escrow that belongs to the worker. */
async function prepareClaim(preparation: Preparation): Promise<Draft> {
  const { random, wallet } = preparation
  const stakeBps = random.integer(10, 10_000)
  const { draft, taskId } = await createTask(preparation, { mode: 'claim', stakeRequired: true, stakeBps })
  const stake = (draft.charge * BigInt(stakeBps)) / 10_000n
  const account = await wallet(2n * stake)
  const body = {
    taskId,
    workerAddress: account.address,
    signature: await account.signMessage({ message: `service:claim:${taskId}` }),
  }
  return {
    mode: 'paid',
    account,
    charge: stake,
    call: { path: `/tasks/${taskId}/claim`, body, key: random.uuid() },
    effect: { event: 'TaskWorkerSelected', args: { taskId, worker: account.address.toLowerCase() as Hex } },
  }
}

/** A withdrawal to an address of its own, which is registered now. */
async function prepareWithdrawal({ random, wallet, reach, now }: Preparation): Promise<Draft> {
  const amount = random.amount(1_000n, 5_000_000n)
  const [account, target] = [await wallet(2n * amount), await wallet(0n)]
  const [from, to] = [account, target].map(({ address }) => address.toLowerCase() as Hex) as [Hex, Hex]
  await register({ reach }, { account, address: from }, to)
  const { url, fetch } = await reach()
  const nonce = random.bytes32()
  const terms = { to, amount, now: await now(), usdc: (await deploymentOf(url, fetch)).usdcAddress }
  return {
    mode: 'submitted',
    account,
    charge: 0n,
    call: {
      path: '/wallet/withdraw',
      body: await aWithdrawalBody({ account, address: from }, terms, { nonce }),
      key: random.uuid(),
    },
    effect: { event: 'Transfer', contract: 'usdc', args: { from, to, value: amount } },
    nonce,
  }
}

/** A withdrawal of the reward tokens that a worker has earned by one accepted delivery. */
async function prepareTokenWithdrawal(preparation: Preparation): Promise<Draft> {
  const { random, wallet, now, perform } = preparation
  await preparation.startBonus()
  const accept = await prepareAccept(preparation)
  await perform(accept)
  const account = accept.worker.address.toLowerCase() as Hex
  const nonce = random.bytes32()
  const destination = (await wallet(0n)).address.toLowerCase() as Hex
  const owner = { account: accept.worker, address: account }
  return {
    mode: 'submitted',
    account: accept.worker,
    charge: 0n,
    call: {
      path: '/wallet/withdraw-token',
      body: await aTokenWithdrawalBody(owner, { destination, now: await now(), nonce, validity: 300n }),
      key: random.uuid(),
    },
    effect: { event: 'BonusWithdrawn', contract: 'bonusHook', args: { account, destination, nonce } },
    nonce,
  }
}

/** The claim of a vault's reward, to an address that is registered now. */
async function prepareRewardClaim({ random, wallet, reach, now, makeReward }: Preparation): Promise<Draft> {
  const [account, target] = [await wallet(0n), await wallet(0n)]
  const worker = { account, address: account.address.toLowerCase() as Hex }
  const destination = target.address.toLowerCase() as Hex
  await register({ reach }, worker, destination)
  const { vault, entitlement } = await makeReward(worker)
  const terms = { destination, nonce: 0n, deadline: (await now()) + 300n }
  const { taskId, amount } = entitlement
  return {
    mode: 'submitted',
    account,
    charge: 0n,
    call: {
      path: `/sponsored-task-vaults/${vault.vaultId}/claim`,
      body: await aClaimOfReward({ vault, worker, entitlement }, terms),
      key: random.uuid(),
    },
    effect: { event: 'Claimed', contract: 'vault', args: { taskId, worker: worker.address, destination, amount } },
  }
}

async function register(
  { reach }: Pick<Preparation, 'reach'>,
  owner: Pick<Actor, 'address' | 'account'>,
  target: Hex,
): Promise<void> {
  const { url, fetch } = await reach()
  const body = JSON.stringify(await aRegistration(owner, target))
  const init = { method: 'POST', headers: { 'Content-Type': 'application/json' }, body }
  const { status } = await fetch(`${url}/api/wallet/set-withdrawal-address`, init)
  if (status !== 200) throw new Error(`a withdrawal address was answered ${status}`)
}

async function deploymentOf(url: string, fetch: typeof globalThis.fetch): Promise<{ usdcAddress: Hex }> {
  return (await (await fetch(`${url}/api/network`)).json()) as { usdcAddress: Hex }
}
