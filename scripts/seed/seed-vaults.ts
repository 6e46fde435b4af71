import { setTimeout as delay } from 'node:timers/promises'
import { type Address, encodeFunctionData, type Hex, keccak256, pad, toHex } from 'viem'
import { z } from 'zod'
import { sponsoredVaultAbi } from '../../abis/sponsored-vault.ts'
import { sponsoredVaultFactoryAbi } from '../../abis/sponsored-vault-factory.ts'
import { claimTypedData } from '../../protocol/signed/vault-claim.ts'
import { type DevRole, devAccount } from '../chain/dev-accounts.ts'
import { readArtifact } from '../contracts/artifacts.ts'
import { connect, type DeployClient, sendAll } from '../contracts/chain.ts'
import type { Deployment } from '../contracts/deploy.ts'
import { changeVault, createVault, fundVault } from '../contracts/vault-admin.ts'
import { createSeedClient, type SeedClient } from './seed-client.ts'

const TOKEN = 10n ** 18n
const FUNDED = 1_000n * TOKEN
const GROSS = 50n * TOKEN
const MANAGER: DevRole = 'requester'

interface Vault {
  vaultId: Hex
  vault: Address
  /** Client that sends transactions of the vault's owner. */
  client: DeployClient
}

interface Seed {
  service: SeedClient
  rpcUrl: string
  deployment: Deployment
}

/**
 * Creates three vaults on a local chain: an approved one, an unverified one, and one that was exited. For each state of
 * a sponsored reward, there is a task. After an interruption, it may be run again.
 * @returns the number of tasks; 0 on a chain without vaults
 */
export async function seedVaults(options: {
  baseUrl: string
  name: string
  rpcUrl: string
  deployment: Deployment
}): Promise<number> {
  const { sponsoredVaultFactory, rewardToken } = options.deployment
  if (sponsoredVaultFactory === undefined || rewardToken === undefined) return 0
  const seed = { ...options, service: createSeedClient(options) }
  await mint(seed, rewardToken)
  const [approvedVault, unverifiedVault, exitedVault] = await Promise.all(
    (['sponsor1', 'sponsor2', 'sponsor3'] as const).map((role) => openVault(seed, role)),
  )
  if (approvedVault === undefined || unverifiedVault === undefined || exitedVault === undefined)
    throw new Error('a vault is missing')
  await approve(seed, approvedVault)
  const results = await Promise.allSettled([
    isReserved(seed, approvedVault),
    isCredited(seed, approvedVault),
    isClaimed(seed, approvedVault),
    isReleased(seed, approvedVault),
    aTask(seed, unverifiedVault, { step: 'unverified vault', description: 'Test our wallet on three phones' }),
    isDefaulted(seed, exitedVault),
  ])
  const rejection = results.find((result) => result.status === 'rejected')
  if (rejection !== undefined) throw rejection.reason
  return results.length
}

const sponsors = ['sponsor1', 'sponsor2', 'sponsor3'] as const

async function mint({ rpcUrl }: Seed, token: Address): Promise<void> {
  const { abi } = readArtifact('LocalRewardToken')
  const steps = sponsors.map((role) => ({
    what: `minting tokens of ${role}`,
    to: token,
    data: encodeFunctionData({ abi, functionName: 'mint', args: [devAccount(role).account.address, FUNDED] }),
  }))
  await sendAll(await connect(rpcUrl, devAccount('owner').privateKey), steps)
}

async function openVault({ rpcUrl, deployment }: Seed, role: (typeof sponsors)[number]): Promise<Vault> {
  const { sponsoredVaultFactory: factory, rewardToken: token } = deployment
  if (factory === undefined || token === undefined) throw new Error('the chain has no vaults')
  const client = await connect(rpcUrl, devAccount(role).privateKey)
  const salt = keccak256(toHex('demo'))
  const views = { address: factory, abi: sponsoredVaultFactoryAbi } as const
  const args = [client.account.address, token, salt] as const
  const vaultId = await client.readContract({ ...views, functionName: 'vaultIdOf', args })
  const knownVault = await client.readContract({ ...views, functionName: 'vaultOf', args: [vaultId] })
  if (BigInt(knownVault) !== 0n) return { vaultId, vault: knownVault, client }
  const { vault } = await createVault(client, { factory, token, salt })
  const hook = await client.readContract({ address: vault, abi: sponsoredVaultAbi, functionName: 'hook' })
  const manager = devAccount(MANAGER).account.address
  await changeVault(client, vault, { change: 'charger', hook, allowed: true })
  await changeVault(client, vault, { change: 'fee-credit', amount: FUNDED })
  await changeVault(client, vault, { change: 'manager', manager, spendCap: FUNDED, active: true })
  await fundVault(client, vault, FUNDED)
  return { vaultId, vault, client }
}

