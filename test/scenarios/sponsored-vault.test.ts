import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { type Address, decodeFunctionResult, encodeFunctionData, erc20Abi, getAddress, type Hex } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { repositoryRoot } from '../../ops/process/paths.ts'
import { devAccount } from '../../scripts/chain/dev-accounts.ts'
import { readArtifact } from '../../scripts/contracts/artifacts.ts'
import { runVaultCommand } from '../../scripts/contracts/run-vault-command.ts'
import { type Actor, anActor } from '../support/actors.ts'
import { openEnvironment } from '../support/conformance.ts'
import { startAnotherApi } from '../support/conformance-api.ts'
import { aSubmissionBody } from '../support/conformance-fixtures.ts'
import { aCuration } from '../support/curator.ts'
import { aKey } from '../support/paying-client.ts'
import { aClaimOfReward, type EntitlementReply } from '../support/sponsor.ts'
import { aRegistration } from '../support/withdrawals.ts'

/** From an empty vault to claimed tokens and its exit, by the sponsor's command and the service alone. */

const TOKEN = 10n ** 18n
const FUNDED = 500n * TOKEN
const GROSS = 100n * TOKEN
/** 7.5 % of it. */
const FEE = (GROSS * 75n) / 1000n
const NET = GROSS - FEE
const DAY = 86_400
const run = promisify(execFile)

const { chain, ...http } = openEnvironment()
const { rpcUrl, deployment } = inject('conformanceStack')
const token = deployment.rewardToken ?? expect.fail('the stack has no reward token')

/** The shared stack's process leaves settlements to tests: a second one of the same service, on its database, makes them. */
let keeper: Awaited<ReturnType<typeof startAnotherApi>>
beforeAll(async () => {
  keeper = await startAnotherApi({ environment: { POLLING_INTERVAL_MS: '200', KEEPER_INTERVAL_MS: '200' } })
})
afterAll(() => keeper?.stop())

const sponsorKey: Hex = `0x${'5e'.repeat(32)}`
const sponsor = privateKeyToAccount(sponsorKey).address

/** The sponsor's command, without a process of its own, whose start takes longer. */
async function command(...words: string[]): Promise<Record<string, string>> {
  return parseOutput(await runVaultCommand([...words, '--rpc-url', rpcUrl], sponsorKey))
}

/** The same as the documentation has it. */
async function commandLine(...words: string[]): Promise<Record<string, string>> {
  const args = [join(repositoryRoot, 'scripts', 'contracts', 'vault-command.ts'), ...words, '--rpc-url', rpcUrl]
  const { stdout } = await run(process.execPath, args, { env: { ...process.env, OWNER_KEY: sponsorKey } })
  return parseOutput(stdout)
}

function parseOutput(output: string): Record<string, string> {
  return output === '' ? {} : JSON.parse(output)
}

async function tokensOf(account: Address): Promise<bigint> {
  const functionName = 'balanceOf'
  const call = { to: token, data: encodeFunctionData({ abi: erc20Abi, functionName, args: [account] }) }
  const data = (await chain.request('eth_call', [call, 'latest'])) as Hex
  return decodeFunctionResult({ abi: erc20Abi, functionName, data })
}

async function pay(payer: Actor, path: string, body: object) {
  const reply = await http.pay(payer, path, body)
  expect(reply).toMatchObject({ status: 200 })
  return reply.body
}

async function aTask(manager: Actor, vaultId: Hex): Promise<Hex> {
  const terms = { reward: '2000000', duration: 24, tags: ['haiku'] }
  const built = await http.post(`/sponsored-task-vaults/${vaultId}/build-funding-hook-data`, {
    body: { managerAddress: manager.address, grossAmount: String(GROSS), ...terms },
  })
  expect(built).toMatchObject({ status: 200 })
  const { hookAddress, hookData } = built.body
  const body = { description: 'Write a haiku about vaults', ...terms, hookContract: hookAddress, hookData }
  return (await pay(manager, '/tasks', body)).taskId
}

async function submit(worker: Actor, taskId: Hex): Promise<void> {
  const body = await aSubmissionBody(worker, taskId)
  expect(await http.post(`/tasks/${taskId}/submissions`, { body })).toMatchObject({ status: 200 })
}

