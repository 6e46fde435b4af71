import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { startAnvil } from '../../../scripts/chain/anvil.ts'
import { deployContracts } from '../../../scripts/chain/deploy-contracts.ts'
import { devAccount } from '../../../scripts/chain/dev-accounts.ts'
import { BLOCK_SECONDS } from '../../../scripts/chain/open-chain.ts'
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

test('given a node with the block time of npm start, when it has many blocks, then it has the old ones, and not their states', async () => {
  const anvil = await startAnvil({ blockTimeSeconds: BLOCK_SECONDS })
  onTestFinished(anvil.stop)
  await anvil.request('anvil_mine', ['0xc8'])
  expect(await anvil.request('eth_getBlockByNumber', ['0x1', false])).toMatchObject({ number: '0x1' })
  const { address } = devAccount('alice').account
  await expect(anvil.request('eth_getBalance', [address, '0x1'])).rejects.toThrow('BlockOutOfRange')
})