async function approve({ service }: Seed, { vaultId, client }: Vault): Promise<void> {
  const { timestamp } = await client.getBlock()
  const status = 'approved'
  const message = `service:curate:${vaultId}:${status}:${timestamp}`
  const signature = await devAccount('curator').account.signMessage({ message })
  await untilIndexed(service, vaultId)
  const body = { status, timestamp: Number(timestamp), signature }
  await service.post('curator', 'approve a vault', { path: `/sponsored-task-vaults/${vaultId}/curation`, body })
}

/** Waits until the indexer has indexed the vault. */
async function untilIndexed({ get }: SeedClient, vaultId: Hex): Promise<void> {
  const knownSchema = z.object({ vaultId: z.string() })
  while (!knownSchema.safeParse(await get(`/sponsored-task-vaults/${vaultId}`)).success) await delay(100)
}

const builtSchema = z.object({ hookAddress: z.string(), hookData: z.string() })

async function aTask(
  { service }: Seed,
  { vaultId }: Vault,
  { step, description }: { step: string; description: string },
): Promise<Hex> {
  const terms = { reward: '5000000', duration: 72, tags: ['sponsored'] }
  const { hookAddress, hookData } = builtSchema.parse(
    await service.post(MANAGER, `${step} terms`, {
      path: `/sponsored-task-vaults/${vaultId}/build-funding-hook-data`,
      body: { managerAddress: service.addressOf(MANAGER), grossAmount: String(GROSS), ...terms },
    }),
  )
  return await service.createTask(MANAGER, step, { description, ...terms, hookContract: hookAddress, hookData })
}

async function complete({ service }: Seed, { taskId, worker }: { taskId: Hex; worker: DevRole }): Promise<void> {
  const step = `sponsored ${worker} ${taskId}`
  await service.submit(worker, step, { taskId, fileName: 'report.md', text: 'Done, with screenshots.' })
  const body = { taskId, worker: service.addressOf(worker) }
  await service.act(MANAGER, `${step} accept`, { taskId, path: '/accept', body })
}

async function isReserved(seed: Seed, vault: Vault): Promise<void> {
  await aTask(seed, vault, { step: 'reward reserved', description: 'Record a one-minute video about our token' })
}

async function isCredited(seed: Seed, vault: Vault): Promise<void> {
  const task = { step: 'reward credited', description: 'Translate our landing page to Portuguese' }
  const taskId = await aTask(seed, vault, task)
  await complete(seed, { taskId, worker: 'bob' })
  await untilSettled(seed, { ...vault, taskId, worker: 'bob' })
}

async function isReleased(seed: Seed, vault: Vault): Promise<void> {
  const task = { step: 'reward released', description: 'Draw a mascot, withdrawn again' }
  const taskId = await aTask(seed, vault, task)
  await seed.service.act(MANAGER, 'reward released cancel', { taskId, path: '/cancel', body: { taskId } })
}

const entitlements = z.array(
  z.object({ taskId: z.string(), epoch: z.int(), index: z.int(), amount: z.string(), proof: z.array(z.string()) }),
)

type Entitlement = z.output<typeof entitlements>[number]

/**
 * Waits until the service's keeper has settled the sponsored reward of a task. @returns the amount that the worker can
 * claim, with its proof
 */
async function untilSettled(
  { service }: Seed,
  { vaultId, taskId, worker }: { vaultId: Hex; taskId: Hex; worker: DevRole },
): Promise<Entitlement> {
  const query = `workerAddress=${service.addressOf(worker)}&taskId=${taskId}`
  for (;;) {
    const [foundEntitlement] = entitlements.parse(
      await service.get(`/sponsored-task-vaults/${vaultId}/entitlements?${query}`),
    )
    if (foundEntitlement !== undefined) return foundEntitlement
    await delay(200)
  }
}

