import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startAnvil } from '../../../scripts/chain/anvil.ts'
import { deployContracts } from '../../../scripts/chain/deploy-contracts.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { mineTogether } from '../../../scripts/chain/mine-together.ts'
import { contractsRoot } from '../../../scripts/contracts/paths.ts'
import { restoreChain } from '../../support/test-chain.ts'

test('given a transaction that is not in a block yet, when the chain is saved, then a chain that begins from it has its effect', async () => {
  const name = `pending-${process.pid}`
  const directory = mkdtempSync(join(tmpdir(), 'task-market-saved-'))
  onTestFinished(() => {
    rmSync(join(contractsRoot, 'cache', `test-chain-${name}.json`), { force: true })
    rmSync(directory, { recursive: true })
  })
  const receiver = `0x${'ab'.repeat(20)}`
  const anvil = await startAnvil()
  onTestFinished(anvil.stop)
  await restoreChain(anvil, {
    name,
    variant: '',
    deploy: async (other) => {
      const { deployment } = await deployContracts(other, { forked: false, directory, hasBonus: false })
      await other.request('evm_setAutomine', [false])
      const from = devAccount('alice').account.address
      await other.request('eth_sendTransaction', [{ from, to: receiver, value: '0x1' }])
      return deployment
    },
  })
  expect(await anvil.request('eth_getBalance', [receiver, 'latest'])).toBe('0x1')
})

test('given a node, when it has many blocks, then it has the old ones, and not their states', async () => {
  const anvil = await startAnvil()
  onTestFinished(anvil.stop)
  await anvil.request('anvil_mine', ['0xc8'])
  expect(await anvil.request('eth_getBlockByNumber', ['0x1', false])).toMatchObject({ number: '0x1' })
  const { address } = devAccount('alice').account
  await expect(anvil.request('eth_getBalance', [address, '0x1'])).rejects.toThrow('BlockOutOfRange')
})

test('given transactions that are mined together, then they share a block, and each later one has its own again', async () => {
  const anvil = await startAnvil()
  onTestFinished(anvil.stop)
  const [from, to] = [devAccount('alice').account.address, devAccount('bob').account.address]
  const send = async () => String(await anvil.request('eth_sendTransaction', [{ from, to, value: '0x1' }]))
  const findBlock = async (hash: string) =>
    (await anvil.request('eth_getTransactionReceipt', [hash])) as { blockNumber: string } | null
  const untilMined = async (hash: string): Promise<string> =>
    (await findBlock(hash))?.blockNumber ?? (await untilMined(hash))
  const together = await mineTogether(anvil, async () => {
    const hashes = [await send(), await send(), await send()]
    return await Promise.all(hashes.map(untilMined))
  })
  expect(new Set(together).size).toBeLessThan(3)
  const [first, second] = [await untilMined(await send()), await untilMined(await send())]
  expect(Number(second)).toBe(Number(first) + 1)
  await expect(mineTogether(anvil, () => Promise.reject(new Error('failed')))).rejects.toThrow('failed')
})
