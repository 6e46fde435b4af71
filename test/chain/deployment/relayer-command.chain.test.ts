import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Hex, type LocalAccount, parseEther, parseTransaction } from 'viem'
import { privateKeyToAccount, privateKeyToAddress } from 'viem/accounts'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { paymentForwarderAbi } from '../../../abis/payment-forwarder.ts'
import { connectDatabase, type Database } from '../../../api/db/client.ts'
import { migrate } from '../../../api/db/migrate.ts'
import { runRelayer } from '../../../ops/relayer/command.ts'
import { type Anvil, startAnvil } from '../../../scripts/chain/anvil.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { connectReader, type ReadClient } from '../../../scripts/contracts/chain.ts'
import type { Deployment } from '../../../scripts/contracts/deploy.ts'
import { restoreDeployedChain } from '../../support/test-chain.ts'
import { createTestDatabase, type TestDatabase } from '../../support/test-database.ts'

const directory = mkdtempSync(join(tmpdir(), 'task-market-relayer-'))
const key: Hex = `0x${'5a'.repeat(32)}`
const relayer = privateKeyToAddress(key)
const owner = devAccount('owner').account
let anvil: Anvil
let database: TestDatabase
let sql: Database
let client: ReadClient
let chain: { deployment: Deployment; deploymentFile: string }

beforeAll(async () => {
  ;[anvil, database] = await Promise.all([startAnvil(), createTestDatabase()])
  chain = await restoreDeployedChain(anvil, directory)
  client = await connectReader(anvil.url)
  sql = connectDatabase({ url: database.url, max: 2 })
  await sql`create schema market`
  await migrate(sql)
})
afterAll(async () => {
  await sql.end()
  await Promise.all([anvil.stop(), database.drop()])
  rmSync(directory, { recursive: true })
})

/** Runs the command as this account; null: without a key. @returns what it says */
async function run(words: string, signer: LocalAccount | null = null, environment: Record<string, string> = {}) {
  const lines: string[] = []
  await runRelayer(words.split(' '), {
    environment: {
      DATABASE_URL: database.url,
      RPC_URL: anvil.url,
      DEPLOYMENT_FILE: chain.deploymentFile,
      RELAYER_KEYS: key,
      ...environment,
    },
    say: (line) => lines.push(line),
    chooseSigner: async () => signer,
  })
  return lines.join('\n')
}

const mayRelay = (address = relayer) =>
  client.readContract({
    address: chain.deployment.forwarder,
    abi: paymentForwarderAbi,
    functionName: 'relayers',
    args: [address],
  })
const balanceOf = (address: Hex) => client.getBalance({ address })

describe('given a new relayer, in this order', () => {
  test('when it is added without a key, then the call is printed, and nothing is sent', async () => {
    const text = await run(`add ${relayer}`)
    expect(text).toMatch(/setRelayer\(0x[0-9a-f]{40}, true\) of 0x[0-9a-f]{40}, by its owner 0x/)
    expect(text).toMatch(
      new RegExp(`from  ${owner.address}\\n  to    0x[0-9a-f]{40}\\n  value 0\\n  data  0x[0-9a-f]{136}`),
    )
    expect(await run(`add ${relayer} --dry-run`, owner)).toMatch(/\d+ gas.*\nA dry run: nothing was sent\.$/)
    expect(await mayRelay()).toBe(false)
  })

  test('when its owner adds it, then it may relay; a second time nothing is sent; another key is refused', async () => {
    const stranger = devAccount('alice').account
    await expect(run(`add ${relayer}`, stranger)).rejects.toThrow(`${stranger.address} is not the owner`)
    expect(await run(`add ${relayer}`, owner)).toMatch(/mined {2}allow relayer/)
    expect(await mayRelay()).toBe(true)
    expect(await run(`add ${relayer}`, owner)).toMatch(/may relay already: nothing to do\.$/)
  })

  test('when it is funded, then it has the amount, not twice', async () => {
    expect(await run('fund --amount 0.5 --dry-run', owner)).toMatch(/gets 0\.5\n1 transfers, 0\.5 ether in all/)
    expect(await balanceOf(relayer)).toBe(0n)
    await expect(run('fund --amount 0.5')).rejects.toThrow('Name the key that pays')
    await run('fund --amount 0.5', owner)
    await run('fund --amount 0.5', owner)
    expect(await balanceOf(relayer)).toBe(parseEther('0.5'))
    await expect(run('fund --amount 900000', owner)).rejects.toThrow('too little. Nothing was sent.')
  })

  test('when relayers are listed, then right, ether, nonces and signer are shown', async () => {
    const [reading] = JSON.parse(await run('list --json'))
    const expected = { signer: 'raw', mayRelay: true, balanceWei: String(parseEther('0.5')), latestNonce: 0 }
    expect(reading).toMatchObject({ address: relayer.toLowerCase(), ...expected, pendingNonce: 0, work: null })
    expect(await run('list')).toMatch(/^relayer .*\n0x[0-9a-f]{40} {2}raw {5}yes {8}0\.5 /)
  })

  test('when it is drained while it may relay, or to a contract, then that is refused', async () => {
    await expect(run(`drain ${relayer} --to ${owner.address}`)).rejects.toThrow(/may still relay: take it out/)
    await expect(run(`drain ${relayer} --to ${chain.deployment.usdc}`)).rejects.toThrow(/no account that could spend/)
  })

  test('when it is removed while a nonce of it is open, then it waits for that', async () => {
    await sql`insert into relayers (address, next_nonce) values (${relayer.toLowerCase()}, 1)`
    const removing = run(`remove ${relayer}`, owner)
    const transfer = { to: owner.address, value: 1n, nonce: 0, gas: 21_000n, chainId: client.chain.id }
    const raw = await privateKeyToAccount(key).signTransaction({ ...transfer, ...(await client.estimateFeesPerGas()) })
    expect(await mayRelay()).toBe(true)
    await client.sendRawTransaction({ serializedTransaction: raw })
    expect(await removing).toMatch(
      /^(waiting for 0x[0-9a-f]{40}: 1 nonces are not mined \(from 0 on\)\n)?dismiss relayer/,
    )
    expect(await mayRelay()).toBe(false)
  })

  test('when it is drained, then all but the price arrives, by the next nonce of the table', async () => {
    const to: Hex = `0x${'d7'.repeat(20)}`
    expect(await run(`drain ${relayer} --to ${to} --dry-run`)).toMatch(/sends 0\.49\d+ ether.*\nA dry run/)
    await run(`drain ${relayer} --to ${to}`)
    const arrived = await balanceOf(to)
    expect(arrived).toBeGreaterThan(parseEther('0.49'))
    const [attempt] = await sql<
      { raw: Hex; nonce: bigint; purpose: string }[]
    >`select raw, nonce, purpose from attempts`
    expect(attempt).toMatchObject({ nonce: 1n, purpose: 'cancellation' })
    expect(parseTransaction(attempt?.raw ?? '0x')).toMatchObject({ nonce: 1, value: arrived })
    expect((await sql`select next_nonce from relayers`)[0]).toEqual({ nextNonce: 2n })
    expect(await run(`drain ${relayer} --to ${to}`)).toMatch(/has nothing that is worth a transfer\.$/)
  })
})