async function isClaimed(seed: Seed, vault: Vault): Promise<void> {
  const { service, deployment } = seed
  const { account } = devAccount('carol')
  const task = { step: 'reward claimed', description: 'Check twenty links of our documentation' }
  const taskId = await aTask(seed, vault, task)
  const stateSchema = z.object({ sponsoredTaskRewards: z.array(z.object({ state: z.string() })) })
  const { sponsoredTaskRewards } = stateSchema.parse(await service.get(`/tasks/${taskId}`))
  if (sponsoredTaskRewards[0]?.state === 'claimed') return
  await complete(seed, { taskId, worker: 'carol' })
  const { epoch, index, amount, proof } = await untilSettled(seed, { ...vault, taskId, worker: 'carol' })
  const destination = await registerAddress(service, 'carol')
  const { nonce } = z
    .object({ nonce: z.string() })
    .parse(await service.get(`/sponsored-task-vaults/${vault.vaultId}/claim-nonce?workerAddress=${account.address}`))
  const { timestamp } = await vault.client.getBlock()
  const commonFields = { vaultId: vault.vaultId, taskId, destination }
  const terms = { nonce: BigInt(nonce), deadline: timestamp + 300n, amount: BigInt(amount), index: BigInt(index) }
  const claim = { ...commonFields, ...terms, epoch: BigInt(epoch), allocationId: taskId, worker: account.address }
  const typedData = claimTypedData({ chainId: deployment.chainId, vault: vault.vault })
  const signature = await account.signTypedData({ ...typedData, message: claim })
  const deadline = String(terms.deadline)
  const body = { ...commonFields, index, workerAddress: account.address, amount, nonce, deadline, signature, proof }
  await service.post('carol', `claim ${nonce}`, { path: `/sponsored-task-vaults/${vault.vaultId}/claim`, body })
}

/** Returns the registered withdrawal address of a wallet. If there is none, registers the wallet's own address. */
async function registerAddress(service: SeedClient, role: DevRole): Promise<Address> {
  const { account } = devAccount(role)
  const answer = z.object({ withdrawalAddress: z.string().nullable() })
  const { withdrawalAddress } = answer.parse(await service.get(`/wallet/withdrawal-address?address=${account.address}`))
  if (withdrawalAddress !== null) return withdrawalAddress as Address
  const address = account.address.toLowerCase()
  const signature = await account.signMessage({ message: `service:set-withdrawal-address:${address}` })
  const body = { walletAddress: account.address, withdrawalAddress: account.address, signature }
  await service.post(role, 'withdrawal address', { path: '/wallet/set-withdrawal-address', body })
  return account.address
}

async function isDefaulted(seed: Seed, vault: Vault): Promise<void> {
  const { client, vault: address } = vault
  const contract = { address, abi: sponsoredVaultAbi } as const
  const task = { step: 'reward defaulted', description: 'Review our litepaper' }
  if (await client.readContract({ ...contract, functionName: 'isExited' })) return
  const taskId = await aTask(seed, vault, task)
  await complete(seed, { taskId, worker: 'bob' })
  if ((await client.readContract({ ...contract, functionName: 'exitAt' })) === 0n) {
    await changeVault(client, address, { change: 'announce-exit' }, { isConfirmed: true })
  }
  await passNotice(seed, vault)
  await changeVault(client, address, { change: 'exit', to: client.account.address })
}

/** Number of storage slots in which the vault's `exitAt` is searched. */
const FIRST_SLOTS = 8n
/** Position of `exitAt` in its storage slot, in bits. The epoch comes before it. */
const EXIT_BIT = 64n

/**
 * Sets the end of the notice period of a vault's exit to the current time. Otherwise a local chain would have to wait
 * for seven days.
 */
async function passNotice({ rpcUrl }: Seed, { client, vault: address }: Vault): Promise<void> {
  const exitAt = await client.readContract({ address, abi: sponsoredVaultAbi, functionName: 'exitAt' })
  const { timestamp } = await client.getBlock()
  for (let slot = 0n; slot < FIRST_SLOTS; slot += 1n) {
    if (BigInt((await client.getStorageAt({ address, slot: toHex(slot) })) ?? '0x0') !== exitAt << EXIT_BIT) continue
    const params = [address, pad(toHex(slot)), pad(toHex(timestamp << EXIT_BIT))]
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'anvil_setStorageAt', params })
    await fetch(rpcUrl, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body })
    return
  }
  throw new Error(`the exit of the vault ${address} is not in its first slots`)
}