const stateOf = async (taskId: Hex) => (await http.get(`/tasks/${taskId}`)).body.sponsoredTaskRewards[0].state

test('a sponsor funds tasks, a winner claims, and the exit returns what is left', async () => {
  const [manager, alice, bob] = [anActor(), anActor(), anActor()]
  const [aliceTarget, back] = [anActor().address, anActor().address]
  await chain.fund(manager.address, 20_000_000n)
  await chain.request('anvil_setBalance', [sponsor, '0xde0b6b3a7640000'])
  const { address: minter } = devAccount('owner').account
  const mint = { abi: readArtifact('LocalRewardToken').abi, functionName: 'mint', args: [sponsor, FUNDED] }
  await chain.sendAs(minter, { to: token, data: encodeFunctionData(mint) })

  // The sponsor opens the vault.
  const factory = deployment.sponsoredVaultFactory ?? expect.fail('the stack has no vaults')
  const { vaultId, vault } = (await commandLine('create', '--factory', factory, '--token', token)) as {
    vaultId: Hex
    vault: Address
  }
  const of = ['--vault', vault]
  await expect(command('create', '--factory', factory, '--token', token)).rejects.toThrow('the vault exists')
  await command('charger', ...of)
  await expect(command('charger', ...of, '--hook', manager.address)).rejects.toThrow('add --confirm')
  await expect(command('fee-credit', '--vault', manager.address, '--value', '1')).rejects.toThrow(
    'there is no contract at',
  )
  await command('fee-credit', ...of, '--value', String(3n * FEE))
  await command('manager', ...of, '--manager', manager.address, '--value', String(3n * GROSS))
  expect(await command('fund', ...of, '--value', String(FUNDED))).toEqual({ received: String(FUNDED) })
  const path = `/sponsored-task-vaults/${vaultId}`
  const balance = async () => (await http.get(`${path}/balance`)).body
  const balanceWith = (available: bigint, reserved: bigint) => ({
    fundedTotal: String(FUNDED),
    availableBalance: String(available),
    reservedBalance: String(reserved),
  })
  await expect.poll(balance).toEqual(balanceWith(FUNDED, 0n))
  const preview = `${path}/preview-funding?managerAddress=${manager.address}&grossAmount=${GROSS}`
  expect((await http.get(preview)).body).toEqual({ ok: true, failures: [] })
  const timestamp = await chain.headTime()
  const curation = await aCuration({ vaultId, status: 'approved', timestamp })
  expect(await http.post(`${path}/curation`, { body: curation })).toMatchObject({ status: 200 })

  // Two winners share a task, three to two; another task is cancelled; a third goes on.
  const shared = await aTask(manager, vaultId)
  const cancelled = await aTask(manager, vaultId)
  const running = await aTask(manager, vaultId)
  expect((await http.get(preview)).body).toEqual({
    ok: false,
    failures: ['MANAGER_CAP_EXCEEDED', 'INSUFFICIENT_FEE_CREDIT'],
  })
  expect(await balance()).toEqual(balanceWith(FUNDED - 3n * GROSS, 3n * GROSS))
  for (const worker of [alice, bob]) await submit(worker, shared)
  const winners = [alice, bob].map(({ address }, index) => ({ worker: address, share: index === 0 ? 6000 : 4000 }))
  await pay(manager, `/tasks/${shared}/accept-submissions`, { taskId: shared, winners })
  await pay(manager, `/tasks/${cancelled}/cancel`, { taskId: cancelled })
  expect(await stateOf(cancelled)).toBe('released')
  expect(await balance()).toEqual(balanceWith(FUNDED - 2n * GROSS, 2n * GROSS))

  // The keeper settles; one winner claims.
  await expect.poll(() => stateOf(shared)).toBe('credited')
  expect(
    await http.post('/wallet/set-withdrawal-address', {
      body: await aRegistration(alice, aliceTarget),
    }),
  ).toMatchObject({ status: 200 })
  const entitlements = async (worker: Actor): Promise<EntitlementReply[]> =>
    (await http.get(`${path}/entitlements?workerAddress=${worker.address}`)).body
  const [entitlement = expect.fail('nothing to claim')] = await entitlements(alice)
  expect(entitlement.amount).toBe(String((NET * 6n) / 10n))
  const terms = { destination: aliceTarget, nonce: 0n, deadline: (await chain.headTime()) + 300n }
  const reward = { vault: { vaultId, address: vault }, worker: alice, entitlement }
  const more = { ...reward, entitlement: { ...entitlement, amount: String(BigInt(entitlement.amount) + 1n) } }
  const claim = await aClaimOfReward(reward, terms)
  const wrong: [unknown, number, RegExp][] = [
    [await aClaimOfReward(reward, { ...terms, destination: back }), 409, /^destination does not match registered/],
    [await aClaimOfReward(more, terms), 409, /^claim would revert with InvalidClaimProof\(\)\. Nothing was charged\.$/],
    [await aClaimOfReward(reward, { ...terms, signer: bob }), 403, /signature must be/],
  ]
  for (const [body, status, message] of wrong) {
    const answer = await http.post(`${path}/claim`, { body, key: aKey() })
    expect([answer.status, answer.body.error]).toEqual([status, expect.stringMatching(message)])
  }
  expect(await tokensOf(aliceTarget)).toBe(0n)
  expect(await http.post(`${path}/claim`, { body: claim, key: aKey() })).toMatchObject({
    status: 200,
    body: { amount: entitlement.amount, destination: getAddress(aliceTarget) },
  })
  expect(await http.post(`${path}/claim`, { body: claim, key: aKey() })).toMatchObject({
    status: 409,
    body: { error: expect.stringMatching(/^claim nonce already used/) },
  })
  expect(await tokensOf(aliceTarget)).toBe((NET * 6n) / 10n)
  expect(await entitlements(alice)).toEqual([])
  expect(await stateOf(shared)).toBe('credited')
  const owed = (NET * 4n) / 10n
  expect(await balance()).toEqual(balanceWith(FUNDED - 2n * GROSS, owed + FEE + GROSS))

  // The sponsor takes what is not promised, announces its exit, and leaves after seven days.
  await expect(command('withdraw', ...of, '--value', String(FUNDED), '--to', back)).rejects.toThrow(
    `withdraw would revert: InsufficientAvailable(${FUNDED}, `,
  )
  await command('withdraw', ...of, '--value', String(50n * TOKEN), '--to', back)
  await expect(command('announce-exit', ...of)).rejects.toThrow('add --confirm')
  await expect(command('exit', ...of, '--to', back)).rejects.toThrow('was not announced')
  expect(await command('announce-exit', ...of, '--confirm')).toEqual({})
  expect((await http.get(preview)).body.failures).toContain('VAULT_NOT_ACTIVE')
  await expect(command('exit', ...of, '--to', back)).rejects.toThrow('the exit is due at')
  expect(await entitlements(bob)).toHaveLength(1)
  await chain.passTime(7 * DAY)
  await command('exit', ...of, '--to', back)
  await expect(command('exit', ...of, '--to', back)).rejects.toThrow('exit would revert: VaultNotActive()')
  await command('collect-fees', ...of)
  await expect.poll(() => stateOf(shared)).toBe('defaulted')
  expect([await stateOf(running), await stateOf(cancelled), await entitlements(bob)]).toEqual([
    'defaulted',
    'released',
    [],
  ])
  // The fees are of a later transaction than the exit.
  await expect
    .poll(async () => (await http.get(path)).body)
    .toMatchObject({ status: 'exited', epoch: 1, ...balanceWith(0n, 0n) })

  // Every unit: claimed, collected, returned.
  const { totals } = (await command('show', ...of)) as unknown as { totals: Record<string, string> }
  expect([totals.available, totals.reserved, totals.owed, totals.fees]).toEqual(['0', '0', '0', '0'])
  const holders = { vault, aliceTarget, fees: await chain.feeRecipient(), back, sponsor }
  const held = await Promise.all(Object.values(holders).map(tokensOf))
  expect(Object.fromEntries(Object.keys(holders).map((name, index) => [name, held[index]]))).toEqual({
    vault: 0n,
    aliceTarget: (NET * 6n) / 10n,
    fees: FEE,
    back: FUNDED - (NET * 6n) / 10n - FEE,
    sponsor: 0n,
  })
})
